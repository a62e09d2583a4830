import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyActionOf } from '../../web/src/charts/key-actions.ts';
import type { Candle, Point } from '../../web/src/charts/layers.ts';
import { readoutOf } from '../../web/src/charts/readout.ts';
import {
  pointsSince,
  rebased,
  type StrategyContent,
  strategyLayers,
} from '../../web/src/charts/strategy-layers.ts';
import { readZoom, writeZoom } from '../../web/src/charts/zoom.ts';

const at = (minute: number) => new Date(minute * 60_000).toISOString();
const pointsOf = (values: readonly number[], from = 0): Point[] =>
  values.map((value, index) => ({ at: at(from + index), value }));
const candle = (minute: number, volume?: number): Candle => ({
  at: at(minute),
  ...{ open: 1, high: 3, low: 0.5, close: 2 },
  ...(volume !== undefined && { volume }),
});
const price = (candles: readonly Candle[], apart: number): StrategyContent['price'] => ({
  name: 'BTC/USDT',
  candles,
  fills: [{ at: at(1), side: 'buy', price: 2 }],
  levels: [],
  write: String,
  over: [{ name: 'EMA 9', points: pointsOf([1, 2]) }],
  apart: Array.from({ length: apart }, (_, index) => ({ name: `RSI ${index}`, points: pointsOf([50]) })),
});
const layersOf = (of: StrategyContent['price'], beside: StrategyContent['beside'] = []) =>
  strategyLayers({
    price: of,
    equity: { name: 'Paper', points: pointsOf([100, 99]) },
    beside,
    drawdown: pointsOf([0, -0.01]),
  });

test('a strategy is drawn from price to drawdown in panes without a gap, whichever of them there are', () => {
  const kinds = ({ layers }: ReturnType<typeof layersOf>) =>
    layers.map(({ pane, kind, name }) => `${pane} ${kind} ${name}`);
  expect(kinds(layersOf(price([candle(0, 5), candle(1, 6)], 1)))).toEqual([
    '0 candles BTC/USDT',
    '0 line EMA 9',
    '1 volume Volume',
    '2 line RSI 0',
    '3 baseline Paper',
    '4 below Drawdown',
  ]);
  // A venue that counts no volume has no empty pane; without candles, the fills are the price.
  expect(kinds(layersOf(price([candle(0)], 0)))[2]).toBe('1 baseline Paper');
  expect(kinds(layersOf(price([], 0)))[0]).toBe('0 area BTC/USDT');
  expect(kinds(layersOf(null, [{ name: 'Backtest', points: pointsOf([1]) }]))).toEqual([
    '0 baseline Paper',
    '0 line Backtest',
    '1 below Drawdown',
  ]);
  for (const of of [null, price([candle(0, 5)], 2), price([candle(0)], 0)]) {
    const { layers, panes, height } = layersOf(of);
    expect(new Set(layers.map(({ pane }) => pane)).size).toBe(panes.length);
    expect(height).toBeGreaterThan(panes.reduce((sum, each) => sum + each, 0));
  }
});

test('a backtest over a paper curve has its value where both begin, and every return of its own', () => {
  const positive = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(positive, positive, fc.integer({ min: -40, max: 40 }), (backtest, paper, shift) => {
      const [points, onto] = [pointsOf(backtest), pointsOf(paper, shift)];
      const scaled = rebased(points, onto) ?? [];
      expect(scaled.map((point) => point.at)).toEqual(points.map((point) => point.at));
      scaled.forEach(({ value }, index) => {
        expect(value / (scaled[0]?.value ?? 0)).toBeCloseTo((backtest[index] ?? 0) / (backtest[0] ?? 0), 6);
      });
      const start = Math.max(0, shift);
      const own = scaled[Math.min(start, scaled.length - 1)]?.value ?? Number.NaN;
      const other = paper[Math.min(start - shift, paper.length - 1)] ?? Number.NaN;
      expect(own / other).toBeCloseTo(1, 6);
    }),
  );
  expect(rebased([], pointsOf([1]))).toBeNull();
  expect(rebased(pointsOf([0, 1]), pointsOf([1]))).toBeNull();
});

test('of a backtest, nothing before the range is drawn, and nothing at all if it ended before', () => {
  expect(pointsSince(pointsOf([1, 2, 3]), 90_000)).toEqual([
    { at: at(1.5), value: 2 },
    { at: at(2), value: 3 },
  ]);
  expect(pointsSince(pointsOf([1, 2]), -5)).toEqual(pointsOf([1, 2]));
  expect(pointsSince(pointsOf([1, 2]), 60_000)).toEqual([]);
});

test('the legend says the values at the cursor: of a candle in its own cell only, of a curve the last one', () => {
  const { layers } = layersOf(price([candle(0, 5), candle(3, 6)], 0));
  const placedLayers = layers.map((layer) => {
    const rows = 'candles' in layer ? layer.candles : layer.points;
    const placed = new Map(rows.map((row) => [Date.parse(row.at) / 60_000, row] as const));
    return { layer, placed, cells: [...placed.keys()] };
  });
  const wordsAt = (cell: number | null) =>
    readoutOf(placedLayers, cell).map(({ rows }) => rows.map(({ words }) => words));
  expect(wordsAt(null)).toEqual([['O\u00a01 H\u00a03 L\u00a00.5 C\u00a02', '2'], ['6'], ['$99.00'], ['−1%']]);
  expect(wordsAt(0)).toEqual([['O\u00a01 H\u00a03 L\u00a00.5 C\u00a02', '1'], ['5'], ['$100.00'], ['0%']]);
  // Between candles there is no price; after the end of a curve, no value.
  expect(wordsAt(2)).toEqual([['—', '—'], ['—'], ['—'], ['—']]);
  expect(readoutOf(placedLayers, null).map(({ isAtBottom }) => isAtBottom)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test('in a gap of a line the legend says no value, before and after it the one there', () => {
  const points = [{ at: at(0), value: 1, isBeforeGap: true } as const, { at: at(9), value: 2 }];
  const placed = new Map(points.map((row, index) => [index * 9, row] as const));
  const layer = { kind: 'line', name: 'Yes', tone: 'accent', points, write: String } as const;
  const wordsAt = (cell: number | null) =>
    readoutOf([{ layer, placed, cells: [0, 9] }], cell)[0]?.rows[0]?.words;
  expect([0, 1, 8, 9, null].map(wordsAt)).toEqual(['1', '—', '—', '2', '2']);
});

test('keys move the cursor within the chart, zoom, and leave all others to the page', () => {
  const press = (key: string, cursor: number | null, more = {}) =>
    keyActionOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more }, cursor, 99);
  expect(press('ArrowLeft', null)).toEqual({ kind: 'move', cell: 99 });
  expect(press('ArrowLeft', 0)).toEqual({ kind: 'move', cell: 0 });
  expect(press('ArrowRight', 95, { shiftKey: true })).toEqual({ kind: 'move', cell: 99 });
  expect(press('Home', 50)).toEqual({ kind: 'move', cell: 0 });
  expect(press('Escape', 50)).toEqual({ kind: 'clear' });
  expect(press('Escape', null)).toBeNull();
  expect(press('ArrowLeft', 5, { altKey: true })).toBeNull();
  expect(press('Tab', 5)).toBeNull();
  expect(press('+', null)).toMatchObject({ kind: 'zoom', part: 0.25 });
});

test('a zoom in the address is read as it was written, and a damaged one is none', () => {
  expect(readZoom(writeZoom([1_764_200_000, 1_764_230_000]))).toEqual([1_764_200_000, 1_764_230_000]);
  for (const word of [undefined, '', '5', '9-3', '3-3', 'a-b', '1-2-3', '-1-5', `${'9'.repeat(40)}-1`]) {
    expect(readZoom(word), word).toBeNull();
  }
  expect(writeZoom(null)).toBeUndefined();
  expect(writeZoom([-20.5, 3.4])).toBe('0-3');
});
