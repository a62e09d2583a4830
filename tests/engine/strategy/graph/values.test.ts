import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../../../engine/strategy/graph/types.ts';
import {
  above,
  atLeast,
  enoughTrue,
  equal,
  finite,
  isUnknown,
  not,
  unknown,
} from '../../../../engine/strategy/graph/values.ts';

const U = unknown('no_data', 'Not known.');
const three: Value[] = [true, false, U];
const name = (value: Value) => (isUnknown(value) ? 'U' : String(value));
const both = three.flatMap((a) => three.map((b) => [a, b] as const));

describe('three-valued logic', () => {
  const AND: Record<string, Value> = {
    'true true': true,
    'true false': false,
    'true U': U,
    'false true': false,
    'false false': false,
    'false U': false,
    'U true': U,
    'U false': false,
    'U U': U,
  };
  const OR: Record<string, Value> = {
    'true true': true,
    'true false': true,
    'true U': true,
    'false true': true,
    'false false': false,
    'false U': U,
    'U true': true,
    'U false': U,
    'U U': U,
  };
  test.each(both)('and: %o, %o', (a, b) => {
    expect(enoughTrue([a, b], [0, 1], 2)).toBe(AND[`${name(a)} ${name(b)}`]);
  });
  test.each(both)('or: %o, %o', (a, b) => {
    expect(enoughTrue([a, b], [0, 1], 1)).toBe(OR[`${name(a)} ${name(b)}`]);
  });
  test('not: true, false and unknown become false, true and unknown', () => {
    expect(three.map(not)).toEqual([false, true, U]);
  });

  const some = fc.array(fc.constantFrom(...three), { minLength: 1, maxLength: 8 });
  const slotsOf = (values: Value[]) => values.map((_, slot) => slot);

  test('at least k: an unknown counts as open, so the result agrees with every possible value of it', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 8 }), (values, k) => {
        const open = values.filter(isUnknown).length;
        const yes = values.filter((value) => value === true).length;
        const answer = enoughTrue(values, slotsOf(values), k);
        if (yes >= k) expect(answer).toBe(true);
        else if (yes + open < k) expect(answer).toBe(false);
        else expect(answer).toBe(U);
      }),
    );
  });

  test('and, or: De Morgan holds with unknown', () => {
    fc.assert(
      fc.property(some, (values) => {
        const slots = slotsOf(values);
        const and = enoughTrue(values, slots, values.length);
        const or = enoughTrue(values.map(not), slots, 1);
        expect(name(not(and))).toBe(name(or));
      }),
    );
  });
});

describe('numbers', () => {
  test('a result that is not finite is unknown, and minus zero is zero', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(isUnknown(finite(bad))).toBe(true);
    expect(Object.is(finite(-0), 0)).toBe(true);
  });

  test('floating-point noise is no difference', () => {
    expect(equal(0.1 + 0.2, 0.3)).toBe(true);
    expect(above(0.1 + 0.2, 0.3)).toBe(false);
    expect(atLeast(0.3, 0.1 + 0.2)).toBe(true);
    expect(equal(0, 1e-13)).toBe(false);
  });

  test('of two numbers exactly one holds: above, below or equal', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect([above(a, b), above(b, a), equal(a, b)].filter(Boolean)).toHaveLength(1);
        expect(atLeast(a, b)).toBe(!above(b, a));
      }),
    );
  });
});
