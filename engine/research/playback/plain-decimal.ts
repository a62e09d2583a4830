import { exact } from '../../platform/decimal.ts';

/** Formats a double as its decimal, without an exponent. */
export function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? exact(value).toFixed() : text;
}

export const plainOrNull = (value: number | null): string | null =>
  value === null ? null : plainDecimal(value);

let cached = { atMs: Number.NaN, iso: '' };

/** Formats an instant as in rows. Cached, because everything at one instant needs it. */
export function isoOf(atMs: number): string {
  if (cached.atMs !== atMs) cached = { atMs, iso: new Date(atMs).toISOString() };
  return cached.iso;
}

/** An instant of the tape as a date. Cached, because its decisions write the time repeatedly. */
export class Instant extends Date {
  override toISOString(): string {
    return isoOf(this.getTime());
  }
}
