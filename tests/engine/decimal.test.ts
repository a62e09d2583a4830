import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ceilTo, Exact, exact, floorTo, sumOf, toMoney } from '../../engine/decimal.ts';

/** The whole of it with 60 digits, whatever the values. */
const Long = Decimal.clone({
  precision: 60,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 60,
});

const digits = (max: number) => fc.bigInt({ min: 0n, max: 10n ** BigInt(max) - 1n });

/** Decimals short and long, whole, tiny and near the bounds of what a double counts by one. */
const decimals = fc
  .tuple(
    fc.oneof(
      digits(3),
      digits(9),
      digits(15),
      digits(17),
      digits(26),
      fc.constantFrom(0n, 1n, 9_007_199_254_740_991n, 9_007_199_254_740_993n, 10n ** 15n),
    ),
    fc.oneof(fc.nat(12), fc.nat(26)),
    fc.boolean(),
  )
  .map(([units, places, isNegative]) => {
    const text = String(units).padStart(places + 1, '0');
    const point = text.length - places;
    const number = places === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
    return isNegative ? `-${number}` : number;
  });

const plainOf = (value: Decimal): string => (value.isZero() ? '0' : value.toFixed());

describe('An exact decimal computes as with 60 digits, whether it is short or long', () => {
  const PAIRS = { numRuns: 5_000 };

  test('sums, differences, products and quotients', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [ours, theirs] = [exact(a), new Long(a)];
        expect(ours.plus(b).toFixed()).toBe(plainOf(theirs.plus(b)));
        expect(ours.minus(b).toFixed()).toBe(plainOf(theirs.minus(b)));
        expect(ours.times(b).toFixed()).toBe(plainOf(theirs.times(b)));
        if (!exact(b).isZero()) {
          expect(ours.div(b).toFixed()).toBe(plainOf(theirs.div(b)));
          expect(ours.mod(b).toFixed()).toBe(plainOf(theirs.mod(b)));
        }
      }),
      PAIRS,
    );
  });

  test('comparisons, the greatest and the least', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [ours, theirs] = [exact(a), new Long(a)];
        expect([ours.cmp(b), ours.eq(b), ours.gt(b), ours.gte(b), ours.lt(b), ours.lte(b)]).toEqual([
          theirs.cmp(b),
          theirs.eq(b),
          theirs.gt(b),
          theirs.gte(b),
          theirs.lt(b),
          theirs.lte(b),
        ]);
        expect(Exact.max(a, b).toFixed()).toBe(plainOf(Long.max(a, b)));
        expect(Exact.min(a, b).toFixed()).toBe(plainOf(Long.min(a, b)));
      }),
      PAIRS,
    );
  });

  test('steps, rounding, signs and numbers', () => {
    const steps = fc.constantFrom('1', '0.01', '0.00000001', '0.25', '0.3', '5', '1000', '0.000000000001');
    fc.assert(
      fc.property(
        decimals,
        steps,
        fc.nat(14),
        fc.integer({ min: 0, max: 8 }),
        (a, step, places, rounding) => {
          const [ours, theirs] = [exact(a), new Long(a)];
          const way = rounding as Decimal.Rounding;
          expect(floorTo(ours, exact(step)).toFixed()).toBe(plainOf(theirs.div(step).floor().times(step)));
          expect(ceilTo(ours, exact(step)).toFixed()).toBe(plainOf(theirs.div(step).ceil().times(step)));
          expect(ours.floor().toFixed()).toBe(plainOf(theirs.floor()));
          expect(ours.ceil().toFixed()).toBe(plainOf(theirs.ceil()));
          expect(ours.toDecimalPlaces(places, way).toFixed()).toBe(
            plainOf(theirs.toDecimalPlaces(places, way)),
          );
          expect(ours.toFixed(places, way)).toBe(new Long(plainOf(theirs)).toFixed(places, way));
          expect(toMoney(ours).toFixed()).toBe(plainOf(theirs.toDecimalPlaces(12)));
          expect(ours.toSignificantDigits(9).toFixed()).toBe(plainOf(theirs.toSignificantDigits(9)));
          expect(ours.negated().toFixed()).toBe(plainOf(theirs.negated()));
          expect(ours.abs().toFixed()).toBe(plainOf(theirs.abs()));
          expect(ours.toNumber()).toBe(theirs.toNumber() + 0);
          expect([ours.isZero(), ours.isInteger(), ours.decimalPlaces(), ours.precision()]).toEqual([
            theirs.isZero(),
            theirs.isInteger(),
            theirs.decimalPlaces(),
            theirs.precision(),
          ]);
          expect(ours.isNegative()).toBe(theirs.lt(0));
          expect(JSON.stringify({ ours })).toBe(JSON.stringify({ ours: plainOf(theirs) }));
        },
      ),
      PAIRS,
    );
  });

  test('any number that JSON can hold', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(exact(number).toFixed()).toBe(plainOf(new Long(number)));
        expect(exact(number).toNumber()).toBe(number + 0);
      }),
      PAIRS,
    );
  });

  test('equal values are equal field by field, however they came to be', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(exact(`${a.includes('.') ? a : `${a}.`}0`)).toEqual(exact(a));
        expect(exact(a).plus(b).minus(b).minus(a).isZero()).toBe(true);
        expect(exact(a).eq(b)).toBe(JSON.stringify(exact(a)) === JSON.stringify(exact(b)));
      }),
      PAIRS,
    );
  });
});

test.each([
  '',
  '-',
  '.',
  '1.',
  '.5',
  '.0',
  '-.0',
  '-.',
  '1.00',
  '00.10',
  '1..0',
  '1.2.0',
  'x.0',
  '100',
  '-0.0',
  '1.2.3',
  '1e3',
  '0x10',
  ' 1',
  '1 ',
  '+1',
  '١',
  'NaN',
  'Infinity',
  '1_000',
  '--1',
])('the text "%s" is read or refused as the library does', (text) => {
  const theirs = () => new Long(text).toString();
  const isRead = (() => {
    try {
      theirs();
      return true;
    } catch {
      return false;
    }
  })();
  if (isRead) expect(exact(text).toString()).toBe(theirs());
  else expect(() => exact(text)).toThrow('Invalid argument');
});

test('no sum of none is nothing, and nothing has no sign', () => {
  expect(sumOf([]).toFixed()).toBe('0');
  expect(exact(-0).toFixed()).toBe('0');
  expect(exact('-0.00').isNegative()).toBe(false);
  expect(exact('-5').times(0).toFixed()).toBe('0');
});
