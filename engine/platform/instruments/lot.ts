/**
 * Amounts as a venue accepts them: multiples of its step, not below its minimums. Used by graph, orders and paper venue. Pure.
 */
import { type Exact, exact, floorTo } from '../decimal.ts';

/** Decimal strings. `minNotional` is the least price × amount, USD, if there is one. */
export type Lot = {
  readonly stepSize: string;
  readonly minSize: string;
  readonly minNotional: string | null;
};

/** The lot stored with an instrument. */
export const lotOf = (stored: { step_size: string; min_size: string; min_notional: string }): Lot => ({
  stepSize: stored.step_size,
  minSize: stored.min_size,
  minNotional: stored.min_notional,
});

/** The largest multiple of the step that is not above `amount`. */
export const toStep = (amount: Exact, { stepSize }: Pick<Lot, 'stepSize'>): Exact =>
  floorTo(amount, exact(stepSize));

export const isOnStep = (amount: Exact, lot: Pick<Lot, 'stepSize'>): boolean =>
  toStep(amount, lot).eq(amount);

/** The minimum that an amount misses: it rounds to none, or is below the size, or worth less than the notional. */
export type Shortfall =
  | { readonly of: 'step' }
  | { readonly of: 'size' }
  | { readonly of: 'notional'; readonly notional: Exact; readonly minNotional: Exact };

/** Returns the minimum of the venue that an amount misses, or null. Without a price its value is not checked. */
export function shortfallOf(
  amount: Exact,
  price: Exact | null,
  { minSize, minNotional }: Pick<Lot, 'minSize' | 'minNotional'>,
): Shortfall | null {
  if (!amount.gt(0)) return { of: 'step' };
  if (amount.lt(exact(minSize))) return { of: 'size' };
  if (price === null || minNotional === null) return null;
  const notional = amount.times(price);
  const least = exact(minNotional);
  return notional.lt(least) ? { of: 'notional', notional, minNotional: least } : null;
}

/**
 * Whether a holding is too small for its venue to take back: below its step or least size, or below the least notional. The
 * notional is missed only if cost and value at `price` are both below it: a falling price makes no dust. `isDustInSql` says the
 * same. Pure.
 */
export function isDust(
  { amount, cost }: { readonly amount: Exact; readonly cost: Exact },
  price: Exact | null,
  { stepSize, minSize, minNotional }: Lot,
): boolean {
  if (!amount.gt(0)) return false;
  if (amount.lt(stepSize) || amount.lt(minSize)) return true;
  return minNotional !== null && cost.lt(minNotional) && amount.times(price ?? 0).lt(minNotional);
}
