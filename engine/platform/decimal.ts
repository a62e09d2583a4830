import { Decimal } from 'decimal.js';

/** 60 significant digits: more than `numeric(38,12)` holds, so that no product is rounded before we round it. */
const Exact = Decimal.clone({
  precision: 60,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 60,
});
export type Exact = Decimal;

/** Recently parsed texts: limits, steps, rates and holdings repeat, and parsing is expensive. */
let read = new Map<string, Decimal>();
let readBefore = read;
const READ_MAX = 512;

/** Parses an exact decimal from a decimal string or a JSON number as sent. */
export function exact(value: Decimal.Value): Decimal {
  if (value instanceof Exact) return value;
  if (typeof value !== 'string') return new Exact(value);
  const known = read.get(value);
  if (known !== undefined) return known;
  // Cached with two generations: a value that is read again moves to the newer one, others are dropped.
  const decimal = readBefore.get(value) ?? new Exact(value);
  if (read.size >= READ_MAX) {
    readBefore = read;
    read = new Map();
  }
  read.set(value, decimal);
  return decimal;
}

export const ZERO: Decimal = exact(0);

/** Decimal places of money in the database. */
export const MONEY_PLACES = 12;

/** Returns the sum without rounding; zero for an empty list. */
export const sumOf = (values: readonly Decimal.Value[]): Decimal =>
  values.reduce((total: Decimal, value) => total.plus(value), ZERO);

/** Rounds half-even to the 12 places of the database. */
export const toMoney = (value: Decimal): Decimal =>
  value.toDecimalPlaces(MONEY_PLACES, Decimal.ROUND_HALF_EVEN);

/** The largest multiple of `step` that is not above `value`. */
export const floorTo = (value: Decimal, step: Decimal): Decimal =>
  step.isZero() ? value : value.div(step).floor().times(step);

/** The smallest multiple of `step` that is not below `value`. */
export const ceilTo = (value: Decimal, step: Decimal): Decimal =>
  step.isZero() ? value : value.div(step).ceil().times(step);

export { Decimal };
