import type { Candle, Layer, Point } from './layers.ts';
import type { Zoom } from './zoom.ts';

/** Equal steps of time, each of the same width in the chart. Epoch seconds. */
export type TimeGrid = { startSec: number; stepSec: number; cells: number };
/** A stretch of a grid, in cells. */
export type CellRange = { from: number; to: number };
type Placed<Row> = { cell: number; row: Row };

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const STEPS_SEC = [
  ...[1, 2, 3, 5, 10, 15, 20, 30],
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => count * HOUR),
  ...[1, 2, 3, 7, 14, 28].map((count) => count * DAY),
];

/** More points than this make a chart slow and no clearer. */
const POINTS_MAX = 2_000;
/** The number of points that may be past the last cell. */
const LATE_MAX = 4;

/** How many cells a chart of this number of layers has. */
export const cellsMax = (layers: number): number => Math.floor(POINTS_MAX / Math.max(1, layers)) - LATE_MAX;

const secOf = ({ at }: { at: string }): number => Math.floor(Date.parse(at) / 1_000);
const rowsOf = (layer: Layer): readonly (Point | Candle)[] =>
  'candles' in layer ? layer.candles : layer.points;

/** The grid of these layers: the step of their candles, else their own if they share one, else at most `max` cells. */
export function timeGridOf(layers: readonly Layer[], max: number): TimeGrid {
  const times = [...new Set(layers.flatMap(rowsOf).map(secOf))].sort((a, b) => a - b);
  const [start, end] = [times[0], times.at(-1)];
  if (start === undefined || end === undefined) return { startSec: 0, stepSec: 1, cells: 0 };
  const candle = candleStepOf(layers);
  if (candle !== null) {
    const from = candle.startSec - Math.ceil((candle.startSec - start) / candle.stepSec) * candle.stepSec;
    if ((end - from) / candle.stepSec < max) return gridFrom(from, end, candle.stepSec);
  }
  const smallest = times.reduce(
    (least, time, index) => Math.min(least, time - (times[index - 1] ?? Number.NEGATIVE_INFINITY)),
    Number.POSITIVE_INFINITY,
  );
  const isEven = times.every((time) => time === start || (time - start) % smallest === 0);
  if (isEven && (end - start) / smallest < max) return gridFrom(start, end, start === end ? 1 : smallest);
  const wide = (end - start) / (max - 1);
  const step = STEPS_SEC.find((each) => each >= wide) ?? Math.ceil(wide / DAY) * DAY;
  return gridFrom(Math.floor(start / step) * step, end, step);
}

/** The usual distance of candles, and the first of them: curves beside candles have their width. Null: fewer than three. */
function candleStepOf(layers: readonly Layer[]): { startSec: number; stepSec: number } | null {
  const times = layers.flatMap((layer) => (layer.kind === 'candles' ? layer.candles.map(secOf) : []));
  const ordered = [...new Set(times)].sort((a, b) => a - b);
  const steps = ordered.slice(1).map((time, index) => time - (ordered[index] ?? time));
  const stepSec = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)];
  const [startSec] = ordered;
  return startSec === undefined || stepSec === undefined || steps.length < 2 ? null : { startSec, stepSec };
}

const gridFrom = (startSec: number, endSec: number, stepSec: number): TimeGrid => ({
  startSec,
  stepSec,
  cells: Math.floor((endSec - startSec) / stepSec) + 1,
});

const cellOf = (row: { at: string }, { startSec, stepSec }: TimeGrid): number =>
  Math.floor((secOf(row) - startSec) / stepSec);

/** Ascending, the last of each second. */
function ascending<Row extends { at: string }>(rows: readonly Row[]): Row[] {
  const bySecond = new Map(rows.map((row) => [secOf(row), row]));
  return [...bySecond].sort(([a], [b]) => a - b).map(([, row]) => row);
}

/**
 * Puts points into cells: the first, the last, those before gaps, and of every two cells the lowest and the highest. A point whose cell is taken
 * goes into the next, so it is at most a few cells late. None is later than the last point: at the end they go into the cells
 * before.
 */
export function placePoints(points: readonly Point[], grid: TimeGrid): Placed<Point>[] {
  const rows = ascending(points);
  const [first, last] = [rows[0], rows.at(-1)];
  const pairs = Object.values(Object.groupBy(rows, (row) => Math.floor(cellOf(row, grid) / 2)));
  const retained = pairs.flatMap((pair = []) => {
    if (pair.length <= 2) return pair;
    const [low, high] = [extreme(pair, Math.min), extreme(pair, Math.max)];
    return pair.filter(
      (row) => row === low || row === high || row === first || row === last || row.isBeforeGap,
    );
  });
  let next = 0;
  const late = retained.map((row) => {
    const cell = Math.max(next, cellOf(row, grid));
    next = cell + 1;
    return { cell, row };
  });
  const end = last === undefined ? 0 : Math.max(cellOf(last, grid), late.length - 1);
  return late.map(({ cell, row }, index) => ({ cell: Math.min(cell, end - (late.length - 1 - index)), row }));
}

const extreme = (rows: readonly Point[], of: typeof Math.min): Point | undefined => {
  const value = rows.reduce((found, row) => of(found, row.value), rows[0]?.value ?? 0);
  return rows.find((row) => row.value === value);
};

/** Puts candles into cells; those of one cell are merged, so that no high and no low is lost. */
export function placeCandles(candles: readonly Candle[], grid: TimeGrid): Placed<Candle>[] {
  const byCell = Object.groupBy(ascending(candles), (candle) => cellOf(candle, grid));
  return Object.values(byCell).flatMap((inCell = []) => {
    const [first, last] = [inCell[0], inCell.at(-1)];
    if (!first || !last) return [];
    const row = {
      at: first.at,
      open: first.open,
      high: inCell.reduce((high, each) => Math.max(high, each.high), first.high),
      low: inCell.reduce((low, each) => Math.min(low, each.low), first.low),
      close: last.close,
      ...(first.volume !== undefined && {
        volume: inCell.reduce((sum, { volume = 0 }) => sum + volume, 0),
      }),
    };
    return [{ cell: cellOf(first, grid), row }];
  });
}

/** The cell that an instant is in, or the next one; the first for an instant before all. */
export function nearestCell(at: string, grid: TimeGrid, cells: readonly number[]): number {
  const cell = cellOf({ at }, grid);
  return cellUpTo(cell, cells) ?? cells[0] ?? 0;
}

/** The cell that a key leads to: the next with something drawn in its direction, or the requested one if there is none. */
export function drawnCell(requested: number, cursor: number | null, drawn: ReadonlySet<number>): number {
  if (drawn.has(requested)) return requested;
  const isForward = cursor !== null && requested > cursor;
  const cells = [...drawn].filter((cell) => (isForward ? cell > requested : cell < requested));
  if (cells.length === 0) return requested;
  return isForward ? Math.min(...cells) : Math.max(...cells);
}

/** The last of these cells, ascending, up to this one. */
export const cellUpTo = (cell: number, cells: readonly number[]): number | undefined =>
  cells.findLast((each) => each <= cell);

/** The cells of a stretch of time, and the time of a stretch of cells, in epoch seconds. */
export const cellsOf = (fromSec: number, toSec: number, { startSec, stepSec }: TimeGrid): CellRange => ({
  from: (fromSec - startSec) / stepSec,
  to: (toSec - startSec) / stepSec,
});
export const secondsOf = ({ from, to }: CellRange, { startSec, stepSec }: TimeGrid): Zoom => [
  Math.round(startSec + from * stepSec),
  Math.round(startSec + to * stepSec),
];
