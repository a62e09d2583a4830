import type { ChannelKind } from '../../db/entities/notification.ts';
import { channelOfKind } from './channels/catalogue.ts';
import type { Verdict } from './channels/define.ts';

/** What a receiver answered, or why there was no answer. */
export type Answer = {
  /** Null where there was none. */
  readonly status: number | null;
  /** Null where nothing is wrong. */
  readonly problem: string | null;
  /** How long the receiver asks to be left alone. */
  readonly pauseMs?: number | undefined;
};

/** Returns what an answer means for a channel of this kind. Pure. */
export const verdictOf = (kind: ChannelKind, { status }: Answer): Verdict =>
  status === null ? 'retry' : channelOfKind(kind).verdict(status);

/** Whether the answer shows that the receiver takes messages: it took this one, or looked at it and refused it. */
export function isAlive(kind: ChannelKind, answer: Answer): boolean {
  const verdict = verdictOf(kind, answer);
  if (verdict !== 'refused' || answer.status === null) return verdict === 'delivered';
  return channelOfKind(kind).isOfContent(answer.status);
}
