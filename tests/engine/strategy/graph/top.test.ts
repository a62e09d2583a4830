/** Laws of a place in a list, and of one number of many. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../../engine/strategy/graph/run/evaluate.ts';
import { draw, type NodeConfig, planOf, signals, T0 } from './graph-fixtures.ts';

type Values = readonly (number | null)[];
const nameOf = (index: number) => `v${index}`;

/** Returns the answer of a node of this type for each of the values: null while unknown. */
function answers([type, config]: NodeConfig, values: Values): (number | boolean | null)[] {
  const prices = values.map((_, i): [string, NodeConfig] => [
    nameOf(i),
    ['crypto.price', { symbol: `V${i}USDT` }],
  ]);
  const nodes = values.map((_, i): [string, NodeConfig] => [`t${i}`, [type, config ?? {}]]);
  const isOneAmong = type === 'top' || type === 'weight';
  const among = isOneAmong ? 'among' : 'in';
  const edges = values.flatMap((_, i) => [
    ...(isOneAmong ? [`${nameOf(i)} -> t${i}.in`] : []),
    ...values.map((__, j) => `${nameOf(j)} -> t${i}.${among}`),
  ]);
  const plan = planOf(draw(Object.fromEntries([...prices, ...nodes]), edges));
  const seen = signals(Object.fromEntries(values.map((value, i) => [nameOf(i), value])), T0);
  const { nodeStates } = evaluate(plan, seen, null, T0);
  return values.map((_, i) => nodeStates[`t${i}`]?.value ?? null);
}

const value = fc.integer({ min: -3, max: 3 });
const known = fc.array(value, { minLength: 2, maxLength: 8 });
const from = fc.constantFrom('highest', 'lowest');
const RUNS = { numRuns: 60 };

describe('top', () => {
  test('is true for exactly k, whatever ties; those ahead come first by value, then by order', () => {
    fc.assert(
      fc.property(known, fc.nat(), from, (values, pick, end) => {
        const k = 1 + (pick % (values.length - 1));
        const found = answers(['top', { k, from: end }], values);
        const sign = end === 'highest' ? -1 : 1;
        const order = values
          .map((_, i) => i)
          .sort((a, b) => sign * ((values[a] ?? 0) - (values[b] ?? 0)) || a - b);
        const expected = new Set(order.slice(0, k));
        expect(found).toEqual(values.map((_, i) => expected.has(i)));
      }),
      RUNS,
    );
  });

  test('does not depend on the order of values that differ', () => {
    const distinct = fc.uniqueArray(fc.integer(), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(distinct, fc.integer(), (values, seed) => {
        const order = values.map((_, i) => i).sort((a, b) => ((a * 7 + seed) % 11) - ((b * 7 + seed) % 11));
        const found = answers(['top', { k: 1 }], values);
        const moved = answers(
          ['top', { k: 1 }],
          order.map((i) => values[i] ?? null),
        );
        expect(moved).toEqual(order.map((i) => found[i]));
      }),
      RUNS,
    );
  });

  test('is known while unknown values cannot change the answer, and only then', () => {
    const some = fc.array(fc.option(value, { nil: null, freq: 3 }), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(some, fc.nat(), (values, pick) => {
        const k = 1 + (pick % (values.length - 1));
        const found = answers(['top', { k }], values);
        // The unknown ones all above, or all below.
        const high = answers(
          ['top', { k }],
          values.map((each) => each ?? 100),
        );
        const low = answers(
          ['top', { k }],
          values.map((each) => each ?? -100),
        );
        for (const [i, each] of values.entries())
          expect(found[i]).toBe(each === null || high[i] !== low[i] ? null : high[i]);
      }),
      RUNS,
    );
  });
});

describe('weight', () => {
  const weights = (values: readonly (number | null)[], max = 1) =>
    answers(['weight', { max }], values) as (number | null)[];
  const many = fc.array(fc.oneof(fc.nat(9), fc.constantFrom(-2, 1e-9, 1e16)), { minLength: 2, maxLength: 8 });
  const most = fc.constantFrom(0.05, 0.2, 0.5, 0.9, 1);

  test.each([
    [[1, 1, 1, 1], 1, [0.25, 0.25, 0.25, 0.25]],
    [[3, 1], 1, [0.75, 0.25]],
    [[8, 1, 1], 0.5, [0.5, 0.25, 0.25]],
    [[8, 4, 1, 1], 0.4, [0.4, 0.4, 0.1, 0.1]],
    [[9, 9, 9], 0.2, [0.2, 0.2, 0.2]],
    [[5, 0, -5], 0.6, [0.6, 0, 0]],
    [[0, -1], 1, [0, 0]],
  ])('of %j with at most %d each are %j', (values, max, expected) => {
    for (const [index, found] of weights(values, max).entries())
      expect(found).toBeCloseTo(expected[index] ?? -1, 12);
  });

  test('are min(max, value x one factor), and all the money unless each is at the maximum', () => {
    fc.assert(
      fc.property(many, most, (values, max) => {
        const positive = values.map((each) => Math.max(0, each));
        const total = (factor: number) =>
          positive.reduce((sum, each) => sum + Math.min(max, each * factor), 0);
        const whole = Math.min(1, max * positive.filter((each) => each > 0).length);
        let [low, high] = [0, 1e12];
        for (let halved = 0; halved < 200; halved++) {
          const middle = (low + high) / 2;
          if (total(middle) < whole) low = middle;
          else high = middle;
        }
        const found = weights(values, max);
        for (const [index, each] of positive.entries())
          expect(found[index]).toBeCloseTo(Math.min(max, each * high), 6);
        expect(found.reduce<number>((sum, each) => sum + (each ?? 0), 0)).toBeCloseTo(whole, 9);
      }),
      RUNS,
    );
  });

  test('a value that is not among the others counts as one more; tiny values have shares, too', () => {
    const nodes = {
      own: ['crypto.price', { symbol: 'OWNUSDT' }],
      other: ['crypto.price', { symbol: 'OTHERUSDT' }],
      w: ['weight', {}],
    } as const;
    const plan = planOf(draw(nodes, ['own -> w.in', 'other -> w.among']));
    const state = evaluate(plan, signals({ own: 3, other: 1 }, T0), null, T0).nodeStates['w'];
    expect(state?.value).toBe(0.75);
    expect(weights([1e-310, 1e-310])).toEqual([0.5, 0.5]);
  });

  test('are unknown while one value is, and where the values are too large to be added', () => {
    expect(weights([1, null, 2])).toEqual([null, null, null]);
    expect(weights([1e308, 1e308])).toEqual([null, null]);
  });
});

describe('aggregate', () => {
  test.each([
    ['sum', 6],
    ['mean', 2],
    ['max', 4],
    ['min', -1],
  ])('%s is of all values, and unknown while one is', (statistic, expected) => {
    expect(answers(['aggregate', { statistic }], [3, -1, 4])[0]).toBe(expected);
    expect(answers(['aggregate', { statistic }], [3, null, 4])[0]).toBeNull();
  });

  test('count is the number of conditions that are true', () => {
    const plan = planOf(
      draw(
        {
          v: ['crypto.price', { symbol: 'VUSDT' }],
          low: ['constant', { value: 1 }],
          high: ['constant', { value: 9 }],
          a: ['compare', { op: 'gt' }],
          b: ['compare', { op: 'gt' }],
          c: ['aggregate', { statistic: 'count' }],
        },
        ['v -> a.a', 'low -> a.b', 'v -> b.a', 'high -> b.b', 'a -> c', 'b -> c'],
      ),
    );
    expect(evaluate(plan, signals({ v: 5 }, T0), null, T0).nodeStates['c']?.value).toBe(1);
  });
});
