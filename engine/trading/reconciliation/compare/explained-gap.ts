import { type Exact, ZERO } from '../../../platform/decimal.ts';

/** Range of the gap that known movements explain. */
export type GapRange = { readonly low: Exact; readonly high: Exact };
export const NO_GAP_RANGE: GapRange = { low: ZERO, high: ZERO };

/**
 * Explained ranges of a gap. `late`: by sent orders and booked fills that the venue does not list yet, until `lateUntil`.
 * `all`: also by fills of resting orders.
 */
export type ExplainedGap = {
  readonly late: GapRange;
  readonly all: GapRange;
  readonly lateUntil: Date | null;
};
export const NOTHING_EXPLAINED: ExplainedGap = { late: NO_GAP_RANGE, all: NO_GAP_RANGE, lateUntil: null };

/** Returns the part of a gap beyond a range, signed; zero within it. Pure. */
export function gapBeyondRange(gap: Exact, { low, high }: GapRange): Exact {
  if (gap.gt(high)) return gap.minus(high);
  return gap.lt(low) ? gap.minus(low) : ZERO;
}

/** Returns until when known orders explain a gap: resting orders until `patience`, delayed lists until `lateUntil`. Pure. */
export function gapExplainedUntil(
  gap: Exact,
  { late, lateUntil }: ExplainedGap,
  graceUntil: Date,
  dust: Exact,
): Date {
  const isLate = lateUntil !== null && lateUntil > graceUntil && gapBeyondRange(gap, late).abs().lt(dust);
  return isLate ? lateUntil : graceUntil;
}
