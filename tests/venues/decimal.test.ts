import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonical,
  complement,
  DecimalString,
  midpoint,
  OptionalDecimal,
  PriceString,
  toNumber,
} from '../../venues/parse/decimal.ts';
import { tickAt } from '../../venues/port.ts';
import { parseTimestamp } from '../../venues/time.ts';

/** Prices of four decimals, as the venues send them. */
const price = fc.integer({ min: 0, max: 10_000 }).map((value) => (value / 10_000).toFixed(4));

describe('a decimal of a venue', () => {
  test.each([
    ['0.4700', '0.4700'],
    ['-812.10000000', '-812.10000000'],
    [0.001, '0.001'],
    [1e-7, '0.0000001'],
    [5, '5'],
  ])('%j is %j', (sent, expected) => {
    expect(canonical(sent)).toBe(expected);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '1e5',
    '0x10',
    '.5',
    '5.',
    '1,000',
    'NaN',
    'Infinity',
    '+1',
    '١',
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('%j is none', (sent) => {
    expect(canonical(sent)).toBeNull();
  });

  test('that has to be there is not made up: undefined, null and "" are errors', () => {
    for (const sent of [undefined, null, '', true, [], {}])
      expect(DecimalString.safeParse(sent).success).toBe(false);
  });

  test('that may be absent is null then, and still an error when malformed', () => {
    for (const sent of [undefined, null, '']) expect(OptionalDecimal.parse(sent)).toBeNull();
    for (const sent of ['abc', true, {}]) expect(OptionalDecimal.safeParse(sent).success).toBe(false);
  });

  test('that is a price lies between 0 and 1', () => {
    for (const sent of ['0', '1', 0, 1, '0.5000']) expect(PriceString.safeParse(sent).success).toBe(true);
    for (const sent of ['-0.0001', '1.0001', 2]) expect(PriceString.safeParse(sent).success).toBe(false);
  });
});

describe('numbers of views', () => {
  test('are the decimals exactly, up to 15 significant digits', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999_999_999_999 }),
        fc.integer({ min: 0, max: 8 }),
        (digits, places) => {
          const text = (BigInt(digits) * 10n ** BigInt(8 - places)).toString().padStart(9, '0');
          const decimal = `${text.slice(0, -8)}.${text.slice(-8)}`;
          expect(BigInt(Math.round(toNumber(decimal) * 10 ** places))).toBe(BigInt(digits));
        },
      ),
    );
  });

  test('are rounded to 15 where there are more', () => {
    expect(toNumber('14405063.424337989')).toBe(14405063.424338);
    expect(toNumber('0.1000000000000000055')).toBe(0.1);
  });
});

describe('prices of the other side', () => {
  test('are 1 − price without a rest, and back again', () => {
    fc.assert(
      fc.property(price, (value) => {
        expect(Number(value) + Number(complement(value))).toBeCloseTo(1, 12);
        expect(Number(complement(complement(value)))).toBe(Number(value));
        expect(complement(value)).toMatch(/^(0|1|0\.\d{1,4})$/);
      }),
    );
  });

  test('have a middle between them, exactly', () => {
    expect(midpoint('0.2800', '0.2900')).toBe('0.285');
    expect(midpoint('0.0010', '0.0020')).toBe('0.0015');
  });
});

describe('the tick of a price', () => {
  const instrument = {
    tickSize: '0.01',
    priceRanges: [
      { start: '0', end: '0.1', step: '0.001' },
      { start: '0.1', end: '0.9', step: '0.01' },
      { start: '0.9', end: '1', step: '0.001' },
    ],
  };

  test.each([
    ['0.05', '0.001'],
    ['0.1', '0.01'],
    ['0.5', '0.01'],
    ['0.95', '0.001'],
    ['1', '0.01'],
  ])('%s is %s', (value, tick) => {
    expect(tickAt(instrument, value)).toBe(tick);
  });

  test('is the only one where there are no ranges', () => {
    expect(tickAt({ tickSize: '0.01', priceRanges: [] }, '84705.64')).toBe('0.01');
  });
});

describe('a timestamp of a venue', () => {
  test.each([
    ['2026-07-18T14:00:00.801802Z', '2026-07-18T14:00:00.801Z'],
    ['2026-11-20T08:40:01Z', '2026-11-20T08:40:01.000Z'],
    ['2026-07-24 00:50:52+00', '2026-07-24T00:50:52.000Z'],
    ['2026-07-24T02:50:52+02:00', '2026-07-24T00:50:52.000Z'],
    ['2026-07-24T02:50:52-0530', '2026-07-24T08:20:52.000Z'],
    ['2500-12-31', '2500-12-31T00:00:00.000Z'],
  ])('%s is %s', (sent, expected) => {
    expect(parseTimestamp(sent)).toBe(expected);
  });

  test.each(['', 'tomorrow', '2026-13-01', '1784850900', '2026-07-24T25:00:00Z'])('%s is none', (sent) => {
    expect(parseTimestamp(sent)).toBeNull();
  });
});
