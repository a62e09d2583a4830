import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Xoshiro } from '../../../../engine/books/statistics/xoshiro.ts';
import { compileCombinations } from '../../../../engine/research/search/compile-combinations.ts';
import { valueAtPointer, withValueAt } from '../../../../engine/research/search/json-pointer.ts';
import type { Dimension, Search, Space } from '../../../../engine/research/search/request.ts';
import {
  combinationsOf,
  graphWith,
  issuesOf,
  scalarsOf,
  sizeOf,
  valuesOf,
} from '../../../../engine/research/search/space.ts';
import { draw } from '../../strategy/graph/graph-fixtures.ts';

const GRID: Search = { kind: 'grid' };
const random = (count: number, seed: number): Search => ({ kind: 'random', count, seed });
const FAST = '/nodes/1/data/config/period';
const SLOW = '/nodes/2/data/config/period';
const averages = draw(
  {
    close: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }],
    fast: ['indicator', { kind: 'sma', period: 10 }],
    slow: ['indicator', { kind: 'sma', period: 30 }],
    up: ['compare', { op: 'crossesAbove' }],
    tenth: ['constant', { value: 0.1 }],
    buy: ['order', { instrument: 'BTCUSDT', side: 'buy', type: 'market' }],
  },
  ['close -> fast', 'close -> slow', 'fast -> up.a', 'slow -> up.b', 'up -> buy.when', 'tenth -> buy.amount'],
);
const spaceOf = (dimensions: readonly Dimension[], constraints: Space['constraints'] = []): Space => ({
  dimensions,
  constraints,
});
const FAST_AND_SLOW = spaceOf(
  [
    { pointer: FAST, from: 5, to: 25, step: 5 },
    { pointer: SLOW, values: [10, 20, 40] },
  ],
  [{ less: FAST, than: SLOW }],
);

describe('values', () => {
  test('steps are decimal, and the last one does not go beyond the end', () => {
    expect(valuesOf({ pointer: '/a', from: 0, to: 0.35, step: 0.1 })).toEqual([0, 0.1, 0.2, 0.3]);
    expect(valuesOf({ pointer: '/a', from: 3, to: 3, step: 1 })).toEqual([3]);
  });

  test('every range of steps lies within its ends, evenly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1000, max: 1000 }),
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 1, max: 50 }),
        (from, length, step) => {
          const values = valuesOf({
            pointer: '/a',
            from: from / 100,
            to: (from + length) / 100,
            step: step / 100,
          });
          expect(values).toHaveLength(Math.floor(length / step) + 1);
          expect(values).toEqual(values.map((_, place) => (from + place * step) / 100));
        },
      ),
    );
  });
});

describe('a grid', () => {
  test('is all combinations that no constraint forbids, the last dimension changing first', () => {
    const combinations = combinationsOf(averages, FAST_AND_SLOW, GRID);
    const values = combinations.map((combination) => scalarsOf(FAST_AND_SLOW, combination));
    const wanted = [5, 10, 15, 20, 25].flatMap((fast) => [10, 20, 40].map((slow) => [fast, slow]));
    expect(values).toEqual(wanted.filter(([fast = 0, slow = 0]) => fast < slow));
    expect(sizeOf(FAST_AND_SLOW)).toBe(15);
  });

  test('puts its values into the graph, and changes neither anything else nor the given graph', () => {
    const before = JSON.stringify(averages);
    const drawing = graphWith(averages, FAST_AND_SLOW, [1, 2]);
    expect([valueAtPointer(drawing, FAST), valueAtPointer(drawing, SLOW)]).toEqual([10, 40]);
    expect(withValueAt(withValueAt(drawing, FAST, 10), SLOW, 30)).toEqual(averages);
    expect(JSON.stringify(averages)).toBe(before);
  });
});

describe('a random search', () => {
  test('draws as many of the allowed combinations as requested, none twice, and the same from the same seed', () => {
    const all = combinationsOf(averages, FAST_AND_SLOW, GRID).map(String);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        (count, seed) => {
          const drawn = combinationsOf(averages, FAST_AND_SLOW, random(count, seed)).map(String);
          expect(new Set(drawn).size).toBe(drawn.length);
          expect(drawn.length).toBeLessThanOrEqual(count);
          for (const one of drawn) expect(all).toContain(one);
          expect(combinationsOf(averages, FAST_AND_SLOW, random(count, seed)).map(String)).toEqual(drawn);
        },
      ),
      { numRuns: 100 },
    );
    expect(combinationsOf(averages, FAST_AND_SLOW, random(5, 7))).toHaveLength(5);
    expect(combinationsOf(averages, FAST_AND_SLOW, random(1_000, 7))).toHaveLength(all.length);
  });

  test('draws from spaces too large to list', () => {
    const wide = spaceOf([FAST, SLOW].map((pointer) => ({ pointer, from: 1, to: 1_000, step: 1 })));
    expect(combinationsOf(averages, wide, random(50, 1))).toHaveLength(50);
    expect(combinationsOf(averages, wide, random(50, 1))).not.toEqual(
      combinationsOf(averages, wide, random(50, 2)),
    );
  });
});

test("chance follows the definition of the generator's authors, and favors nothing", () => {
  const chance = new Xoshiro(1);
  expect(Array.from({ length: 4 }, () => chance.next())).toEqual([
    393288148, 2174103013, 3814759091, 2092745082,
  ]);
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 6_000; draw++) {
    const face = chance.below(6);
    counts.set(face, (counts.get(face) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

test('a combination that does not compile is listed with its issues, and the others are trials', () => {
  const space = spaceOf([{ pointer: FAST, values: [10, 0, 20] }]);
  const { trials, refused } = compileCombinations(averages, { space, search: GRID });
  expect(trials.map(({ combination }) => combination)).toEqual([[0], [2]]);
  expect(trials[1]?.needs.candles).toMatchObject([{ interval: '5m', window: 30 }]);
  expect(refused).toMatchObject([{ combination: [1], issues: [{ path: FAST, severity: 'error' }] }]);
});

describe('each fault of a space is reported with its path', () => {
  const messagesOf = (space: Space, search: Search = GRID) =>
    issuesOf(space, search, averages).map(({ path }) => path);

  test('a space that can be tried has none', () => {
    expect(messagesOf(FAST_AND_SLOW)).toEqual([]);
  });

  test.each<[string, Space, string[]]>([
    ['no dimension', spaceOf([]), ['/dimensions']],
    [
      'nine of them',
      spaceOf(Array.from({ length: 9 }, () => ({ pointer: FAST, values: [1] }))),
      ['/dimensions', ...Array.from({ length: 8 }, (_, place) => `/dimensions/${place + 1}/pointer`)],
    ],
    [
      'a place that is not there',
      spaceOf([{ pointer: '/nodes/9/data/config/period', values: [1] }]),
      ['/dimensions/0/pointer'],
    ],
    ['a pointer that is none', spaceOf([{ pointer: 'nodes', values: [1] }]), ['/dimensions/0/pointer']],
    [
      'a place that holds an object',
      spaceOf([{ pointer: '/nodes/1/data/config', values: [1] }]),
      ['/dimensions/0/pointer'],
    ],
    ['no values', spaceOf([{ pointer: FAST, values: [] }]), ['/dimensions/0']],
    ['a value twice', spaceOf([{ pointer: FAST, values: [1, 1] }]), ['/dimensions/0']],
    ['steps that lead nowhere', spaceOf([{ pointer: FAST, from: 1, to: 2, step: 0 }]), ['/dimensions/0']],
    ['an end before the start', spaceOf([{ pointer: FAST, from: 2, to: 1, step: 1 }]), ['/dimensions/0']],
    [
      'a constraint on what is no number',
      spaceOf([{ pointer: FAST, values: [1] }], [{ less: FAST, than: '/nodes/0/type' }]),
      ['/constraints/0/than'],
    ],
  ])('%s', (_name, space, paths) => {
    expect(messagesOf(space)).toEqual(paths);
  });

  test('a grid of more than 10,000 combinations; drawn at random they are fine', () => {
    const wide = spaceOf([FAST, SLOW].map((pointer) => ({ pointer, from: 1, to: 101, step: 1 })));
    expect(issuesOf(wide, GRID, averages)).toMatchObject([{ message: expect.stringContaining('10201') }]);
    expect(messagesOf(wide, random(10, 1))).toEqual([]);
  });
});
