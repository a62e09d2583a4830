import type { ChannelKind } from '../../db/entities/notification.ts';

/** What a receiver answered, or why there was no answer. */
export type Answer = {
  /** Null where there was none. */
  readonly status: number | null;
  /** Null where nothing is wrong. */
  readonly problem: string | null;
  /** How long the receiver asks to be left alone. */
  readonly pauseMs?: number | undefined;
};

/** `gone`: nobody is there any more. `refused`: this one is not taken, others may be. */
export type Verdict = 'delivered' | 'retry' | 'gone' | 'refused';

/** What services for people answer to a message they will never take, however often it comes. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);
/** What push services answer once a browser has forgotten the subscription. */
const PUSH_GONE: ReadonlySet<number> = new Set([404, 410]);

/**
 * What an answer means. A webhook gets everything in order or nothing: only 410 ends it at once, as Standard Webhooks has it.
 * Pure.
 */
export function verdictOf(kind: ChannelKind, { status }: Answer): Verdict {
  if (status === null) return 'retry';
  // What SMTP refuses for good: the message or the mailbox.
  if (kind === 'email') return status >= 500 ? 'refused' : status < 400 ? 'delivered' : 'retry';
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410 || (kind === 'push' && PUSH_GONE.has(status))) return 'gone';
  if (kind !== 'webhook' && REFUSALS.has(status)) return 'refused';
  return 'retry';
}
