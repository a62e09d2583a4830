import { Decimal } from 'decimal.js';

/** 60 significant digits: more than `numeric(38,12)` holds, so no product of ours is rounded before we round it. */
const Long = Decimal.clone({
  precision: 60,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 60,
});

/** What an exact decimal is made of: one, a decimal string, or a JSON number as sent. */
export type Numeric = Exact | Decimal | string | number;

/** Powers of ten that a double holds exactly, by exponent. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const PLACES_MAX = POWERS.length - 1;
/** More digits do not fit a safe integer. */
const DIGITS_MAX = 16;
const ZERO_CODE = 48;
const MINUS_CODE = 45;

const powerOf = (exponent: number): number => POWERS[exponent] as number;
const isSafe = (units: number): boolean =>
  units <= Number.MAX_SAFE_INTEGER && units >= -Number.MAX_SAFE_INTEGER;

/**
 * An exact decimal. Nearly all that is counted has few digits, and is a whole number of units of its last place: sums, products
 * and comparisons of such are those of safe integers. Whatever does not fit is worked out with 60 digits. A value has one form,
 * so that equal values are equal field by field.
 */
export class Exact {
  static readonly ROUND_UP = Decimal.ROUND_UP;
  static readonly ROUND_DOWN = Decimal.ROUND_DOWN;
  static readonly ROUND_CEIL = Decimal.ROUND_CEIL;
  static readonly ROUND_FLOOR = Decimal.ROUND_FLOOR;
  static readonly ROUND_HALF_UP = Decimal.ROUND_HALF_UP;
  static readonly ROUND_HALF_EVEN = Decimal.ROUND_HALF_EVEN;

  /** A safe integer that does not end in zero unless `places` is 0; not looked at where there is a `long`. */
  readonly units: number;
  readonly places: number;
  /** What does not fit `units`. */
  readonly long: Decimal | null;
  #text: string | null = null;

  private constructor(units: number, places: number, long: Decimal | null) {
    this.units = units;
    this.places = places;
    this.long = long;
  }

  static from(value: Numeric): Exact {
    if (value instanceof Exact) return value;
    if (typeof value === 'string') return Exact.#read(value);
    if (typeof value !== 'number') return Exact.#ofLong(new Long(value));
    return Number.isSafeInteger(value) ? new Exact(value + 0, 0, null) : Exact.#read(String(value));
  }

  static max(first: Numeric, ...others: readonly Numeric[]): Exact {
    let most = Exact.from(first);
    for (const other of others) if (most.lt(other)) most = Exact.from(other);
    return most;
  }

  static min(first: Numeric, ...others: readonly Numeric[]): Exact {
    let least = Exact.from(first);
    for (const other of others) if (least.gt(other)) least = Exact.from(other);
    return least;
  }

  /** Digits with at most one point between them are read here, zeros at the end left out, and all else by the library. */
  static #read(text: string): Exact {
    const first = text.charCodeAt(0) === MINUS_CODE ? 1 : 0;
    const point = text.indexOf('.');
    let end = text.length;
    if (point > first) {
      while (text.charCodeAt(end - 1) === ZERO_CODE) end--;
      if (end - 1 === point) end = point;
    }
    if (end === first || end - first > DIGITS_MAX) return Exact.#ofLong(new Long(text));
    let units = 0;
    for (let at = first; at < end; at++) {
      if (at === point && at > first) continue;
      const digit = text.charCodeAt(at) - ZERO_CODE;
      if (!(digit >= 0 && digit <= 9)) return Exact.#ofLong(new Long(text));
      units = units * 10 + digit;
    }
    if (!isSafe(units)) return Exact.#ofLong(new Long(text));
    return Exact.#of(first === 1 ? 0 - units : units, point < 0 ? 0 : Math.max(0, end - 1 - point));
  }

  /** Of a safe integer, whatever it ends in. */
  static #of(units: number, places: number): Exact {
    let [rest, left] = [units, places];
    while (left > 0) {
      const tenth = Math.trunc(rest / 10);
      if (tenth * 10 !== rest) break;
      rest = tenth;
      left--;
    }
    return new Exact(rest + 0, left, null);
  }

  static #ofLong(long: Decimal): Exact {
    const isShort = long.decimalPlaces() <= PLACES_MAX && long.precision(true) <= DIGITS_MAX;
    if (!isShort) return new Exact(Number.NaN, 0, long);
    const units = Number(long.toFixed().replace('.', ''));
    return isSafe(units) ? new Exact(units + 0, long.decimalPlaces(), null) : new Exact(Number.NaN, 0, long);
  }

  plus(value: Numeric): Exact {
    const other = Exact.from(value);
    const places = Math.max(this.places, other.places);
    const a = this.units * powerOf(places - this.places);
    const b = other.units * powerOf(places - other.places);
    if (isSafe(a) && isSafe(b) && isSafe(a + b)) return Exact.#of(a + b, places);
    return Exact.#ofLong(this.#long().plus(other.#long()));
  }

  minus(value: Numeric): Exact {
    const other = Exact.from(value);
    const places = Math.max(this.places, other.places);
    const a = this.units * powerOf(places - this.places);
    const b = other.units * powerOf(places - other.places);
    if (isSafe(a) && isSafe(b) && isSafe(a - b)) return Exact.#of(a - b, places);
    return Exact.#ofLong(this.#long().minus(other.#long()));
  }

  times(value: Numeric): Exact {
    const other = Exact.from(value);
    const units = this.units * other.units;
    const places = this.places + other.places;
    if (isSafe(units) && places <= PLACES_MAX) return Exact.#of(units, places);
    return Exact.#ofLong(this.#long().times(other.#long()));
  }

  /** Of what does not end after 60 digits, those. */
  div(value: Numeric): Exact {
    const other = Exact.from(value);
    const quotient = this.units / other.units;
    const places = this.places - other.places;
    if (Number.isSafeInteger(quotient) && quotient * other.units === this.units) {
      if (places >= 0) return Exact.#of(quotient, places);
      const units = quotient * powerOf(-places);
      if (isSafe(units)) return Exact.#of(units, 0);
    }
    return Exact.#ofLong(this.#long().div(other.#long()));
  }

  /** What is left of dividing by another towards zero. */
  mod(value: Numeric): Exact {
    return Exact.#ofLong(this.#long().mod(Exact.from(value).#long()));
  }

  pow(exponent: number): Exact {
    return Exact.#ofLong(this.#long().pow(exponent));
  }

  sqrt(): Exact {
    return Exact.#ofLong(this.#long().sqrt());
  }

  negated(): Exact {
    return this.long === null
      ? new Exact(0 - this.units, this.places, null)
      : Exact.#ofLong(this.long.negated());
  }

  abs(): Exact {
    return this.isNegative() ? this.negated() : this;
  }

  floor(): Exact {
    if (this.long !== null) return Exact.#ofLong(this.long.floor());
    return this.places === 0 ? this : new Exact(Math.floor(this.units / powerOf(this.places)) + 0, 0, null);
  }

  ceil(): Exact {
    return this.long === null ? this.negated().floor().negated() : Exact.#ofLong(this.long.ceil());
  }

  /** Rounded to so many digits, whichever place they are in. */
  toSignificantDigits(digits: number): Exact {
    if (this.long === null && Math.abs(this.units) < powerOf(digits)) return this;
    return Exact.#ofLong(this.#long().toSignificantDigits(digits));
  }

  toDecimalPlaces(places: number, rounding: Decimal.Rounding = Decimal.ROUND_HALF_EVEN): Exact {
    if (this.long === null && this.places <= places) return this;
    return Exact.#ofLong(this.#long().toDecimalPlaces(places, rounding));
  }

  /** Below, at or above another: -1, 0, 1; NaN where either is. */
  cmp(value: Numeric): number {
    const other = Exact.from(value);
    if (this.long !== null || other.long !== null) return this.#long().cmp(other.#long());
    // The one that is scaled may be rounded where it is beyond all safe integers, and so beyond the other.
    const places = Math.max(this.places, other.places);
    const a = this.units * powerOf(places - this.places);
    const b = other.units * powerOf(places - other.places);
    return a < b ? -1 : Number(a > b);
  }

  eq(value: Numeric): boolean {
    return this.cmp(value) === 0;
  }

  gt(value: Numeric): boolean {
    return this.cmp(value) > 0;
  }

  gte(value: Numeric): boolean {
    return this.cmp(value) >= 0;
  }

  lt(value: Numeric): boolean {
    return this.cmp(value) < 0;
  }

  lte(value: Numeric): boolean {
    return this.cmp(value) <= 0;
  }

  isZero(): boolean {
    return this.units === 0;
  }

  isNegative(): boolean {
    return this.long === null ? this.units < 0 : this.long.isNegative();
  }

  isInteger(): boolean {
    return this.long === null ? this.places === 0 : this.long.isInteger();
  }

  isFinite(): boolean {
    return this.long?.isFinite() ?? true;
  }

  isNaN(): boolean {
    return this.long?.isNaN() ?? false;
  }

  /** How many digits it has. */
  precision(): number {
    return this.#long().precision();
  }

  decimalPlaces(): number {
    return this.long?.decimalPlaces() ?? this.places;
  }

  /** The double that is nearest. */
  toNumber(): number {
    return this.long?.toNumber() ?? this.units / powerOf(this.places);
  }

  /** Without an exponent; with all its digits where no places are asked for. */
  toFixed(places?: number, rounding: Decimal.Rounding = Decimal.ROUND_HALF_EVEN): string {
    if (places !== undefined) return this.#long().toFixed(places, rounding);
    this.#text ??= this.long?.toFixed() ?? textOf(this.units, this.places);
    return this.#text;
  }

  toString(): string {
    return this.long?.toString() ?? this.toFixed();
  }

  toJSON(): string {
    return this.toString();
  }

  #long(): Decimal {
    return this.long ?? new Long(this.toFixed());
  }
}

function textOf(units: number, places: number): string {
  if (places === 0) return String(units);
  const digits = String(Math.abs(units)).padStart(places + 1, '0');
  const point = digits.length - places;
  return `${units < 0 ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** An exact decimal from a decimal string or a JSON number as sent. */
export const exact = (value: Numeric): Exact => Exact.from(value);

export const ZERO: Exact = exact(0);

/** Places money is kept to in the database. */
export const MONEY_PLACES = 12;

/** The sum, nothing rounded; zero of none. */
export const sumOf = (values: readonly Numeric[]): Exact =>
  values.reduce((total: Exact, value) => total.plus(value), ZERO);

/** Rounded half-even to the 12 places the database keeps. */
export const toMoney = (value: Exact): Exact => value.toDecimalPlaces(MONEY_PLACES);

/** The largest multiple of `step` that is not above `value`. */
export const floorTo = (value: Exact, step: Exact): Exact =>
  step.isZero() ? value : value.div(step).floor().times(step);

/** The smallest multiple of `step` that is not below `value`. */
export const ceilTo = (value: Exact, step: Exact): Exact =>
  step.isZero() ? value : value.div(step).ceil().times(step);
