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

export const SWITCH_WORDS: Readonly<Record<Switch, Message>> = {
  off: msg('Not sent'),
  on: msg('Sent'),
  always: msg('Sent, also in quiet hours'),
};

/** The name of a test among the kinds. */
const TEST_TITLE = msg('A test');

export const kindTitle = (kinds: NotificationOptions['kinds'], kind: string): string =>
  kind === 'test' ? t(TEST_TITLE) : translateServed(kinds.find((each) => each.kind === kind)?.title ?? kind);

/** `9 of 14 kinds, 4 of them in quiet hours too`, or `every kind`. */
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
