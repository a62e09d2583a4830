import { exact } from '../../platform/decimal.ts';

/** A double as the decimal it stands for, without an exponent. */
export function plain(value: number): string {
  const text = String(value);
  return text.includes('e') ? exact(value).toFixed() : text;
}

export const plainOrNull = (value: number | null): string | null => (value === null ? null : plain(value));

let told = { atMs: Number.NaN, iso: '' };

/** An instant as rows have it. All that happens at one instant asks for it. */
export function isoOf(atMs: number): string {
  if (told.atMs !== atMs) told = { atMs, iso: new Date(atMs).toISOString() };
  return told.iso;
}

/** A moment of the tape. What is decided in it is written with its time again and again, which is put into words once. */
export class Instant extends Date {
  override toISOString(): string {
    return isoOf(this.getTime());
  }
}
