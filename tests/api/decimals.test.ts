import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalNumber } from '../../routers/schemas.ts';

describe('a decimal in an answer', () => {
  test('is the JSON number of the same value', () => {
    const digits = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 12 }), (units, places) => {
        const number = Number(`${units}e-${places}`);
        const text = number.toFixed(places);
        expect(decimalNumber.parse(text)).toBe(Number(text));
      }),
    );
  });

  test('is null only where the schema allows it', () => {
    expect(decimalNumber.nullable().parse(null)).toBeNull();
    expect(decimalNumber.safeParse(null).success).toBe(false);
  });

  test.each(['', 'abc', 'NaN', 'Infinity', undefined, true, [], {}])('is never made of %j', (value) => {
    expect(decimalNumber.safeParse(value).success).toBe(false);
  });

  test('stays a number that it already is', () => {
    expect(decimalNumber.parse(0.1)).toBe(0.1);
  });
});
