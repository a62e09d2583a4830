import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HEATMAP_LINES_MAX, heatmapOf } from '../../../../engine/research/search/heatmap.ts';

const spaceOf = (...sizes: number[]) => ({
  dimensions: sizes.map((size, place) => ({
    pointer: `/${place}`,
    values: Array.from({ length: size }, (_, value) => value),
  })),
  constraints: [],
});
const at = (number: number, combination: number[], figure: number | null) => ({
  number,
  combination,
  figure,
});

test('a cell has the middle and the best of its trials, the first of equal ones; those without a figure are omitted', () => {
  const trials = [at(0, [0, 1, 0], 1), at(1, [0, 1, 1], 3), at(2, [0, 1, 2], 3), at(3, [1, 1, 0], null)];
  expect(heatmapOf(spaceOf(2, 2, 3), trials, { x: 0, y: 1, isLessBetter: false }).cells).toEqual([
    { x: 0, y: 1, trials: 3, median: 3, best: 3, bestNumber: 1 },
  ]);
  const [least] = heatmapOf(spaceOf(2, 2, 3), trials, { x: 0, y: 1, isLessBetter: true }).cells;
  expect(least).toMatchObject({ best: 1, bestNumber: 0 });
});

test('with any number of values, a grid has at most 32 lines a side, and every trial lies in one cell', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 40 }), (columns, rows) => {
      const trials = Array.from({ length: columns * rows }, (_, number) =>
        at(number, [number % columns, Math.floor(number / columns)], number),
      );
      const { x, y, cells } = heatmapOf(spaceOf(columns, rows), trials, { x: 0, y: 1, isLessBetter: false });
      expect(Math.max(x.length, y.length)).toBeLessThanOrEqual(HEATMAP_LINES_MAX);
      expect([x[0]?.first, x.at(-1)?.last]).toEqual([0, columns - 1]);
      expect(cells.reduce((sum, cell) => sum + cell.trials, 0)).toBe(trials.length);
      expect(new Set(cells.map((cell) => `${cell.x},${cell.y}`)).size).toBe(cells.length);
      for (const cell of cells) expect(cell.x < x.length && cell.y < y.length).toBe(true);
    }),
    { numRuns: 30 },
  );
});
