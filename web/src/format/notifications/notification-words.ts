import type { Inputs, Outputs } from '../../api/trpc.ts';
import { type Message, msg, t, translateServed } from '../../language/language.ts';

export type Channel = Outputs['notifications']['list'][number];
export type ChannelKind = Channel['kind'];
export type NotificationOptions = Outputs['notifications']['options'];
export type NotificationKind = NotificationOptions['kinds'][number]['kind'];
export type Switch = NotificationOptions['kinds'][number]['usual'];
export type Delivery = Outputs['notifications']['deliveries'][number];
export type NewChannel = Inputs['notifications']['create'];
export type QuietHours = NonNullable<Channel['quietHours']>;

/** A field of the form that adds a channel. `address` is one of the account's own addresses. */
export type ChannelField = {
  readonly name: 'url' | 'bodyTemplate' | 'botToken' | 'chatId' | 'address';
  readonly label: Message;
  readonly placeholder?: string;
  readonly hint?: Message;
  readonly isOptional?: boolean;
  readonly isLong?: boolean;
};

type ChannelWords = {
  readonly title: Message;
  readonly help: Message;
  /** No fields if no form adds it. */
  readonly fields: readonly ChannelField[];
};

/** The name of each kind of channel, and its fields. */
export const CHANNEL_WORDS: Readonly<Record<ChannelKind, ChannelWords>> = {
  webhook: {
    title: msg('Webhook'),
    help: msg(
      'A program of yours at a public https: address gets every notification as JSON, signed so that it can tell that it comes from here.',
    ),
    fields: [
      { name: 'url', label: msg('Address'), placeholder: 'https://desk.example.com/hook' },
      {
        name: 'bodyTemplate',
        label: msg('Body (optional)'),
        placeholder: '{"text": "{{title}}: {{text}}"}',
        hint: msg(
          'JSON of your own; the guide to notifications lists the placeholders. Without it, the body has all details.',
        ),
        isOptional: true,
        isLong: true,
      },
    ],
  },
  slack: {
    title: msg('Slack'),
    help: msg('In Slack: Apps, Incoming Webhooks, Add to Slack. Paste the address it shows.'),
    fields: [
      {
        name: 'url',
        label: msg('Address of the incoming webhook'),
        placeholder: 'https://hooks.slack.com/services/…',
      },
    ],
  },
  discord: {
    title: msg('Discord'),
    help: msg('In Discord: settings of the text channel, Integrations, Webhooks, New webhook, Copy URL.'),
    fields: [
      {
        name: 'url',
        label: msg('Address of the webhook'),
        placeholder: 'https://discord.com/api/webhooks/…',
      },
    ],
  },
  telegram: {
    title: msg('Telegram'),
    help: msg(
      'In Telegram: ask @BotFather for a new bot, write it a message once, and give its token and the id of the chat.',
    ),
    fields: [
      { name: 'botToken', label: msg('Token of the bot'), placeholder: '123456:ABC…' },
      {
        name: 'chatId',
        label: msg('Chat ID'),
        hint: msg('A number, or @name of a channel; @userinfobot says yours.'),
      },
    ],
  },
  email: {
    title: msg('E-mail'),
    help: msg('Only to an address that a user of this account signs in with.'),
    fields: [{ name: 'address', label: msg('To') }],
  },
  push: {
    title: msg('Browser'),
    help: msg(
      'The browser shows notifications, also while the console is closed. Turn them on in that browser.',
    ),
    fields: [],
  },
};

export const SWITCH_WORDS: Readonly<Record<Switch, Message>> = {
  off: msg('Not sent'),
  on: msg('Sent'),
  always: msg('Sent, also in quiet hours'),
};

/** The name of a test among the kinds. */
const TEST_TITLE = msg('A test');

export const kindTitle = (kinds: NotificationOptions['kinds'], kind: string): string =>
  kind === 'test' ? t(TEST_TITLE) : translateServed(kinds.find((each) => each.kind === kind)?.title ?? kind);

/** `9 of 12 kinds, 4 of them in quiet hours too`, or `every kind`. */
export function switchesWords(switches: Channel['switches']): string {
  const all = Object.values(switches);
  const count = all.filter((each) => each !== 'off').length;
  const always = all.filter((each) => each === 'always').length;
  if (count === 0) return t('nothing: every kind is switched off');
  const kinds =
    count === all.length ? t('every kind') : t('{count} of {all} kinds', { count, all: all.length });
  return `${kinds}${always === 0 ? '' : t(', {always} of them in quiet hours too', { always })}`;
}

/** `22:00 to 07:00, Europe/Zurich`. */
export const quietWords = (quiet: QuietHours | null): string =>
  quiet === null
    ? t('none')
    : t('{from} to {to}, {zone}', { from: quiet.from, to: quiet.to, zone: quiet.zone });

/** The result of the last attempt, as short as possible; null before the first. */
export function answerWords({
  lastStatus,
  lastProblem,
  tookMs,
}: Pick<Delivery, 'lastStatus' | 'lastProblem' | 'tookMs'>): string | null {
  if (lastStatus === null && lastProblem === null) return null;
  const said = lastProblem ?? t('answered {lastStatus}', { lastStatus: lastStatus ?? '' });
  return tookMs === null
    ? said
    : t('{said}, after {took}', {
        said,
        took: tookMs < 1_000 ? `${tookMs} ms` : `${(tookMs / 1_000).toFixed(1)} s`,
      });
}

/** The result of a test, as a sentence; `isOver` once no further result is due soon. */
export function outcomeWords(delivery: Delivery | undefined): {
  text: string;
  tone: 'ok' | 'bad' | 'info';
  isOver: boolean;
} {
  const answer = (delivery && answerWords(delivery)) ?? '';
  if (delivery?.status === 'delivered')
    return { text: t('The test arrived: {answer}.', { answer }), tone: 'ok', isOver: true };
  if (delivery?.status === 'refused')
    return { text: t('The test was refused: {answer}.', { answer }), tone: 'bad', isOver: true };
  if (delivery && delivery.attempts > 0)
    return {
      text: t('The test did not arrive: {answer}. It is tried again.', { answer }),
      tone: 'bad',
      isOver: true,
    };
  return { text: t('The test is on its way…'), tone: 'info', isOver: false };
}
