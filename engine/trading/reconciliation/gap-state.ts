import { type Exact, exact } from '../../platform/decimal.ts';

/** A gap that orders open at its detection explain until then. `gap` is the smallest value of all checks since, signed. */
export type WaitingGap = { readonly gap: string; readonly until: string };

/** A gap while orders move it: its whole size, and until when the orders known now explain it. */
export type MovingGap = { readonly whole: Exact; readonly until: Date };

/** State of a gap over several checks. `stated`: the unexplained part. `waits`: at most one of each sign. */
export type GapState = { readonly stated: Exact; readonly waits: readonly WaitingGap[] };

/** A gap below this is a rounding remainder. */
const DUST = exact('0.01');

/**
 * Adds one more check of a gap. The stated part stays. A gap on top of it waits from its detection, and is stated once its own
 * explanation has ended: orders sent later explain only later changes. A check without the gap clears it. A check with a gap of
 * the other sign is no evidence about it. Pure.
 */
export function gapStateAfter({ stated, waits }: GapState, { whole, until }: MovingGap, now: Date): GapState {
  const rest = whole.minus(stated);
  if (rest.abs().lt(DUST)) return { stated, waits: [] };
  const isSameSign = ({ gap }: WaitingGap) => exact(gap).isNegative() === rest.isNegative();
  const others = waits.filter((each) => !isSameSign(each));
  const before = waits.find(isSameSign);
  const fresh = (gap: Exact): WaitingGap => ({ gap: gap.toFixed(), until: until.toISOString() });
  if (before === undefined) return { stated, waits: [...others, fresh(rest)] };
  const seen = exact(before.gap);
  const least = seen.abs().lt(rest.abs()) ? seen : rest;
  if (now < new Date(before.until))
    return { stated, waits: [...others, { ...before, gap: least.toFixed() }] };
  const left = rest.minus(least);
  return { stated: stated.plus(least), waits: left.abs().lt(DUST) ? others : [...others, fresh(left)] };
}

/** Returns the stated part after a check that proves an excess: the greater of both if they have the same sign. */
export const statedAfter = (before: Exact, excess: Exact): Exact =>
  before.isNegative() === excess.isNegative() && before.abs().gt(excess.abs()) ? before : excess;
