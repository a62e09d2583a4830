import { type Exact, ZERO } from '../../../platform/decimal.ts';

/** How far the venue may be from the books because of what is known to move: nothing else explains a gap. */
export type Range = { readonly low: Exact; readonly high: Exact };
export const NO_RANGE: Range = { low: ZERO, high: ZERO };

/**
 * `late`: by what is sent or booked and not shown yet, which ends by the clock, at `lateUntil`. `all`: by fills of resting orders as
 * well.
 */
export type Slack = { readonly late: Range; readonly all: Range; readonly lateUntil: Date | null };
export const NO_SLACK: Slack = { late: NO_RANGE, all: NO_RANGE, lateUntil: null };

/** The part of a gap that lies beyond a range, signed; zero within it. Pure. */
export function beyond(gap: Exact, { low, high }: Range): Exact {
  if (gap.gt(high)) return gap.minus(high);
  return gap.lt(low) ? gap.minus(low) : ZERO;
}

/** Until when known orders explain a gap: resting ones until `patience` ends, what is late on the lists until that has ended. Pure. */
export function explainedUntil(gap: Exact, { late, lateUntil }: Slack, patience: Date, dust: Exact): Date {
  const isLate = lateUntil !== null && lateUntil > patience && beyond(gap, late).abs().lt(dust);
  return isLate ? lateUntil : patience;
}
