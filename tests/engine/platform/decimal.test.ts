import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Exact, exact, toMoney } from '../../../engine/platform/decimal.ts';

/** The library alone, with the digits and the rounding of our decimals. */
const Reference = Decimal.clone({
  precision: 60,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 60,
});

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

const textOf = (digits: bigint, places: number, isNegative: boolean): string => {
  const text = String(digits).padStart(places + 1, '0');
  const at = text.length - places;
  return `${isNegative ? '-' : ''}${text.slice(0, at)}${places === 0 ? '' : `.${text.slice(at)}`}`;
};

/** Digits of all lengths, and around the largest safe integer, where doubles stop to be exact. */
const digits = fc.oneof(
  fc.bigInt({ min: 0n, max: 1_000n }),
  fc.bigInt({ min: 0n, max: 10n ** 12n }),
  fc.bigInt({ min: SAFE - 50n, max: SAFE + 50n }),
  fc.bigInt({ min: 0n, max: 10n ** 20n }),
  fc.bigInt({ min: 0n, max: 10n ** 45n }),
  fc
    .tuple(fc.nat({ max: 99 }), fc.nat({ max: 30 }))
    .map(([lead, zeros]) => BigInt(lead) * 10n ** BigInt(zeros)),
);
const plain = fc
  .tuple(digits, fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 12 }), fc.nat({ max: 30 })), fc.boolean())
  .map((parts) => textOf(...parts));
const special = fc.constantFrom(
  '0',
  '-0',
  '0.000',
  '0.5',
  '-0.5',
  '1.5',
  '2.5',
  '.5',
  '5.',
  '+1',
  '1e-30',
  '1E+21',
  '9007199254740991',
  '9007199254740992',
  '-0.9007199254740991',
  '1.0000000000000000000000',
  '0.0000000000000000000001',
  '0.00000000000000000000001',
  'NaN',
  'Infinity',
  '-Infinity',
);
/** Every value that is read: texts, and doubles by their shortest text. */
const input = fc.oneof(
  { weight: 8, arbitrary: plain },
  { weight: 1, arbitrary: special },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.integer() },
);

/** All that a caller can see of a value. */
const seen = (value: Exact | Decimal) => ({
  fixed: value.toFixed(),
  money: value.toFixed(12),
  cents: value.toFixed(2),
  whole: value.toFixed(0),
  text: value.toString(),
  json: JSON.stringify(value),
  isZero: value.isZero(),
  isNegative: value.isNegative(),
  isFinite: value.isFinite(),
  isInteger: value.isInteger(),
  places: value.decimalPlaces(),
  precision: value.precision(),
  number: value.toNumber(),
});

const RUNS = { numRuns: 3_000 };

test('a decimal reads and shows a value as the library does', () => {
  fc.assert(
    fc.property(input, (value) => {
      expect(seen(exact(value))).toEqual(seen(new Reference(value)));
    }),
    RUNS,
  );
});

test.each([null, undefined, '', '-', 'one', '1,5', '0x', '1.2.3', '--1', ' '])('%j is no decimal', (text) => {
  expect(() => exact(text as string)).toThrow('DecimalError');
});

const OPERATIONS: Readonly<Record<string, (a: Exact, b: Exact) => Exact>> = {
  plus: (a, b) => a.plus(b),
  minus: (a, b) => a.minus(b),
  times: (a, b) => a.times(b),
  div: (a, b) => a.div(b),
  min: (a, b) => Exact.min(a, b),
  max: (a, b) => Exact.max(a, b),
};
const REFERENCES: Readonly<Record<string, (a: Decimal, b: Decimal) => Decimal>> = {
  plus: (a, b) => a.plus(b),
  minus: (a, b) => a.minus(b),
  times: (a, b) => a.times(b),
  div: (a, b) => a.div(b),
  min: (a, b) => Reference.min(a, b),
  max: (a, b) => Reference.max(a, b),
};

test.each(Object.entries(OPERATIONS))(
  '%s of two decimals is that of the library, over the whole range',
  (name, operation) => {
    fc.assert(
      fc.property(input, input, (a, b) => {
        const expected = REFERENCES[name]?.(new Reference(a), new Reference(b));
        expect(seen(operation(exact(a), exact(b)))).toEqual(expected && seen(expected));
      }),
      RUNS,
    );
  },
);

test('chains of operations stay equal to those of the library, whichever values are short', () => {
  const step = fc.tuple(fc.constantFrom('plus', 'minus', 'times', 'div'), input, fc.boolean());
  fc.assert(
    fc.property(input, fc.array(step, { maxLength: 8 }), (start, steps) => {
      let [ours, theirs] = [exact(start), new Reference(start)];
      for (const [name, value, isRounded] of steps) {
        ours = OPERATIONS[name]?.(ours, exact(value)) ?? ours;
        theirs = REFERENCES[name]?.(theirs, new Reference(value)) ?? theirs;
        if (!isRounded) continue;
        ours = toMoney(ours);
        theirs = theirs.toDecimalPlaces(12);
      }
      expect(seen(ours)).toEqual(seen(theirs));
    }),
    RUNS,
  );
});

test('decimals are rounded as the library rounds them, ties and negative values too', () => {
  const places = fc.nat({ max: 25 });
  fc.assert(
    fc.property(input, places, fc.integer({ min: 1, max: 20 }), (value, to, significant) => {
      const [ours, theirs] = [exact(value), new Reference(value)];
      expect(seen(ours.toDecimalPlaces(to))).toEqual(seen(theirs.toDecimalPlaces(to)));
      expect(seen(ours.toDecimalPlacesUp(to))).toEqual(seen(theirs.toDecimalPlaces(to, Decimal.ROUND_UP)));
      expect(seen(ours.toSignificantDigits(significant))).toEqual(
        seen(theirs.toSignificantDigits(significant)),
      );
      expect(seen(ours.floor())).toEqual(seen(theirs.floor()));
      expect(seen(ours.ceil())).toEqual(seen(theirs.ceil()));
      expect(seen(ours.negated())).toEqual(seen(theirs.negated()));
      expect(seen(ours.abs())).toEqual(seen(theirs.abs()));
      expect(ours.toFixed(to)).toBe(theirs.toFixed(to));
    }),
    RUNS,
  );
});

test.each([1, 2, 3])('the power %i is that of the library', (exponent) => {
  fc.assert(
    fc.property(input, (value) => {
      expect(seen(exact(value).pow(exponent))).toEqual(seen(new Reference(value).pow(exponent)));
    }),
    { numRuns: 300 },
  );
});

test('a number of millions of digits stays short: its text is that of the library', () => {
  for (const text of ['1e9000000', '-1e9000000', '1e-9000000']) {
    expect(exact(text).toString()).toBe(new Reference(text).toString());
    expect(exact(text).plus(1).gt(0)).toBe(new Reference(text).plus(1).gt(0));
  }
  expect(exact('1e9000000').gt('1e8999999')).toBe(true);
  expect(exact('1e9000000').toNumber()).toBe(Number.POSITIVE_INFINITY);
});

test('a negative zero of many digits is negative, as that of the library', () => {
  expect(exact(`-0.${'0'.repeat(40)}`).isNegative()).toBe(true);
  expect(exact(`0.${'0'.repeat(40)}`).isNegative()).toBe(false);
});

test('decimals are compared as the library compares them', () => {
  const near = fc
    .tuple(plain, fc.constantFrom('0', '1e-12', '-1e-12', '1e-30', '1'))
    .map(([a, more]) => [a, new Reference(a).plus(more).toFixed()] as const);
  fc.assert(
    fc.property(fc.oneof(near, fc.tuple(input, input)), ([a, b]) => {
      const [ours, theirs, other] = [exact(a), new Reference(a), new Reference(b)];
      expect(Math.sign(ours.cmp(b)) + 0).toBe(theirs.cmp(other));
      expect(ours.eq(b)).toBe(theirs.eq(other));
      expect(ours.gt(b)).toBe(theirs.gt(other));
      expect(ours.gte(b)).toBe(theirs.gte(other));
      expect(ours.lt(b)).toBe(theirs.lt(other));
      expect(ours.lte(b)).toBe(theirs.lte(other));
    }),
    RUNS,
  );
});

test('equal values have one form, however they came about', () => {
  fc.assert(
    fc.property(plain, plain, (a, b) => {
      expect(exact(`${a.includes('.') ? a : `${a}.`}0000`)).toEqual(exact(a));
      for (const value of [exact(a).plus(b).plus(0), exact(a).times(b).plus(0)]) {
        expect(value).toEqual(exact(value.toFixed()));
      }
    }),
    RUNS,
  );
});
