import type { ChannelKind } from '../../db/entities/notification.ts';
import { channelOfKind } from './channels/catalogue.ts';
import type { Verdict } from './channels/define-channel.ts';

/** A receiver's answer, or why there was none. */
export type ReceiverAnswer = {
  /** Null without an answer. */
  readonly status: number | null;
  /** Null if nothing went wrong. */
  readonly problem: string | null;
  /** Whether it is the challenge of a test; absent if none was sent. */
  readonly isProof?: boolean | undefined;
  /** The pause that the receiver asks for. */
  readonly pauseMs?: number | undefined;
};

/** Maps an answer to its verdict for a channel of this kind. Pure. */
export const deliveryVerdictOf = (kind: ChannelKind, { status, isProof }: ReceiverAnswer): Verdict =>
  status === null || isProof === false ? 'retry' : channelOfKind(kind).verdict(status);

/** Whether the answer shows that the receiver works: it accepted this message, or refused it for its content. */
export function isReceiverAlive(kind: ChannelKind, answer: ReceiverAnswer): boolean {
  const verdict = deliveryVerdictOf(kind, answer);
  if (verdict !== 'refused' || answer.status === null) return verdict === 'delivered';
  return channelOfKind(kind).isOfContent(answer.status);
}
