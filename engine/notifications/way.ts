import type { ChannelKind } from '../../db/entities/notification.ts';
import { invalid } from '../errors.ts';
import { type AddressPolicy, urlProblem } from './address.ts';
import type { ChannelSecrets } from './secrets.ts';

/** How a channel is reached, as somebody sent it: which of it is needed follows from the kind. */
export type SentWay = {
  readonly url?: string | undefined;
  readonly botToken?: string | undefined;
  readonly chatId?: string | undefined;
  readonly address?: string | undefined;
  readonly subscription?:
    | { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string } }
    | undefined;
};

/** `target`: what may be shown of it. */
export type Way = { readonly target: string; readonly secrets: ChannelSecrets | null };

/** What each kind needs, and takes nothing besides. */
const NEEDED: { readonly [Kind in ChannelKind]: readonly (keyof SentWay)[] } = {
  webhook: ['url'],
  slack: ['url'],
  discord: ['url'],
  telegram: ['botToken', 'chatId'],
  email: ['address'],
  push: ['subscription'],
};
const NAMES = ['url', 'botToken', 'chatId', 'address', 'subscription'] as const;

const TELEGRAM = 'https://api.telegram.org';

/** @throws DomainError `validation_failed` where something is missing, too much, or no place that is told. */
export function readWay(
  sent: SentWay & { kind: ChannelKind },
  emails: readonly string[],
  policy: AddressPolicy,
): Way {
  const { kind } = sent;
  for (const name of NAMES) {
    const isNeeded = NEEDED[kind].includes(name);
    if (isNeeded === (sent[name] !== undefined)) continue;
    throw wrong(name, isNeeded ? `is needed for the kind ${kind}` : `is nothing the kind ${kind} has`);
  }
  switch (kind) {
    case 'webhook':
      return { target: shown(sent.url ?? ''), secrets: { url: checked('url', sent.url, policy) } };
    case 'slack':
    case 'discord': {
      const url = checked('url', sent.url, policy);
      return { target: hinted(url), secrets: { url } };
    }
    case 'telegram': {
      const url = checked('botToken', `${TELEGRAM}/bot${sent.botToken}/sendMessage`, policy);
      return {
        target: `Telegram chat ${sent.chatId}`,
        secrets: { url, ...(sent.chatId !== undefined && { chatId: sent.chatId }) },
      };
    }
    case 'email': {
      const address = emails.find((each) => each.toLowerCase() === sent.address?.toLowerCase());
      if (address === undefined)
        throw wrong('address', 'must be the e-mail address somebody of this account signs in with');
      return { target: address, secrets: null };
    }
    case 'push': {
      const url = checked('subscription', sent.subscription?.endpoint, policy);
      return {
        target: hinted(url),
        secrets: { url, ...(sent.subscription && { push: sent.subscription.keys }) },
      };
    }
  }
}

const SHOWN_MAX = 500;
const shown = (url: string): string => url.slice(0, SHOWN_MAX);

/** Enough to tell two apart, too little to write there. */
const HINT_LENGTH = 4;
const hinted = (url: string): string => `${new URL(url).host.slice(0, 200)}/…${url.slice(-HINT_LENGTH)}`;

function checked(name: keyof SentWay, url: string | undefined, policy: AddressPolicy): string {
  const problem = urlProblem(url ?? '', policy);
  if (problem !== null) throw wrong(name, problem);
  return url ?? '';
}

const wrong = (name: keyof SentWay, message: string) =>
  invalid([{ path: `/${name}`, code: 'custom', message }]);
