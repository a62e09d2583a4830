import { afterEach, describe, expect, test } from 'vitest';
import { exactTime } from '../../web/src/format/exact-time.ts';
import { amount, cents, coinPrice, share, signedUsd, usd, usdCompact } from '../../web/src/format/number.ts';
import { clockTime, fullTime } from '../../web/src/format/time.ts';
import { setFormatLocales } from '../../web/src/language/locale.ts';

const AT = new Date('2026-03-04T15:06:07Z');
const LATER = new Date('2027-01-01T00:00:00Z');
/** Replaces non-breaking spaces, which many languages use, by plain ones. */
const read = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('numbers and dates in another format', () => {
  afterEach(() => setFormatLocales([]));

  test('German has its own separators, and its words for months', () => {
    setFormatLocales(['de-DE']);
    expect(read(usd(1_284.37))).toBe('1.284,37 $');
    expect(read(signedUsd(-3))).toBe('−3,00 $');
    expect(amount(1_234.5)).toBe('1.234,5');
    expect(cents(0.425)).toBe('42,5¢');
    expect(cents(0.4, 0.001)).toBe('40,0¢');
    expect(read(coinPrice(0.0000123456789))).toBe('0,0000123457 $');
    expect(read(share(0.125))).toBe('12,5 %');
    expect(clockTime(AT, 'utc', LATER)).toBe('4. März 2026 15:06 UTC');
  });

  test('French groups by spaces', () => {
    setFormatLocales(['fr-FR']);
    expect(read(usd(1_284.37))).toBe('1 284,37 $US');
  });

  test('digits are 0 to 9 and years are of one calendar, whatever the language', () => {
    for (const language of ['ar-EG', 'fa-IR', 'th-TH', 'ja-JP-u-ca-japanese', 'hi-IN-u-nu-deva']) {
      setFormatLocales([language]);
      expect(amount(1_234), language).toMatch(/^1\D?234$/);
      expect(usdCompact(7), language).toMatch(/7/);
      expect(clockTime(AT, 'utc', LATER), language).toMatch(/2026/);
    }
  });

  test('a full instant is written as other dates are, in the order of the language', () => {
    setFormatLocales(['de-DE']);
    expect(fullTime(AT, 'utc')).toBe('4. März 2026 15:06:07 UTC');
    setFormatLocales(['en-US']);
    expect(fullTime(AT, 'utc')).toBe('4 Mar 2026 15:06:07 UTC');
  });

  test('an exact time has its milliseconds, and its day unless that is today', () => {
    const at = new Date('2026-03-04T15:06:07.250Z');
    expect(exactTime(at, 'utc', new Date('2026-03-04T18:00:00Z'))).toBe('15:06:07.250 UTC');
    expect(exactTime(at, 'utc', new Date('2026-03-05T00:00:00Z'))).toBe('4 Mar 15:06:07.250 UTC');
    expect(exactTime(at, 'utc', LATER)).toBe('4 Mar 2026 15:06:07.250 UTC');
  });

  test('an unknown or invalid language is skipped; with none left it is English', () => {
    setFormatLocales(['xx-nonsense-', 'tlh', 'C', 'de-AT']);
    expect(read(usd(1_284.37))).toBe('$ 1.284,37');
    setFormatLocales(['C']);
    expect(usd(1_284.37)).toBe('$1,284.37');
    expect(clockTime(AT, 'utc', LATER)).toBe('4 Mar 2026 15:06 UTC');
  });
});
