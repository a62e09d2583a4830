/** Units of decimals beyond the safe integers, as a bigint and the number of their decimal places. */

/** Digits that our decimals keep: sums and products with more are rounded by the library. */
const DIGITS_MAX = 60;
/** More than a product of two amounts has. Values with more places are left to the library. */
const PLACES_MAX = 50;
const POWERS: readonly bigint[] = Array.from({ length: DIGITS_MAX + 1 }, (_, power) => 10n ** BigInt(power));
const LIMIT = POWERS[DIGITS_MAX] as bigint;
const PLAIN = /^-?\d{1,60}(?:\.\d{1,50})?$/;

export type BigUnits = { readonly units: bigint; readonly places: number };

/** Whether all digits are kept. */
export const isKept = (units: bigint, places: number): boolean =>
  units < LIMIT && units > -LIMIT && places <= PLACES_MAX;

/** Scales units to more places. */
export const scaled = (units: bigint, morePlaces: number): bigint =>
  morePlaces === 0 ? units : units * (POWERS[morePlaces] as bigint);

/** Drops trailing zeros of the fraction. */
export function trimmed(units: bigint, places: number): BigUnits {
  let [whole, left] = [units, places];
  while (left > 0 && whole % 10n === 0n) {
    whole /= 10n;
    left--;
  }
  return { units: whole, places: left };
}

/** Parses a plain decimal of any length; null for zero and any other text. */
export function parseBig(text: string): BigUnits | null {
  if (!PLAIN.test(text)) return null;
  const point = text.indexOf('.');
  const units = BigInt(point < 0 ? text : text.slice(0, point) + text.slice(point + 1));
  // A bigint has no negative zero.
  if (units === 0n) return null;
  return { units, places: point < 0 ? 0 : text.length - point - 1 };
}

export function formatBig(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const at = digits.length - places;
  return `${units < 0n ? '-' : ''}${digits.slice(0, at)}${places === 0 ? '' : `.${digits.slice(at)}`}`;
}
