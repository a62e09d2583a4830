/**
 * The cost of a fill (docs.kalshi.com, "Fee Rounding", 2026-08). First a trade fee, rounded up to the next $0.0001. Then a
 * rounding fee that brings the balance back to its precision. A cent comes back once an order's rounding fees add up to more
 * than one.
 */
import { Decimal } from 'decimal.js';

const CENT = new Decimal('0.01');
const TRADE_FEE_DECIMALS = 4;

export type FeeTerms = {
  /** 0.07 × the series' multiplier for takers; a quarter of it, or nothing, for makers. */
  readonly rate: Decimal;
  /** Balances are multiples of it: $0.0001 for direct members, $0.01 for others. */
  readonly precision: Decimal;
};

export type FilledPart = {
  readonly price: Decimal;
  readonly amount: Decimal;
  /** The amount that the trade itself pays the account; negative for a purchase. */
  readonly revenue: Decimal;
};

export type Charge = {
  readonly fee: Decimal;
  /** The sum of the order's rounding fees, less refunds. */
  readonly accumulated: Decimal;
};

export function chargeOf(
  { price, amount, revenue }: FilledPart,
  terms: FeeTerms,
  accumulated: Decimal,
): Charge {
  const exact = terms.rate.times(amount).times(price).times(new Decimal(1).minus(price));
  const tradeFee = exact.toDecimalPlaces(TRADE_FEE_DECIMALS, Decimal.ROUND_UP);
  const change = revenue.minus(tradeFee);
  const rounding = change.minus(change.dividedBy(terms.precision).floor().times(terms.precision));
  const sum = accumulated.plus(rounding);
  const rebate = sum.greaterThan(CENT) ? CENT : new Decimal(0);
  return { fee: tradeFee.plus(rounding).minus(rebate), accumulated: sum.minus(rebate) };
}
