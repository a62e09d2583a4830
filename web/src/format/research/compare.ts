import type { BacktestComparison } from '../../api/row-types.ts';
import { type Message, msg, t } from '../../language/language.ts';
import { returnFigures, riskFigures, type Statistics, tradeFigures } from './statistics.ts';
import { tailFigures } from './tails.ts';

type Run = BacktestComparison['runs'][number];

export type ComparisonRow = {
  readonly title: string;
  readonly definition: string;
  readonly values: readonly string[];
  /** The index of the best run; null if there is none, or if the runs cannot be compared. */
  readonly best: number | null;
};

const more = (value: number | null | undefined): number | null => value ?? null;
const less = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : -value;

/** The figures by which one run is better than another, and how far. */
const SCORES: readonly (readonly [Message, (of: Statistics) => number | null])[] = [
  [msg('Net profit'), (of) => more(of.netProfit)],
  [msg('Total return'), (of) => more(of.totalReturn.value)],
  [msg('CAGR'), (of) => more(of.cagr.value)],
  [msg('Max. drawdown'), (of) => less(of.maxDrawdown?.share ?? 0)],
  [msg('Sharpe'), (of) => more(of.sharpe.value)],
  [msg('Sortino'), (of) => more(of.sortino.value)],
  [msg('Calmar'), (of) => more(of.calmar.value)],
  [msg('Profit factor'), (of) => more(of.trades.profitFactor.value)],
  [msg('Average P&L'), (of) => more(of.trades.expectancy.value)],
];

const allOf = (of: Statistics) => [
  ...returnFigures(of),
  ...riskFigures(of),
  ...tailFigures(of),
  ...tradeFigures(of),
];

/** Figures of runs side by side. The best is marked only if the service says that they can be compared. */
export function comparisonRows({
  runs,
  comparable,
}: Pick<BacktestComparison, 'runs' | 'comparable'>): ComparisonRow[] {
  const first = runs.find(({ statistics }) => statistics !== null)?.statistics;
  if (!first) return [];
  return allOf(first).map(({ title, definition }) => ({
    title,
    definition,
    values: runs.map(({ statistics }) => (statistics ? written(statistics, title) : '—')),
    best: comparable ? bestOf(runs, title) : null,
  }));
}

const written = (of: Statistics, title: string): string =>
  allOf(of).find((figure) => figure.title === title)?.value ?? '—';

function bestOf(runs: readonly Run[], title: string): number | null {
  const score = SCORES.find(([name]) => t(name) === title)?.[1];
  if (!score) return null;
  const scores = runs.map(({ statistics }) => (statistics ? score(statistics) : null));
  const known = scores.filter((each) => each !== null);
  const most = Math.max(...known);
  if (known.length < 2 || known.filter((each) => each === most).length > 1) return null;
  return scores.indexOf(most);
}
