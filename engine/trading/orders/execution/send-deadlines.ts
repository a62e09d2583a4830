import { ARRIVE_WITHIN_MS } from '../settings.ts';

/** Margin for differing clocks before absence at the venue counts. */
const CLOCK_MARGIN_MS = 5_000;

/**
 * Returns the latest arrival of an order that was marked as sent at `submittedAt`. Valid for a venue that enforces our
 * `validUntil`, like the paper venue.
 */
export const arrivesByOurClock = (submittedAt: Date): Date =>
  new Date(submittedAt.getTime() + ARRIVE_WITHIN_MS + CLOCK_MARGIN_MS);

/** Returns the time up to which a running sender would have its response at `now`. */
export const abandonedSince = (now: Date): Date =>
  new Date(now.getTime() - ARRIVE_WITHIN_MS - CLOCK_MARGIN_MS);
