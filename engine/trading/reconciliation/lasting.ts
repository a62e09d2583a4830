import { type Exact, exact } from '../../platform/decimal.ts';

/** A gap that orders of its first sight explain until then. The least of it that every look since has seen, signed. */
export type Waiting = { readonly gap: string; readonly until: string };

/** A gap while something moves: its whole, and until when what is known to move at this moment explains it. */
export type Moving = { readonly whole: Exact; readonly until: Date };

/** `stated`: the part that nothing explains. `waits`: at most one of each sign. */
export type Lasting = { readonly stated: Exact; readonly waits: readonly Waiting[] };

/** Below it a gap is what rounding leaves. */
const DUST = exact('0.01');

/**
 * Folds one more look at a gap. The stated part stays. A gap on top of it waits from its first sight, and is stated once its own
 * explanation has ended: orders sent later explain only later changes. A look without the gap forgets it. A look at one of the other
 * sign proves nothing of it. Pure.
 */
export function lastingAfter({ stated, waits }: Lasting, { whole, until }: Moving, now: Date): Lasting {
  const rest = whole.minus(stated);
  if (rest.abs().lt(DUST)) return { stated, waits: [] };
  const isSameSign = ({ gap }: Waiting) => exact(gap).isNegative() === rest.isNegative();
  const others = waits.filter((each) => !isSameSign(each));
  const before = waits.find(isSameSign);
  const fresh = (gap: Exact): Waiting => ({ gap: gap.toFixed(), until: until.toISOString() });
  if (before === undefined) return { stated, waits: [...others, fresh(rest)] };
  const seen = exact(before.gap);
  const least = seen.abs().lt(rest.abs()) ? seen : rest;
  if (now < new Date(before.until))
    return { stated, waits: [...others, { ...before, gap: least.toFixed() }] };
  const left = rest.minus(least);
  return { stated: stated.plus(least), waits: left.abs().lt(DUST) ? others : [...others, fresh(left)] };
}

/** Returns the stated part after a look that proves an excess: the greater of both, where they agree in their sign. */
export const statedAfter = (before: Exact, excess: Exact): Exact =>
  before.isNegative() === excess.isNegative() && before.abs().gt(excess.abs()) ? before : excess;
