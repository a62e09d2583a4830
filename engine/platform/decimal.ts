import { Decimal } from 'decimal.js';
import { type BigUnits, formatBig, isKept, parseBig, scaled, trimmed } from './decimal/big-units.ts';
import {
  formatUnits,
  isMultiple,
  isRoundedAway,
  PLACES_MAX,
  POWERS,
  UNITS_MAX,
} from './decimal/safe-units.ts';

/** 60 significant digits: more than `numeric(38,12)` holds, so that no product is rounded before we round it. */
const Long = Decimal.clone({
  precision: 60,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 60,
});

/** A value from which {@link exact} makes a decimal. */
export type DecimalInput = Exact | string | number;

/** Places of numbers that are converted without their text: those of most prices. */
const QUICK_PLACES = 4;
const QUICK = 1e4;
const QUICK_MAX = 1e15;
/** Texts with more characters are left to the library. */
const TEXT_MAX = 40;
/** Values with a larger exponent stay with the library: their digits could fill the memory. */
const EXPONENT_MAX = 100;
const [MINUS, POINT, DIGIT_0, DIGIT_9] = [45, 46, 48, 57];

/**
 * An exact decimal, immutable. Almost all values are a safe integer of units, a negative power of ten. Doubles hold and add
 * such units without error. Units beyond the safe integers are bigints. Results with more than 60 digits come from decimal.js,
 * as do other quotients and powers. A value has one form only: the first of these that holds it, without trailing zeros.
 */
export class Exact {
  /** The value times ten to the power of `places`; NaN for a long value. */
  private readonly units: number;
  private readonly places: number;
  /** A long value: its units, or itself if it has more digits than units may have, or is no finite number. */
  private readonly long: bigint | Decimal | null;

  /** Called by this module only: use {@link exact}. */
  constructor(units: number, places: number, long: bigint | Decimal | null) {
    this.units = units;
    this.places = places;
    this.long = long;
  }

  /** Parses a plain decimal; null if it has an exponent, is no number, or is long. */
  static parse(text: string): Exact | null {
    const { length } = text;
    if (length > TEXT_MAX) return null;
    const isNegative = text.charCodeAt(0) === MINUS;
    // One by one, here and below: code that is not hot yet makes an array and an iterator of a list.
    let units = 0;
    let places = 0;
    let zeros = 0;
    let point = -1;
    let index = isNegative ? 1 : 0;
    if (index === length) return null;
    for (; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code === POINT) {
        if (point >= 0 || index + 1 === length || index === (isNegative ? 1 : 0)) return null;
        point = index;
      } else if (code < DIGIT_0 || code > DIGIT_9) return null;
      else if (point < 0) units = units * 10 + (code - DIGIT_0);
      else if (code === DIGIT_0) zeros++;
      else {
        places += zeros + 1;
        if (places > PLACES_MAX) return null;
        units = units * (POWERS[zeros + 1] as number) + (code - DIGIT_0);
        zeros = 0;
      }
      if (units > UNITS_MAX) return null;
    }
    return new Exact(isNegative ? -units : units, places, null);
  }

  /** Returns the decimal of a double without its text; null if it has more than four places or fifteen digits. */
  static fromNumber(value: number): Exact | null {
    if (Number.isSafeInteger(value)) return new Exact(value, 0, null);
    const units = Math.round(value * QUICK);
    // Doubles of decimals with up to fifteen digits differ, so that it is the shortest decimal of this double.
    const isDecimal = units / QUICK === value && units < QUICK_MAX && units > -QUICK_MAX;
    return isDecimal ? Exact.short(units, QUICK_PLACES) : null;
  }

  /** Wraps a result of the library. */
  static of(long: Decimal): Exact {
    if (long.isZero()) return new Exact(long.isNegative() ? -0 : 0, 0, null);
    const isWritable = long.d !== null && Math.abs(long.e) <= EXPONENT_MAX;
    const text = isWritable ? long.toFixed() : '';
    return Exact.parse(text) ?? Exact.big(parseBig(text)) ?? new Exact(Number.NaN, 0, long);
  }

  /** Returns the value in its one form; null if it has more digits than are kept. */
  static big(parsed: BigUnits | null): Exact | null {
    if (parsed === null) return null;
    const { units, places } = trimmed(parsed.units, parsed.places);
    const isSafe = units <= UNITS_MAX && units >= -UNITS_MAX && places <= PLACES_MAX;
    if (isSafe) return new Exact(Number(units), places, null);
    return isKept(units, places) ? new Exact(Number.NaN, places, units) : null;
  }

  /** Returns the value with safe units; null if they are not safe. */
  private static short(units: number, places: number): Exact | null {
    if (!(units <= UNITS_MAX && units >= -UNITS_MAX)) return null;
    if (units === 0) return new Exact(units, 0, null);
    let whole = units;
    let left = places;
    while (left > 0 && isMultiple(whole, 10)) {
      whole /= 10;
      left--;
    }
    return left > PLACES_MAX ? null : new Exact(whole, left, null);
  }

  static min(...values: readonly DecimalInput[]): Exact {
    return mostBeyond(values, -1);
  }

  static max(...values: readonly DecimalInput[]): Exact {
    return mostBeyond(values, 1);
  }

  /** Whether this, not `other`, is the highest of both (sign 1) or the lowest (sign −1). No number is beyond all others. */
  isBeyond(other: Exact, sign: 1 | -1): boolean {
    const order = this.cmp(other) * sign;
    if (Number.isNaN(order)) return isLibrary(this.long) && this.long.isNaN();
    return order > 0 || (order === 0 && this.isNegative() === sign < 0);
  }

  plus(value: DecimalInput): Exact {
    const other = exact(value);
    return (
      this.sum(other.units, other) ??
      Exact.big(this.bigUnitsPlus(other, 1n)) ??
      Exact.of(this.toLibrary().plus(other.toLibrary()))
    );
  }

  minus(value: DecimalInput): Exact {
    const other = exact(value);
    return (
      this.sum(-other.units, other) ??
      Exact.big(this.bigUnitsPlus(other, -1n)) ??
      Exact.of(this.toLibrary().minus(other.toLibrary()))
    );
  }

  /** Adds units of the places of `other`; null if it may leave the safe integers, or one value is long. */
  private sum(units: number, { places }: Exact): Exact | null {
    if (this.places === places) return Exact.short(this.units + units, places);
    const isFiner = this.places > places;
    const shift = POWERS[isFiner ? this.places - places : places - this.places] as number;
    const scaled = (isFiner ? units : this.units) * shift;
    // A product that is not above the safe integers as a double is exact. So is a sum of two of them.
    if (!(scaled <= UNITS_MAX && scaled >= -UNITS_MAX)) return null;
    return isFiner ? Exact.short(this.units + scaled, this.places) : Exact.short(scaled + units, places);
  }

  /** Adds the units of `other`, times `sign`, as bigints; null if the library has to. */
  private bigUnitsPlus(other: Exact, sign: 1n | -1n): BigUnits | null {
    const [a, b] = [this.bigUnits(), other.bigUnits()];
    if (a === null || b === null) return null;
    const places = Math.max(this.places, other.places);
    return { units: scaled(a, places - this.places) + sign * scaled(b, places - other.places), places };
  }

  private bigProduct(other: Exact): Exact | null {
    const [a, b] = [this.bigUnits(), other.bigUnits()];
    // The sign of zero is left to the library.
    if (a === null || b === null || a === 0n || b === 0n) return null;
    return Exact.big({ units: a * b, places: this.places + other.places });
  }

  private bigUnits(): bigint | null {
    if (this.long === null) return BigInt(this.units);
    return typeof this.long === 'bigint' ? this.long : null;
  }

  times(value: DecimalInput): Exact {
    const other = exact(value);
    return (
      Exact.short(this.units * other.units, this.places + other.places) ??
      this.bigProduct(other) ??
      Exact.of(this.toLibrary().times(other.toLibrary()))
    );
  }

  div(value: DecimalInput): Exact {
    const other = exact(value);
    return this.quotient(other) ?? Exact.of(this.toLibrary().div(other.toLibrary()));
  }

  /** Returns the quotient if it ends within the safe units, else null. */
  private quotient(other: Exact): Exact | null {
    const { units } = other;
    if (units === 0 || this.long !== null || other.long !== null) return null;
    if (this.units === 0) return new Exact(this.units / units, 0, null);
    let scaled = this.units;
    let places = this.places - other.places;
    if (isMultiple(scaled, units) && places >= 0) return Exact.short(scaled / units, places);
    while (scaled <= UNITS_MAX / 10 && scaled >= -UNITS_MAX / 10) {
      scaled *= 10;
      places++;
    }
    return isMultiple(scaled, units) && places >= 0 ? Exact.short(scaled / units, places) : null;
  }

  negated(): Exact {
    if (this.long === null) return new Exact(-this.units, this.places, null);
    if (typeof this.long === 'bigint') return new Exact(Number.NaN, this.places, -this.long);
    return Exact.of(this.long.negated());
  }

  abs(): Exact {
    return this.isNegative() ? this.negated() : this;
  }

  pow(exponent: number): Exact {
    return exponent === 1 ? this : Exact.of(this.toLibrary().pow(exponent));
  }

  /** Returns a number below, at or above 0 if this is below, equal to or above the value; NaN if one is none. */
  cmp(value: DecimalInput): number {
    const other = exact(value);
    if (this.long !== null || other.long !== null) return this.bigCmp(other);
    if (this.places === other.places) return this.units - other.units;
    // Units scaled beyond the safe integers are too large to be rounded across the other's: the sign is right.
    return this.places > other.places
      ? this.units - other.units * (POWERS[this.places - other.places] as number)
      : this.units * (POWERS[other.places - this.places] as number) - other.units;
  }

  private bigCmp(other: Exact): number {
    const difference = this.bigUnitsPlus(other, -1n);
    return difference === null ? this.toLibrary().cmp(other.toLibrary()) : Number(difference.units);
  }

  eq(value: DecimalInput): boolean {
    return this.cmp(value) === 0;
  }

  gt(value: DecimalInput): boolean {
    return this.cmp(value) > 0;
  }

  gte(value: DecimalInput): boolean {
    return this.cmp(value) >= 0;
  }

  lt(value: DecimalInput): boolean {
    return this.cmp(value) < 0;
  }

  lte(value: DecimalInput): boolean {
    return this.cmp(value) <= 0;
  }

  isZero(): boolean {
    return this.units === 0;
  }

  /** Also of −0, which {@link negated} makes of zero. */
  isNegative(): boolean {
    if (this.long === null) return this.units < 0 || Object.is(this.units, -0);
    return typeof this.long === 'bigint' ? this.long < 0n : this.long.isNegative();
  }

  isFinite(): boolean {
    return !isLibrary(this.long) || this.long.isFinite();
  }

  isInteger(): boolean {
    return isLibrary(this.long) ? this.long.isInteger() : this.places === 0;
  }

  decimalPlaces(): number {
    return isLibrary(this.long) ? this.long.decimalPlaces() : this.places;
  }

  /** Returns the number of significant digits. */
  precision(): number {
    return this.toLibrary().precision();
  }

  floor(): Exact {
    return this.rounded(0, Decimal.ROUND_FLOOR);
  }

  ceil(): Exact {
    return this.rounded(0, Decimal.ROUND_CEIL);
  }

  /** Rounds half-even. */
  toDecimalPlaces(places: number): Exact {
    return this.rounded(places, Decimal.ROUND_HALF_EVEN);
  }

  /** Rounds away from zero. */
  toDecimalPlacesUp(places: number): Exact {
    return this.rounded(places, Decimal.ROUND_UP);
  }

  toSignificantDigits(digits: number): Exact {
    const isShort = this.units < (POWERS[digits] ?? 0) && -this.units < (POWERS[digits] ?? 0);
    return isShort ? this : Exact.of(this.toLibrary().toSignificantDigits(digits));
  }

  private rounded(places: number, mode: Decimal.Rounding): Exact {
    if (this.places <= places && !isLibrary(this.long)) return this;
    if (this.long !== null) return Exact.of(this.toLibrary().toDecimalPlaces(places, mode));
    const { units } = this;
    const unit = POWERS[this.places - places] as number;
    const rest = units % unit;
    // Exact: the remainder is, and what is left is a multiple of the unit.
    const whole = (units - rest) / unit;
    const isAway = isRoundedAway(mode, rest, unit, whole);
    const rounded = isAway ? whole + Math.sign(units) : whole;
    return Exact.short(rounded === 0 && units < 0 ? -0 : rounded, places) as Exact;
  }

  /** Formats without an exponent; half-even to a number of places, or with all of its digits. */
  toFixed(places?: number): string {
    if (isLibrary(this.long)) return this.long.toFixed(places);
    const text = this.digits();
    if (places === undefined) return text;
    if (this.places > places) return this.toLibrary().toFixed(places);
    if (places === 0) return text;
    return `${this.places === 0 ? `${text}.` : text}${'0'.repeat(places - this.places)}`;
  }

  private digits(): string {
    const { units, places, long } = this;
    return typeof long === 'bigint' ? formatBig(long, places) : formatUnits(units, places);
  }

  toString(): string {
    if (this.long === null) return this.digits();
    return this.toLibrary().toString();
  }

  toJSON(): string {
    return Object.is(this.units, -0) ? '-0' : this.toString();
  }

  /** Returns the nearest double. */
  toNumber(): number {
    // One division of two exact doubles is rounded once.
    if (this.long === null) return this.units / (POWERS[this.places] as number);
    return isLibrary(this.long) ? this.long.toNumber() : Number(this.digits());
  }

  private toLibrary(): Decimal {
    if (isLibrary(this.long)) return this.long;
    return new Long(Object.is(this.units, -0) ? '-0' : this.digits());
  }
}

function mostBeyond(values: readonly DecimalInput[], sign: 1 | -1): Exact {
  let most: Exact | null = null;
  for (const value of values) {
    const each = exact(value);
    if (most === null || !most.isBeyond(each, sign)) most = each;
  }
  if (most === null) throw new RangeError('There is no highest or lowest of no values.');
  return most;
}

const isLibrary = (long: bigint | Decimal | null): long is Decimal =>
  typeof long === 'object' && long !== null;

/** Parses an exact decimal from a decimal string or a JSON number as sent. */
export function exact(value: DecimalInput): Exact {
  if (value instanceof Exact) return value;
  const short = typeof value === 'number' ? Exact.fromNumber(value) : null;
  if (short !== null) return short;
  const text = String(value);
  return Exact.parse(text) ?? Exact.big(parseBig(text)) ?? Exact.of(new Long(value));
}

export const ZERO: Exact = exact(0);

/** Decimal places of money in the database. */
export const MONEY_PLACES = 12;

/** Returns the sum without rounding; zero for an empty list. */
export const sumOf = (values: readonly DecimalInput[]): Exact =>
  values.reduce((total: Exact, value) => total.plus(value), ZERO);

/** Rounds half-even to the 12 places of the database. */
export const toMoney = (value: Exact): Exact => value.toDecimalPlaces(MONEY_PLACES);

/** The largest multiple of `step` that is not above `value`. */
export const floorTo = (value: Exact, step: Exact): Exact =>
  step.isZero() ? value : value.div(step).floor().times(step);

/** The smallest multiple of `step` that is not below `value`. */
export const ceilTo = (value: Exact, step: Exact): Exact =>
  step.isZero() ? value : value.div(step).ceil().times(step);
