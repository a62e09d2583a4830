import { exact } from '../decimal.ts';

/** A double as the decimal it stands for, without an exponent. */
export function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? exact(value).toFixed() : text;
}

export const plainOrNull = (value: number | null): string | null => (value === null ? null : plain(value));

/** An instant as rows have it. */
export const isoOf = (atMs: number): string => new Date(atMs).toISOString();
