import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsFrom } from '../../../../engine/history/rows.ts';
import { histogramOf, holdOf, mergedCandles } from '../../../../engine/research/backtests/result-charts.ts';

test('every trade is in one bin, and none that lost beside one that won', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1_000, max: 1_000 }).map((cents) => cents / 100)), (values) => {
      const bins = histogramOf(values);
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      expect(bins.length).toBeLessThanOrEqual(42);
      for (const { from, to } of bins) expect(from < 0 && to > 0).toBe(false);
    }),
  );
});

test('the borders of bins are round, and stated without the noise of a division', () => {
  const bordersOf = (...values: number[]) => {
    const bins = histogramOf(values);
    return [bins[0]?.from, bins[1]?.from, bins.at(-1)?.to];
  };
  expect(bordersOf(-0.59, 1.57)).toEqual([-0.6, -0.5, 1.6]);
  expect(bordersOf(-0.03, 0.06)).toEqual([-0.03, -0.025, 0.06]);
  expect(bordersOf(12, 4_000)).toEqual([0, 100, 4_000]);
});

const minute = (index: number, price: number) => ({
  openTimeMs: index * 60_000,
  closeTimeMs: index * 60_000 + 59_999,
  price,
});

test('candles of a picture keep the highest and the lowest price of a history of any kind', () => {
  const prices = Array.from({ length: 1_000 }, (_, index) => Math.abs(Math.sin(index)) / 2);
  const candles = mergedCandles(
    rowsFrom(
      'midpoint',
      prices.map((price, index) => ({ ...minute(index, price), price })),
    ),
    90,
  );
  expect(candles.length).toBeLessThanOrEqual(90);
  expect(Math.max(...candles.map(({ high }) => high))).toBe(Math.max(...prices));
  expect(Math.min(...candles.map(({ low }) => low))).toBe(Math.min(...prices));
  const quoted = {
    openTimeMs: 0,
    closeTimeMs: 59_999,
    ...{ bidOpen: 0.4, bidHigh: 0.5, bidLow: 0.3, bidClose: 0.44 },
    ...{ askOpen: 0.42, askHigh: 0.54, askLow: 0.34, askClose: 0.46 },
  };
  const [candle] = mergedCandles(rowsFrom('bid_ask', [quoted]), 10);
  expect(candle?.high).toBeCloseTo(0.52);
  expect(candle?.close).toBeCloseTo(0.45);
});

test('a candle of a picture has the volume of its rows; a row that states none counts as none', () => {
  const rows = (...volumes: number[]) =>
    rowsFrom(
      'candle',
      volumes.map((volume, index) => ({ ...minute(index, 1), open: 1, high: 1, low: 1, close: 1, volume })),
    );
  const volumesOf = (...volumes: number[]) => mergedCandles(rows(...volumes), 2).map(({ volume }) => volume);
  expect(volumesOf(1, 2, 3, 4)).toEqual([3, 7]);
  expect(volumesOf(1, Number.NaN, Number.NaN, Number.NaN)).toEqual([1, null]);
  const midpoints = rowsFrom('midpoint', [minute(0, 0.4)]);
  expect(mergedCandles(midpoints, 2)[0]?.volume).toBeNull();
});

const candle = (atMs: number, close: number) => ({
  atMs,
  open: close,
  high: close + 1,
  low: close - 1,
  close,
  volume: 1,
});
const coin = { candles: [candle(1, 100), candle(2, 110)] };
const held = (value: number | null, buyAndHold: number | null = null) =>
  ({ benchmark: { totalReturn: { value } }, buyAndHold }) as unknown as Parameters<typeof holdOf>[1];

test('the money held ends at the return that the summary states, with its costs where they are known', () => {
  const ends = (summary: Parameters<typeof holdOf>[1]) =>
    holdOf(1_000, summary, [coin]).map(({ equity }) => Math.round(equity * 100) / 100);
  expect(ends(held(0.08, 0.1))).toEqual([981.82, 1_080]);
  expect(ends(held(null, 0.1))).toEqual([1_000, 1_100]);
  expect(ends({ buyAndHold: 0.1 } as Parameters<typeof holdOf>[1])).toEqual([1_000, 1_100]);
});

test('a return that is not of the only traded coin draws nothing', () => {
  expect(holdOf(1_000, held(0.496, 0.5), [coin])).toEqual([]);
  expect(holdOf(1_000, held(-0.2), [coin])).toEqual([]);
  expect(holdOf(1_000, held(0.08), [coin, coin])).toEqual([]);
  expect(holdOf(1_000, { benchmark: null, buyAndHold: 0.1 }, [coin])).toEqual([]);
  expect(holdOf(1_000, held(null), [coin])).toEqual([]);
  expect(holdOf(1_000, null, [coin])).toEqual([]);
  expect(holdOf(1_000, held(0.08), [])).toEqual([]);
});
