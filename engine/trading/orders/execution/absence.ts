import type { AbsenceProof } from '../../../../venues/broker.ts';

/** What was found of an order's absence so far: how many looks in a row, the last of them of what moment. */
export type Absences = { count: number; asOf: Date | null };

/**
 * The absences after one more look, which saw what the venue knew at `asOf`. One that the order could still have arrived
 * after proves nothing, and one too soon after the last adds nothing to it. Where the venue's clock went back, looks are
 * counted anew from there. A look that changes nothing answers `before` itself. Pure.
 */
export function withAbsence(
  before: Absences,
  { asOf, arrivesBy }: { asOf: Date; arrivesBy: Date },
  { apartMs }: AbsenceProof,
): Absences {
  if (asOf <= arrivesBy) return before.count === 0 ? before : { count: 0, asOf: null };
  const sinceLastMs = before.asOf === null ? apartMs : asOf.getTime() - before.asOf.getTime();
  if (sinceLastMs < -apartMs) return { count: 1, asOf };
  if (sinceLastMs < apartMs) return before;
  return { count: before.count + 1, asOf };
}

/** After a look could first count, the venue's reads may lag and looks may fail: so long they are a second apart. */
const HURRY_MS = 30_000;
const HURRY_EVERY_MS = 1_000;
/** Beyond the moment itself, for clocks that tell whole seconds. */
const MARGIN_MS = 250;

/**
 * The longest that an order of no known fate may be left alone, so that its absence is proven as soon as it can be; null where
 * another look adds nothing for now. Pure.
 */
export function lookWithinMs(
  { asOf }: Absences,
  { now, arrivesBy }: { now: Date; arrivesBy: Date },
  { apartMs }: AbsenceProof,
): number | null {
  const countsFromMs = asOf === null ? arrivesBy.getTime() : asOf.getTime() + apartMs;
  const waitMs = countsFromMs - now.getTime();
  if (waitMs > 0) return waitMs + MARGIN_MS;
  return waitMs > -HURRY_MS ? HURRY_EVERY_MS : null;
}
