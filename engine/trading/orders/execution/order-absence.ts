import type { AbsenceProof } from '../../../../venues/broker.ts';

/** Evidence of an order's absence: the number of polls in a row without it, and the time of the last one's data. */
export type OrderAbsences = { count: number; asOf: Date | null };

/**
 * Counts one more poll without the order, with the venue's data as of `asOf`. A poll proves nothing if the order could arrive
 * after it. A poll too soon after the last adds nothing. If the venue's clock went back, the count restarts. Returns
 * `before` itself if nothing changes. Pure.
 */
export function countAbsentPoll(
  before: OrderAbsences,
  { asOf, arrivesBy }: { asOf: Date; arrivesBy: Date },
  { apartMs }: AbsenceProof,
): OrderAbsences {
  if (asOf <= arrivesBy) return before.count === 0 ? before : { count: 0, asOf: null };
  const sinceLastMs = before.asOf === null ? apartMs : asOf.getTime() - before.asOf.getTime();
  if (sinceLastMs < -apartMs) return { count: 1, asOf };
  if (sinceLastMs < apartMs) return before;
  return { count: before.count + 1, asOf };
}

/** Duration of polls every second after the first countable one: the venue's reads may lag, and polls may fail. */
const HURRY_MS = 30_000;
const HURRY_EVERY_MS = 1_000;
/** Added to a wait, for clocks that report whole seconds. */
const MARGIN_MS = 250;

/**
 * Returns when to poll an unknown order again, so that its absence is proven as early as possible. Returns null if another poll
 * adds nothing for now. Pure.
 */
export function pollWithinMs(
  { asOf }: OrderAbsences,
  { now, arrivesBy }: { now: Date; arrivesBy: Date },
  { apartMs }: AbsenceProof,
): number | null {
  const countsFromMs = asOf === null ? arrivesBy.getTime() : asOf.getTime() + apartMs;
  const waitMs = countsFromMs - now.getTime();
  if (waitMs > 0) return waitMs + MARGIN_MS;
  return waitMs > -HURRY_MS ? HURRY_EVERY_MS : null;
}
