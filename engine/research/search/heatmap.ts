/** Two dimensions of a sweep against each other: results of the trials of each pair of values. */
import { median } from '../../books/statistics/moments.ts';
import type { Scalar, Space } from './request.ts';
import { type Combination, valuesOf } from './space.ts';

/** Neighbouring values share a row above this number, so that the picture stays readable. */
export const HEATMAP_LINES_MAX = 32;

/** One row or column of a grid: a value, or neighbouring ones. */
export type HeatmapLine = { readonly first: Scalar; readonly last: Scalar };

export type HeatmapCell = {
  readonly x: number;
  readonly y: number;
  /** Number of trials with a figure. */
  readonly trials: number;
  readonly median: number;
  readonly best: number;
  /** The trial with the figure `best`, the first of equal ones. */
  readonly bestNumber: number;
};

export type TrialHeatmap = {
  readonly x: readonly HeatmapLine[];
  readonly y: readonly HeatmapLine[];
  /** Cells without a trial are left out. */
  readonly cells: readonly HeatmapCell[];
};

export type TrialFigure = {
  readonly number: number;
  readonly combination: Combination;
  /** Null if the trial has none. */
  readonly figure: number | null;
};

/** Pure. `x` and `y` are indexes of dimensions; `isLessBetter`: for figures of a loss. */
export function heatmapOf(
  { dimensions }: Space,
  trials: readonly TrialFigure[],
  { x, y, isLessBetter }: { readonly x: number; readonly y: number; readonly isLessBetter: boolean },
): TrialHeatmap {
  const across = new Axis(dimensions[x]);
  const down = new Axis(dimensions[y]);
  const found = trials.flatMap(({ number, combination, figure }) =>
    figure === null
      ? []
      : [{ number, figure, x: across.binOf(combination[x] ?? 0), y: down.binOf(combination[y] ?? 0) }],
  );
  const better = (one: number, other: number) => (isLessBetter ? one < other : one > other);
  const byCell = Map.groupBy(found, (each) => each.y * HEATMAP_LINES_MAX + each.x);
  const cells = [...byCell.values()].flatMap((inside): HeatmapCell[] => {
    const [first] = inside;
    if (first === undefined) return [];
    const best = inside.reduce((most, each) => (better(each.figure, most.figure) ? each : most), first);
    return [
      {
        x: best.x,
        y: best.y,
        trials: inside.length,
        median: median(inside.map(({ figure }) => figure)),
        best: best.figure,
        bestNumber: best.number,
      },
    ];
  });
  return {
    x: across.bins,
    y: down.bins,
    cells: cells.sort((a, b) => a.y - b.y || a.x - b.x),
  };
}

class Axis {
  readonly bins: readonly HeatmapLine[];
  readonly #width: number;

  constructor(dimension: Space['dimensions'][number] | undefined) {
    const values = dimension === undefined ? [] : valuesOf(dimension);
    this.#width = Math.max(1, Math.ceil(values.length / HEATMAP_LINES_MAX));
    this.bins = Array.from({ length: Math.ceil(values.length / this.#width) }, (_, bin) => {
      const inside = values.slice(bin * this.#width, (bin + 1) * this.#width);
      const [first = '', last = first] = [inside[0], inside.at(-1)];
      return { first, last };
    });
  }

  binOf(index: number): number {
    return Math.floor(index / this.#width);
  }
}
