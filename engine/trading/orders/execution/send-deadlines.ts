import { ARRIVE_WITHIN_MS } from '../settings.ts';

/** Time given to clocks that differ, before absence at the venue is believed. */
const CLOCK_MARGIN_MS = 5_000;

/**
 * After this moment an order that was marked as sent at `submittedAt` cannot arrive any more, where the venue keeps to our
 * `validUntil`, as the paper venue does.
 */
export const arrivesByOurClock = (submittedAt: Date): Date =>
  new Date(submittedAt.getTime() + ARRIVE_WITHIN_MS + CLOCK_MARGIN_MS);

/** Whoever marked an order as sent at this moment or before would have its answer at `now`. */
export const abandonedSince = (now: Date): Date =>
  new Date(now.getTime() - ARRIVE_WITHIN_MS - CLOCK_MARGIN_MS);
