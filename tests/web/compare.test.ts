import { expect, test } from 'vitest';
import { OUTLINE_EXAMPLE } from '../../routers/backtests/examples.ts';
import { STATISTICS_EXAMPLE } from '../../routers/portfolio/statistics-view.ts';
import { comparisonRows } from '../../web/src/format/research/compare.ts';

const graph = { added: [], removed: [], changed: [], edgesAdded: [], edgesRemoved: [] };
const run = (netProfit: number, fall: number | null) => ({
  backtest: OUTLINE_EXAMPLE,
  graph,
  statistics: {
    ...STATISTICS_EXAMPLE,
    netProfit,
    maxDrawdown:
      fall === null || STATISTICS_EXAMPLE.maxDrawdown === null
        ? null
        : { ...STATISTICS_EXAMPLE.maxDrawdown, share: fall },
  },
});
const bestOf = (comparable: boolean, runs: ReturnType<typeof run>[], title: string) =>
  comparisonRows({ comparable, runs }).find((line) => line.title === title)?.best;

test('the best run of each figure is marked: the largest profit, the smallest fall', () => {
  const runs = [run(1, 0.2), run(3, 0.3), run(2, null)];
  expect(bestOf(true, runs, 'Net profit')).toBe(1);
  expect(bestOf(true, runs, 'Max. drawdown')).toBe(2);
  expect(bestOf(true, runs, 'Turnover')).toBeNull();
});

test('row 53: among runs that cannot be compared, none is marked as best', () => {
  const runs = [run(1, 0.2), run(3, 0.3)];
  expect(comparisonRows({ comparable: false, runs }).filter(({ best }) => best !== null)).toEqual([]);
});

test('equal runs have no best one', () => {
  expect(bestOf(true, [run(2, 0.1), run(2, 0.1)], 'Net profit')).toBeNull();
});
