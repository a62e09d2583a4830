/** Amounts as a venue takes them: multiples of its step, not below its minimums. Graph, orders and paper venue ask here. Pure. */
import { type Exact, exact, floorTo } from '../decimal.ts';

/** Decimal strings. `minNotional` is the least price × amount, USD, where there is one. */
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

/** Which minimum an amount misses: none is left of it, or it is below the size or worth less than the notional. */
export type Shortfall =
  | { readonly of: 'step' }
  | { readonly of: 'size' }
  | { readonly of: 'notional'; readonly notional: Exact; readonly minNotional: Exact };

/** Which minimum of the venue this amount misses, or null. Without a price its worth is not asked. */
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
 * Whether what is held is too little for its venue to take back: below its step or least size, or below the least notional by what
 * it cost and by what it is worth at `price`, so that a price that fell makes no dust of a position. `isDustInSql` says the
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
