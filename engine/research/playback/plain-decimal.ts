import { exact } from '../../platform/decimal.ts';

/** Formats a double as its decimal, without an exponent. */
export function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? exact(value).toFixed() : text;
}

export const plainDecimalOrNull = (value: number | null): string | null =>
  value === null ? null : plainDecimal(value);
