/**
 * Amounts as venues send them: decimal strings, or JSON numbers where a venue uses both. They are checked against a grammar and
 * stored as canonical strings. A JS number is made once, at the edge, by an exact parse. Anything else except null is malformed
 * and an error, never NaN or 0.
 */
import { Decimal } from 'decimal.js';
import { z } from 'zod';

/** The database stores 26 digits before the point; no traded amount has more than 20. */
const DECIMAL = /^-?\d{1,20}(\.\d{1,60})?$/;
const TOO_LARGE = 1e20;
/** A double holds every decimal of 15 significant digits exactly enough to print it back. */
const DIGITS_MAX = 15;

/** The canonical decimal string of a venue's value, or null if it is not a plain decimal. */
export function canonical(value: string | number): string | null {
  if (typeof value === 'number') return Math.abs(value) < TOO_LARGE ? new Decimal(value).toFixed() : null;
  return DECIMAL.test(value) ? value : null;
}

const toCanonical = (value: string | number, ctx: z.RefinementCtx): string => {
  const text = canonical(value);
  if (text !== null) return text;
  ctx.addIssue({ code: 'custom', message: 'not a decimal' });
  return z.NEVER;
};

/** A required decimal: string or number in, canonical string out. */
export const DecimalString = z.union([z.string(), z.number()]).transform(toCanonical);

/** A decimal that may be absent, null or "": null out. Present and malformed is still an error. */
export const OptionalDecimal = z
  .union([z.string(), z.number(), z.null()])
  .optional()
  .transform((value, ctx) =>
    value === undefined || value === null || value === '' ? null : toCanonical(value, ctx),
  );

const inUnitRange = (value: string): boolean => {
  const number = Number(value);
  return number >= 0 && number <= 1;
};

/** A price of a prediction market: 0 to 1. */
export const PriceString = DecimalString.refine(inUnitRange, 'a price outside 0 to 1');
export const OptionalPrice = OptionalDecimal.refine(
  (value) => value === null || inUnitRange(value),
  'a price outside 0 to 1',
);
/** A step: above 0. */
export const StepString = DecimalString.refine((value) => Number(value) > 0, 'a step of 0 or less');
/** A size or amount: never negative. */
export const AmountString = DecimalString.refine((value) => Number(value) >= 0, 'a negative amount');
export const OptionalAmount = OptionalDecimal.refine(
  (value) => value === null || Number(value) >= 0,
  'a negative amount',
);

/** For fields that no price depends on: a malformed value counts as not stated, so that the record stays valid. */
export const nullIfMalformed = <T>(schema: z.ZodType<T>): z.ZodType<T | null> =>
  schema.nullable().catch(null);

/** The JS number of a decimal string, at most 15 significant digits (more are rounded, half up). */
export function toNumber(decimal: string): number {
  if (decimal.length <= DIGITS_MAX) return Number(decimal);
  return new Decimal(decimal).toSignificantDigits(DIGITS_MAX).toNumber();
}

function withoutZeros(decimal: string): string {
  let end = decimal.length;
  while (decimal[end - 1] === '0') end--;
  return decimal.slice(0, decimal[end - 1] === '.' ? end - 1 : end);
}

/** The JS number of a decimal string that it represents exactly, or null: nothing is rounded. */
export function exactNumber(decimal: string): number | null {
  const plain = decimal.includes('.') ? withoutZeros(decimal) : decimal;
  const digits = plain.replace('.', '').replace(/^-?0*/, '').length;
  return digits <= DIGITS_MAX ? Number(plain) : null;
}

export function toNumberOrNull(decimal: string | null): number | null {
  return decimal === null ? null : toNumber(decimal);
}

export const isZero = (decimal: string): boolean => Number(decimal) === 0;

/** The price of the other side: 1 − price, exactly. */
export function complement(price: string): string {
  return new Decimal(1).minus(price).toFixed();
}

export function complementOrNull(price: string | null): string | null {
  return price === null ? null : complement(price);
}

/** The exact middle between two prices. */
export function midpoint(low: string, high: string): string {
  return new Decimal(low).plus(high).dividedBy(2).toFixed();
}

export function difference(a: string, b: string): string {
  return new Decimal(a).minus(b).toFixed();
}

export function total(a: string, b: string): string {
  return new Decimal(a).plus(b).toFixed();
}

export function product(a: string, b: string): string {
  return new Decimal(a).times(b).toFixed();
}

/** A string without trailing zeros: `0.4700` becomes `0.47`. */
export function trimmed(decimal: string): string {
  return new Decimal(decimal).toFixed();
}

export function trimmedOrNull(decimal: string | null | undefined): string | null {
  return decimal === null || decimal === undefined ? null : trimmed(decimal);
}
