import { Decimal } from 'decimal.js';

/** Most decimal places of a value whose units are a safe integer. 10 to this power is exact as a double. */
export const PLACES_MAX = 22;
export const POWERS: readonly number[] = Array.from({ length: PLACES_MAX + 1 }, (_, power) =>
  Number(`1e${power}`),
);
export const UNITS_MAX = Number.MAX_SAFE_INTEGER;

/** Whether safe units are a multiple of others. Ten times as fast as the remainder of doubles. */
export function isMultiple(units: number, of: number): boolean {
  // A quotient that is rounded to an integer is not exact: then neither is the product.
  const quotient = units / of;
  return Math.floor(quotient) * of === units;
}

/** Formats units without trailing zeros. */
export function formatUnits(units: number, places: number): string {
  if (places === 0) return String(units);
  const size = units < 0 ? -units : units;
  const sign = units < 0 ? '-' : '';
  const unit = POWERS[places] as number;
  const whole = Math.floor(size / unit);
  const rest = size - whole * unit;
  // Two small integers are formatted faster than a large one. The quotient may be rounded up to the next integer.
  if (rest > 0 && unit + rest <= UNITS_MAX) return `${sign}${whole}.${String(unit + rest).slice(1)}`;
  const digits = String(size).padStart(places + 1, '0');
  const at = digits.length - places;
  return `${sign}${digits.slice(0, at)}.${digits.slice(at)}`;
}

/** Whether units are rounded away from zero, by the rest that their whole part leaves of a unit. */
export function isRoundedAway(mode: Decimal.Rounding, rest: number, unit: number, whole: number): boolean {
  if (mode === Decimal.ROUND_UP) return rest !== 0;
  if (mode === Decimal.ROUND_FLOOR) return rest < 0;
  if (mode === Decimal.ROUND_CEIL) return rest > 0;
  const twice = Math.abs(rest) * 2;
  return twice > unit || (twice === unit && whole % 2 !== 0);
}
