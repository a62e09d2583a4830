import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SERIES_COLUMNS } from '../../../../engine/history/series.ts';
import type { BacktestInput } from '../../../../engine/research/playback/input.ts';
import { BACKTEST_DEFAULTS } from '../../../../engine/research/playback/request.ts';
import { inputWithinRange } from '../../../../engine/research/search/input-within-range.ts';
import { verdictsOf } from '../../../../engine/research/search/verdicts.ts';
import {
  embargoOf,
  type FoldTrials,
  foldsOf,
  walkForwardOf,
} from '../../../../engine/research/search/walk-forward.ts';
import { spaceWith, trialOf } from './trials.ts';

const DAY = 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const OBJECTIVE = { statistic: 'sharpe', minTrades: 0 } as const;
const walk = (change: Partial<Parameters<typeof foldsOf>[1]> = {}) => ({
  trainDays: 10,
  testDays: 5,
  stepDays: 5,
  isAnchored: false,
  holdingDays: 1,
  ...change,
});
const days = (count: number, value = 0.001) =>
  Array.from({ length: count }, (_, day) => value + (day % 2 ? 0.002 : -0.002));

describe('row 45: folds', () => {
  test('follow each other: 10 days of training, an embargo, 5 of test, as often as they fit', () => {
    const at = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => [
      (fromMs - FROM) / DAY,
      (toMs - FROM) / DAY,
    ];
    const folds = (change = {}) =>
      foldsOf({ fromMs: FROM, toMs: FROM + 28 * DAY }, walk(change), 2).map(({ train, test }) => [
        at(train),
        at(test),
      ]);
    expect(folds()).toEqual([
      [
        [0, 10],
        [12, 17],
      ],
      [
        [5, 15],
        [17, 22],
      ],
      [
        [10, 20],
        [22, 27],
      ],
    ]);
    expect(folds({ isAnchored: true }).map(([train]) => train)).toEqual([
      [0, 10],
      [0, 15],
      [0, 20],
    ]);
    expect(folds({ trainDays: 25 })).toEqual([]);
  });

  test('do not overlap, keep the embargo, and stay within the range, whatever the request', () => {
    fc.assert(
      fc.property(
        fc.record({
          trainDays: fc.integer({ min: 1, max: 40 }),
          testDays: fc.integer({ min: 1, max: 20 }),
          extra: fc.integer({ min: 0, max: 10 }),
          isAnchored: fc.boolean(),
          embargo: fc.integer({ min: 0, max: 9 }),
          length: fc.integer({ min: 1, max: 200 }),
        }),
        ({ trainDays, testDays, extra, isAnchored, embargo, length }) => {
          const range = { fromMs: FROM, toMs: FROM + length * DAY };
          const folds = foldsOf(
            range,
            walk({ trainDays, testDays, stepDays: testDays + extra, isAnchored }),
            embargo,
          );
          let tested = range.fromMs;
          for (const { train, test } of folds) {
            expect(train.fromMs).toBeGreaterThanOrEqual(range.fromMs);
            expect(test.fromMs - train.toMs).toBe(embargo * DAY);
            expect(test.toMs - test.fromMs).toBe(testDays * DAY);
            expect(test.fromMs).toBeGreaterThanOrEqual(tested);
            expect(test.toMs).toBeLessThanOrEqual(range.toMs);
            tested = test.toMs;
          }
        },
      ),
    );
  });

  test('are apart by the longest window of any combination and the time a position is held', () => {
    const needs = (interval: '5m' | '1d', window: number) => ({
      candles: [{ symbol: 'BTCUSDT', interval, window, open: false }],
    });
    expect(embargoOf([needs('5m', 30), needs('5m', 289)], walk({ holdingDays: 3 }))).toBe(5);
    expect(embargoOf([needs('1d', 20)], walk())).toBe(21);
    expect(embargoOf([{ candles: [] }], walk())).toBe(1);
  });
});

describe('row 45: the result of folds', () => {
  const folds = foldsOf({ fromMs: FROM, toMs: FROM + 40 * DAY }, walk(), 2);
  const space = spaceWith(3);
  const played = (tests: readonly (readonly number[])[], best: readonly number[]): FoldTrials[] =>
    folds.map((ranges, fold) => ({
      ranges,
      train: [0, 1, 2].map((place) => trialOf([place], days(10, place === best[fold] ? 0.003 : 0.001))),
      test: trialOf([best[fold] ?? 0], tests[fold] ?? []),
    }));

  test('the stitched curve is the product of the folds, day by day', () => {
    const oneDay = fc.double({ min: -0.1, max: 0.1, noNaN: true });
    const tests = fc.array(fc.array(oneDay, { minLength: 5, maxLength: 5 }), {
      minLength: folds.length,
      maxLength: folds.length,
    });
    fc.assert(
      fc.property(tests, (returns) => {
        const seen = walkForwardOf(
          { space, objective: OBJECTIVE },
          played(
            returns,
            folds.map(() => 1),
          ),
          2,
        );
        const products = returns.map((fold) => fold.reduce((factor, value) => factor * (1 + value), 1));
        const product = products.reduce((factor, value) => factor * value, 1);
        expect(seen.outOfSample.totalReturn).toBeCloseTo(product - 1, 12);
        expect(seen.curve.at(-1)?.factor).toBeCloseTo(product, 12);
        expect(seen.curve).toHaveLength(5 * folds.length);
        const ends = seen.curve.map(({ atMs }) => atMs);
        expect(ends).toEqual(ends.toSorted((a, b) => a - b));
        expect(new Set(ends).size).toBe(ends.length);
      }),
      { numRuns: 50 },
    );
  });

  test('the choice of each fold is reported, so that its drift is visible', () => {
    const seen = walkForwardOf(
      { space, objective: OBJECTIVE },
      played(
        folds.map(() => days(5)),
        [0, 2, 1, 2, 0],
      ),
      2,
    );
    expect(seen.folds.map(({ values }) => values)).toEqual([[1], [3], [2], [3], [1]].slice(0, folds.length));
  });

  test('efficiency is a year out of sample over a year in sample, and none where nothing was earned in sample', () => {
    const good = walkForwardOf(
      { space, objective: OBJECTIVE },
      played(
        folds.map(() => days(5, 0.0019)),
        folds.map(() => 1),
      ),
      2,
    );
    expect(good.inSample.yearly).toBeCloseTo(0.003 * 365, 9);
    expect(good.efficiency.value).toBeCloseTo(good.outOfSample.yearly / good.inSample.yearly, 12);
    const lost = folds.map((ranges) => ({
      ranges,
      train: [trialOf([0], days(10, -0.001))],
      test: trialOf([0], days(5)),
    }));
    expect(walkForwardOf({ space, objective: OBJECTIVE }, lost, 2).efficiency.value).toBeNull();
  });

  test('a fold without a choice trades nothing in its test', () => {
    const none = folds.map((ranges) => ({
      ranges,
      train: [trialOf([0], days(10), { closed: 5 })],
      test: trialOf([0], days(5)),
    }));
    const seen = walkForwardOf({ space, objective: { statistic: 'sharpe', minTrades: 30 } }, none, 2);
    expect(seen.outOfSample.totalReturn).toBe(0);
    expect(seen.folds[0]).toMatchObject({ values: null, inSample: null, outOfSample: null });
  });

  test('a Sharpe ratio that halves out of sample is a warning, and so is holding for longer than the embargo', () => {
    const verdicts = (test: readonly number[], heldMaxMs = 0) => {
      const trials = folds.map((ranges) => ({
        ranges,
        train: [trialOf([0], days(10, 0.003), { heldMaxMs })],
        test: trialOf([0], test),
      }));
      const walkForward = walkForwardOf({ space, objective: OBJECTIVE }, trials, 2);
      const trial = trialOf([1], days(100, 0.003));
      const best = {
        combination: [1],
        values: [2],
        score: 1,
        figures: trial.figures,
        deflatedSharpe: { value: 1 },
        probabilityOfOverfitting: { value: 0 },
      };
      return verdictsOf({ space, scored: [{ trial, score: 1 }], best, walkForward }).map(({ code }) => code);
    };
    expect(verdicts(days(5, 0.003))).toEqual([]);
    expect(verdicts(days(5, 0.0005))).toEqual(['out_of_sample']);
    expect(verdicts(days(5, 0.003), 2 * DAY + 1)).toEqual(['held_past_embargo']);
  });
});

test('row 45: training cannot reach the test data: poison behind its end changes not a bit of its input', () => {
  const bars = 30;
  const input = (poisonedFrom: number): BacktestInput => {
    const column = (of: (bar: number) => number) => Float64Array.from({ length: bars }, (_, bar) => of(bar));
    const price = (bar: number) => (bar >= poisonedFrom ? Number.NaN : 100 + bar);
    const prices = Object.fromEntries(SERIES_COLUMNS.candle.map((name) => [name, column(price)]));
    const time = {
      openTimeMs: column((bar) => FROM + bar * DAY),
      closeTimeMs: column((bar) => FROM + (bar + 1) * DAY - 1),
    };
    return {
      request: {
        ...BACKTEST_DEFAULTS,
        blueprintId: null,
        release: null,
        from: new Date(FROM).toISOString(),
        to: new Date(FROM + bars * DAY).toISOString(),
        cash: '1000',
      },
      visual: {},
      facts: [],
      histories: [
        {
          key: { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: DAY },
          rows: { kind: 'candle', count: bars, columns: { ...time, ...prices } },
          gaps: [5, 25].map((day) => ({ fromMs: FROM + day * DAY, toMs: FROM + (day + 1) * DAY })),
          hash: '',
          source: 'simulator',
        },
      ],
      signals: [],
      recorded: [],
      rules: {},
      settings: {},
    } as unknown as BacktestInput;
  };
  const train = { fromMs: FROM + 2 * DAY, toMs: FROM + 12 * DAY };
  const clean = inputWithinRange(input(bars), train);
  expect(clean.histories[0]?.rows.count).toBe(12);
  expect(clean.histories[0]?.gaps).toHaveLength(1);
  expect(clean.histories[0]?.rows.columns.closeTimeMs.buffer.byteLength).toBe(12 * 8);
  expect(clean.request).toMatchObject({ from: '2026-01-03T00:00:00.000Z', to: '2026-01-13T00:00:00.000Z' });
  expect(inputWithinRange(input(12), train)).toEqual(clean);
});
