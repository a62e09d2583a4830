import type { Work } from '../../engine/platform/context.ts';
import {
  concerns,
  eventsAfter,
  latestEventSeq,
  type StreamedEvent,
} from '../../engine/platform/events/event-stream.ts';
import type { Live } from '../trpc.ts';

/** How often a quiet log is looked at unasked: what a lost notification costs. */
export const LOOK_MS = 2_000;

/**
 * One look at the log: what is new to readers of the mode, and the number it was read up to. `isGap` where some of what was
 * missed is not kept any more, so that the reader has to read everything anew.
 */
export type Look = { seq: number; events: readonly StreamedEvent[]; isGap: boolean };

/** Looks once after number `after`. */
export async function look(work: Work, after: number): Promise<Look> {
  const rows = await eventsAfter(work, after);
  if (rows === null) return { seq: await latestEventSeq(work), events: [], isGap: true };
  const events = rows.filter((event) => concerns(event, work.mode));
  return { seq: rows.at(-1)?.seq ?? after, events, isGap: false };
}

/** Looks again and again until `ended`: at once while there is more, else at the next news, or after two seconds. */
export async function* follow(
  { work, live }: { work: Work; live: Live },
  after: number,
  ended: AbortSignal,
): AsyncGenerator<Look, void> {
  let seq = after;
  while (!ended.aborted) {
    const before = seq;
    const looked = await look(work, seq);
    seq = looked.seq;
    yield looked;
    if (seq === before && !looked.isGap) await live.wake(work.accountId, LOOK_MS, ended);
  }
}
