/** A kind of channel as one value: what reaches it, what may be shown of that, and how one notification is written for it. */

import { z } from 'zod';
import type { ChannelKind } from '../../../db/entities/notification.ts';
import { invalid } from '../../platform/errors.ts';
import { type AddressPolicy, urlProblem } from '../address.ts';
import type { Message, messageOf } from '../message.ts';
import type { PushKeys } from '../push-key.ts';
import type { ChannelSecrets } from '../secrets.ts';

/** `target`: what may be shown of it. */
export type Destination = { readonly target: string; readonly secrets: ChannelSecrets | null };

/** `emails`: the addresses that the account's users sign in with. */
export type DestinationRules = { readonly emails: readonly string[]; readonly policy: AddressPolicy };

export type HttpRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

export type Mail = { readonly subject: string; readonly text: string; readonly html: string };

/** As it is stored. */
export type Notification = Parameters<typeof messageOf>[0];

/** One notification with all that writing it needs. `pushKeys`: null where the service has no keys to seal its own with. */
export type Outgoing = {
  readonly notification: Notification;
  readonly message: Message;
  readonly secrets: ChannelSecrets;
  readonly publicUrl: string;
  readonly pushKeys: PushKeys | null;
  readonly now: Date;
};

/** `gone`: its receiver has left. `refused`: this one is not taken, others may be. */
export type Verdict = 'delivered' | 'retry' | 'gone' | 'refused';

/** Needed of the service itself: a mail server, keys to seal addresses with, a key for push services. */
export type Need = 'mail' | 'keys' | 'pushKey';

type Definition<Kind extends ChannelKind, Fields extends z.core.$ZodLooseShape> = {
  readonly kind: Kind;
  /** A program receives every notification, signed; a person only what is still of use. */
  readonly reader: 'program' | 'person';
  readonly needs: readonly Need[];
  /** All that reaches it, each of them needed. */
  readonly fields: Fields;
  readonly destination: (
    sent: z.output<z.ZodObject<Fields, z.core.$strict>>,
    rules: DestinationRules,
  ) => Destination;
  /** Returns a request, a mail, or why neither can be written. */
  readonly write: (outgoing: Outgoing) => HttpRequest | Mail | string;
  readonly verdict: (status: number) => Verdict;
  /** Whether a refusal is about the message, and not about the sender or the address. */
  readonly isOfContent: (status: number) => boolean;
};

export type Channel<
  Kind extends ChannelKind = ChannelKind,
  Fields extends z.core.$ZodLooseShape = z.core.$ZodLooseShape,
> = Omit<Definition<Kind, Fields>, 'destination'> & {
  /** @throws DomainError `validation_failed` where a field is missing, wrong, or belongs to another kind. */
  readonly readDestination: (sent: object, rules: DestinationRules) => Destination;
};

export function defineChannel<const Kind extends ChannelKind, Fields extends z.core.$ZodLooseShape>({
  destination,
  ...channel
}: Definition<Kind, Fields>): Channel<Kind, Fields> {
  const fields = z.strictObject(channel.fields);
  return {
    ...channel,
    readDestination(sent, rules) {
      const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
      for (const name of Object.keys(given))
        if (!(name in channel.fields)) throw wrongField(name, `is not allowed for the kind ${channel.kind}`);
      for (const name of Object.keys(channel.fields))
        if (!(name in given)) throw wrongField(name, `is needed for the kind ${channel.kind}`);
      const read = fields.safeParse(given);
      if (read.success) return destination(read.data, rules);
      throw wrongField(read.error.issues[0]?.path.join('/') ?? '', read.error.issues[0]?.message ?? '');
    },
  };
}

export const wrongField = (path: string, message: string) =>
  invalid([{ path: `/${path}`, code: 'custom', message }]);

export const JSON_HEADERS = { 'content-type': 'application/json', 'user-agent': 'trading-strategy-service' };

/** An address in the field `url`; `checkUrl` says whether the service may send there. */
export const url = z.string().max(2_000);

/** @throws DomainError `validation_failed` of the field `name`. */
export function checkUrl(address: string, { policy }: DestinationRules, name = 'url'): string {
  const problem = urlProblem(address, policy);
  if (problem !== null) throw wrongField(name, problem);
  return address;
}

export const token = (max: number) =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_:@=+/-]{1,${max}}$`), { error: 'holds other characters than tokens do' });

const HINT_LENGTH = 4;
/** Returns enough of an address to tell two apart, too little to write there. */
export const hintOf = (address: string): string =>
  `${new URL(address).host.slice(0, 200)}/…${address.slice(-HINT_LENGTH)}`;

/** Refusals that pass: a timeout, a conflict, too early, too many. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const OF_CONTENT: ReadonlySet<number> = new Set([400, 413, 422]);

/** Reads answers by their HTTP status. 410 ends the channel, as Standard Webhooks has it. */
export const httpAnswers = (gone: readonly number[] = [410]): Pick<Channel, 'verdict' | 'isOfContent'> => ({
  verdict(status) {
    if (status >= 200 && status < 300) return 'delivered';
    if (gone.includes(status)) return 'gone';
    return status >= 400 && status < 500 && !PASSING.has(status) ? 'refused' : 'retry';
  },
  isOfContent: (status) => OF_CONTENT.has(status),
});
