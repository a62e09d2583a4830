import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candle, Layer, Point } from '../../web/src/charts/layers.ts';
import {
  cellsMax,
  cellsOf,
  drawnCell,
  nearestCell,
  placeCandles,
  placePoints,
  secondsOf,
  timeGridOf,
} from '../../web/src/charts/time-grid.ts';

const pointsOf = (values: readonly number[], everySec = 60): Point[] =>
  values.map((value, index) => ({ at: new Date(index * everySec * 1_000).toISOString(), value }));
const candlesOf = (count: number): Candle[] =>
  pointsOf(Array.from({ length: count }, (_, index) => Math.sin(index) * 100)).map(({ at, value }) => ({
    at,
    open: value,
    high: value + 2,
    low: value - 2,
    close: value + 1,
  }));
const line = (points: readonly Point[]): Layer => ({ kind: 'line', tone: 'accent', points, write: String });
const clock = (...times: string[]): Point[] =>
  times.map((time, value) => ({ at: `2026-11-24T${time}:00.000Z`, value }));

test('equal minutes are equally wide, whatever points there are', () => {
  const points = clock('01:20', '01:25', '01:55', '02:20', '02:24');
  const grid = timeGridOf([line(points)], 2_000);
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = placePoints(points, grid).map(({ cell }) => cell);
  const perMinute = (b - a) / 5;
  expect([c - b, d - c, e - d].map((cells) => cells / perMinute)).toEqual([30, 25, 4]);
});

test('candles with a night between them leave the room of that night', () => {
  const candles = candlesOf(10).filter((_, index) => index < 3 || index > 7);
  const grid = timeGridOf([{ kind: 'candles', candles, write: String }], 2_000);
  expect(grid).toEqual({ startSec: 0, stepSec: 60, cells: 10 });
  expect(placeCandles(candles, grid).map(({ cell }) => cell)).toEqual([0, 1, 2, 8, 9]);
});

test('a point before a gap stays, however many points its cells have', () => {
  const points = pointsOf(Array.from({ length: 100 }, (_, index) => index % 7)).map((point, index) =>
    index === 50 ? { ...point, isBeforeGap: true as const } : point,
  );
  const placedRows = placePoints(points, timeGridOf([line(points)], 10));
  expect(placedRows.filter(({ row }) => row.isBeforeGap)).toHaveLength(1);
});

test('a chart has at most 2,000 points, however many there are, and keeps ends and extremes', () => {
  const times = fc.uniqueArray(fc.nat({ max: 100_000 }), { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(times, fc.infiniteStream(fc.double({ noNaN: true })), (seconds, drawn) => {
      const points = seconds
        .sort((a, b) => a - b)
        .map((sec) => ({ at: new Date(sec * 1_000).toISOString(), value: drawn.next().value }));
      const grid = timeGridOf([line(points)], 20);
      const placedRows = placePoints(points, grid);
      expect(grid.cells).toBeLessThanOrEqual(21);
      expect(placedRows.length).toBeLessThanOrEqual(24);
      const [rows, cells] = [placedRows.map(({ row }) => row), placedRows.map(({ cell }) => cell)];
      expect([rows[0], rows.at(-1)]).toEqual([points[0], points.at(-1)]);
      expect(cells).toEqual([...new Set(cells)].sort((a, b) => a - b));
      for (const extreme of [Math.min, Math.max]) {
        expect(extreme(...rows.map(({ value }) => value))).toBe(extreme(...points.map(({ value }) => value)));
      }
    }),
    { numRuns: 50 },
  );
  const many = pointsOf(Array.from({ length: 30_000 }, (_, index) => index % 777));
  const layers: Layer[] = [
    line(many),
    { kind: 'below', points: many, write: String },
    { kind: 'candles', candles: candlesOf(30_000), write: String },
  ];
  const grid = timeGridOf(layers, cellsMax(layers.length));
  const count = layers.reduce(
    (sum, layer) =>
      sum + ('candles' in layer ? placeCandles(layer.candles, grid) : placePoints(layer.points, grid)).length,
    0,
  );
  expect(count).toBeLessThanOrEqual(2_000);
  expect(count).toBeGreaterThan(1_000);
});

test('candles drawn as one keep the first open, the last close, the highest and the lowest', () => {
  const candles = candlesOf(1_000);
  const grid = timeGridOf([{ kind: 'candles', candles, write: String }], 90);
  const placedRows = placeCandles(candles, grid).map(({ row }) => row);
  expect(placedRows.length).toBeLessThanOrEqual(90);
  expect(placedRows[0]?.open).toBe(candles[0]?.open);
  expect(placedRows.at(-1)?.close).toBe(candles.at(-1)?.close);
  expect(Math.max(...placedRows.map(({ high }) => high))).toBe(Math.max(...candles.map(({ high }) => high)));
  expect(Math.min(...placedRows.map(({ low }) => low))).toBe(Math.min(...candles.map(({ low }) => low)));
});

test('what is zoomed to stays the same stretch of time as points come and the first ones go', () => {
  const before = timeGridOf([line(pointsOf([1, 2, 3, 4, 5, 6]))], 2_000);
  const after = timeGridOf([line(pointsOf([1, 2, 3, 4, 5, 6, 7, 8]).slice(2))], 2_000);
  const zoom = secondsOf({ from: 2.5, to: 4 }, before);
  expect(cellsOf(...zoom, after)).toEqual({ from: 0.5, to: 2 });
  const coarser = { startSec: 0, stepSec: 120, cells: 4 };
  expect(cellsOf(...zoom, coarser)).toEqual({ from: 1.25, to: 2 });
});

test('a chart of nothing, or of one point, has a grid', () => {
  expect(timeGridOf([line([])], 2_000).cells).toBe(0);
  const [point] = clock('01:20');
  const one = timeGridOf([line(point ? [point] : [])], 2_000);
  expect(one).toMatchObject({ stepSec: 1, cells: 1 });
});

test('a fill stands on the candle it happened in, and on the first where it is older than all', () => {
  const grid = { startSec: 600, stepSec: 60, cells: 10 };
  const at = (sec: number) => nearestCell(new Date(sec * 1_000).toISOString(), grid, [0, 2, 7]);
  expect([at(0), at(600), at(719), at(720), at(1_019), at(9_000)]).toEqual([0, 0, 0, 2, 2, 7]);
});

test('curves beside candles take the step of the candles, so that candles stay as wide as time', () => {
  const candles = candlesOf(6);
  const equity = pointsOf([1, 2, 3, 4, 5, 6, 7], 37);
  const grid = timeGridOf([{ kind: 'candles', candles, write: String }, line(equity)], 2_000);
  expect(grid).toEqual({ startSec: 0, stepSec: 60, cells: 6 });
  expect(placePoints(equity, grid).map(({ cell }) => cell)).toEqual([0, 1, 2, 3]);
  const earlier = line([{ at: '1969-12-31T23:57:30.000Z', value: 1 }]);
  expect(timeGridOf([{ kind: 'candles', candles, write: String }, earlier], 2_000)).toEqual({
    startSec: -180,
    stepSec: 60,
    cells: 9,
  });
});

test('points that crowd into the last candle end with it: nothing is drawn later than it happened', () => {
  const grid = { startSec: 0, stepSec: 7_200, cells: 10 };
  const young = pointsOf([5, 3, 9, 7], 60).map(({ at, value }) => ({
    at: new Date(Date.parse(at) + 9 * 7_200_000).toISOString(),
    value,
  }));
  expect(placePoints(young, grid).map(({ cell, row }) => [cell, row.value])).toEqual([
    [6, 5],
    [7, 3],
    [8, 9],
    [9, 7],
  ]);
  expect(placePoints(young.slice(0, 2), { ...grid, startSec: 9 * 7_200 }).map(({ cell }) => cell)).toEqual([
    0, 1,
  ]);
});

test('candles that are joined have the volume of all', () => {
  const candles = candlesOf(10).map((candle, index) => ({ ...candle, volume: index }));
  const grid = { startSec: 0, stepSec: 300, cells: 2 };
  expect(placeCandles(candles, grid).map(({ row }) => row.volume)).toEqual([10, 35]);
  expect(placeCandles(candlesOf(2), grid)[0]?.row).not.toHaveProperty('volume');
});

test('a stretch of time is the same cells, there and back', () => {
  const grid = { startSec: 600, stepSec: 60, cells: 10 };
  expect(cellsOf(660, 930, grid)).toEqual({ from: 1, to: 5.5 });
  expect(secondsOf({ from: 1, to: 5.5 }, grid)).toEqual([660, 930]);
});

test('a key leads to what is drawn next in its direction, over the cells without anything', () => {
  const drawn = new Set([0, 6, 12, 15]);
  expect(drawnCell(14, 15, drawn)).toBe(12);
  expect(drawnCell(7, 6, drawn)).toBe(12);
  expect(drawnCell(6, 12, drawn)).toBe(6);
  expect(drawnCell(15, null, drawn)).toBe(15);
  expect(drawnCell(16, 15, drawn)).toBe(16);
  expect(drawnCell(3, 4, new Set())).toBe(3);
});
