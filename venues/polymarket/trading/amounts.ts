/**
 * The two amounts of an order at venue B, in millionths of a share or of a dollar. Exact decimals: an order is a signed price,
 * and one digit too many is refused. Pure.
 */
import { Decimal } from 'decimal.js';
import type { TradedInstrument } from '../../broker.ts';
import { mayRest, type Side, type TimeInForce } from '../../vocabulary.ts';

export type Amounts = { readonly makerAmount: string; readonly takerAmount: string };
export type AmountsOrRefusal =
  | ({ readonly kind: 'amounts' } & Amounts)
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string };

export type AmountsInput = {
  readonly side: Side;
  readonly timeInForce: TimeInForce;
  readonly amount: string;
  readonly limitPrice: string;
};

/**
 * Decimals by tick: of a price, and of an amount that is a price times a size. Source: `resolveRoundingConfig` of
 * github.com/Polymarket/ts-sdk, `ROUNDING_CONFIG` of github.com/Polymarket/py-clob-client-v2.
 */
const DIGITS: Readonly<Record<string, { readonly price: number; readonly amount: number }>> = {
  '0.1': { price: 1, amount: 3 },
  '0.01': { price: 2, amount: 4 },
  '0.005': { price: 3, amount: 5 },
  '0.0025': { price: 4, amount: 6 },
  '0.001': { price: 3, amount: 5 },
  '0.0001': { price: 4, amount: 6 },
};

const SIZE_DIGITS = 2;
/** The most decimals of the shares in a taking order. */
const SHARES_DIGITS_MAX = 4;
const UNITS = 1_000_000;

const refused = (code: string, reason: string): AmountsOrRefusal => ({ kind: 'refused', code, reason });
const unitsOf = (amount: Decimal): string => amount.times(UNITS).toFixed(0);
const amountsOf = (maker: Decimal, taker: Decimal): AmountsOrRefusal => ({
  kind: 'amounts',
  makerAmount: unitsOf(maker),
  takerAmount: unitsOf(taker),
});

/** A buy offers money and requests shares, a sell the reverse. The order never reaches a tick beyond its limit. */
export function orderAmounts(input: AmountsInput, instrument: TradedInstrument): AmountsOrRefusal {
  const tick = new Decimal(instrument.tickSize);
  const digits = DIGITS[tick.toFixed()];
  if (digits === undefined)
    return refused('unknown_tick', `prices in steps of ${tick.toFixed()} are not known`);
  const size = new Decimal(input.amount);
  const price = new Decimal(input.limitPrice);
  const problem = problemOf(size, price, tick) ?? smallnessOf(input, size, price, instrument);
  if (problem !== null) return problem;
  const money = size.times(price);
  if (input.side === 'sell') return amountsOf(size, money);
  return mayRest(input.timeInForce) ? amountsOf(money, size) : takingBuy(money, price, tick, digits.amount);
}

function problemOf(size: Decimal, price: Decimal, tick: Decimal): AmountsOrRefusal | null {
  if (size.lessThanOrEqualTo(0) || size.decimalPlaces() > SIZE_DIGITS) {
    return refused(
      'invalid_amount',
      `an amount is above 0 and has at most two decimals, not ${size.toFixed()}`,
    );
  }
  const isOffGrid = !price.modulo(tick).isZero();
  if (isOffGrid || price.lessThan(tick) || price.greaterThan(new Decimal(1).minus(tick))) {
    return refused(
      'tick_changed',
      `the price ${price.toFixed()} is not on the grid of steps of ${tick.toFixed()}`,
    );
  }
  return null;
}

function smallnessOf(
  { side, timeInForce }: AmountsInput,
  size: Decimal,
  price: Decimal,
  { minSize, minNotional }: TradedInstrument,
): AmountsOrRefusal | null {
  if (mayRest(timeInForce) && size.lessThan(minSize)) {
    return refused('min_size', `a resting order needs at least ${minSize} shares`);
  }
  const spent = size.times(price).toDecimalPlaces(SIZE_DIGITS, Decimal.ROUND_DOWN);
  if (!mayRest(timeInForce) && side === 'buy' && spent.lessThan(minNotional ?? 0)) {
    return refused('min_notional', `a taking order needs at least ${minNotional} USD`);
  }
  return null;
}

/**
 * Bounded by whole cents. The venue matches at money per share exactly, so the shares are rounded down. Rounded up, the order
 * could not take offers at its limit. The tiny excess over the limit stays below the next tick, where another offer could rest.
 */
function takingBuy(money: Decimal, price: Decimal, tick: Decimal, amountDigits: number): AmountsOrRefusal {
  const spent = money.toDecimalPlaces(SIZE_DIGITS, Decimal.ROUND_DOWN);
  const digits = Math.min(SHARES_DIGITS_MAX, amountDigits);
  const shares = spent.dividedBy(price).toDecimalPlaces(digits, Decimal.ROUND_DOWN);
  if (shares.isZero() || spent.dividedBy(shares).minus(price).greaterThanOrEqualTo(tick))
    return refused(
      'too_coarse',
      `${money.toFixed()} USD cannot be rounded to cents and shares within a tick of the limit`,
    );
  return amountsOf(spent, shares);
}
