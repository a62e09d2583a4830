import type { Work } from '../../engine/platform/context.ts';
import {
  eventsAfter,
  isVisibleIn,
  latestEventSeq,
  type StreamedEvent,
} from '../../engine/platform/events/event-stream.ts';
import type { EventWaker } from '../context.ts';

/** How often a quiet log is polled without a wake-up: the most that a lost notification delays. */
export const POLL_MS = 2_000;

/**
 * One read of the log: the new events for readers of the mode, and the number it was read up to. `isGap`: some of the missed
 * events are no longer stored, so that the reader has to read everything again.
 */
export type EventBatch = { seq: number; events: readonly StreamedEvent[]; isGap: boolean };

/** Reads once the events after number `after`. */
export async function readBatch(work: Work, after: number): Promise<EventBatch> {
  const rows = await eventsAfter(work, after);
  if (rows === null) return { seq: await latestEventSeq(work), events: [], isGap: true };
  const events = rows.filter((event) => isVisibleIn(event, work.mode));
  return { seq: rows.at(-1)?.seq ?? after, events, isGap: false };
}

/** Reads repeatedly until `ended`: at once while there is more, otherwise at the next wake-up, or after two seconds. */
export async function* followEvents(
  { work, live }: { work: Work; live: EventWaker },
  after: number,
  ended: AbortSignal,
): AsyncGenerator<EventBatch, void> {
  let seq = after;
  while (!ended.aborted) {
    const before = seq;
    const batch = await readBatch(work, seq);
    seq = batch.seq;
    yield batch;
    if (seq === before && !batch.isGap) await live.wake(work.accountId, POLL_MS, ended);
  }
}
