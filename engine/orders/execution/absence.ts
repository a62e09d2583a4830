import type { AbsenceProof } from '../../../venues/broker.ts';

/** What was found of an order's absence so far: how many looks in a row, the last of them of what moment. */
export type Absences = { count: number; asOf: Date | null };

/**
 * The absences after one more look, which saw what the venue knew at `asOf`. One that the order could still have arrived
 * after proves nothing, and one too soon after the last adds nothing to it. Where the venue's clock went back, looks are
 * counted anew from there. Pure.
 */
export function withAbsence(
  before: Absences,
  { asOf, arrivesBy }: { asOf: Date; arrivesBy: Date },
  { apartMs }: AbsenceProof,
): Absences {
  if (asOf <= arrivesBy) return { count: 0, asOf: null };
  const sinceLastMs = before.asOf === null ? apartMs : asOf.getTime() - before.asOf.getTime();
  if (sinceLastMs < -apartMs) return { count: 1, asOf };
  if (sinceLastMs < apartMs) return before;
  return { count: before.count + 1, asOf };
}
