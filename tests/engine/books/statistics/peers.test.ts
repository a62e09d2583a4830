/**
 * Figures that other tools compute under the same names. A figure that equals theirs where our definition differs is a copy.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DailyReturns } from '../../../../engine/books/statistics/daily-returns.ts';
import { centralMoment, deviation, mean, sum } from '../../../../engine/books/statistics/moments.ts';
import { normalCdf } from '../../../../engine/books/statistics/normal-distribution.ts';
import { probabilisticSharpe } from '../../../../engine/books/statistics/overfitting.ts';
import type { Ratio } from '../../../../engine/books/statistics/ratio.ts';
import { namedFigures, play, type TradingSpan } from './trading-span.ts';

const REFERENCE: {
  readonly scenarios: readonly (TradingSpan & { readonly name: string })[];
  readonly overfitting: { readonly best: readonly number[] };
} = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../reference/trading_statistics.json'), 'utf8'),
);
const DAY = 86_400_000;
const spreadOf = (values: readonly number[]) => Math.sqrt(centralMoment(values, 2));

/** The formula of each tool as its source has it, on the same trading. */
function peersOf({ start, fromMs, toMs, points }: TradingSpan, seen: ReturnType<typeof namedFigures>) {
  const days = new DailyReturns(start);
  for (const point of points) days.add(point);
  const returns = days.returns().map(({ value }) => value);
  const growth = Number(points.at(-1)?.equity) / Number(start);
  const span = toMs - fromMs;
  const pnls = seen.trades.map(({ pnl }) => Number(pnl));
  const shares = pnls.map((pnl) => pnl / Number(start));
  const geometric = growth ** (1 / returns.length) - 1;
  const short = (values: readonly number[]) =>
    Math.sqrt(mean(values.map((value) => Math.min(value, 0) ** 2)));
  return {
    sharpe: {
      'per trade, over days': (sum(shares) / (span / DAY) / spreadOf(shares)) * Math.sqrt(365),
      'of 252 days': (mean(returns) / deviation(returns)) * Math.sqrt(252),
      'of the deviation of a population': (mean(returns) / spreadOf(returns)) * Math.sqrt(365),
      'without the first day': (mean(returns.slice(1)) / deviation(returns.slice(1))) * Math.sqrt(365),
      'with 1 % without risk':
        ((mean(returns) - (1.01 ** (1 / 365) - 1)) / deviation(returns)) * Math.sqrt(365),
      'of a geometric mean': (geometric / deviation(returns)) * Math.sqrt(365),
    },
    sortino: {
      'per trade, over days':
        (sum(shares) / (span / DAY) / spreadOf(shares.filter((share) => share < 0))) * Math.sqrt(365),
      'over the bad days only':
        (mean(returns) / short(returns.filter((value) => value < 0))) * Math.sqrt(365),
      'of 252 days': (mean(returns) / short(returns)) * Math.sqrt(252),
    },
    cagr: {
      'of 365.25 days': growth ** ((365.25 * DAY) / span) - 1,
      'of 252 days': growth ** (252 / returns.length) - 1,
    },
    calmar: { 'times 100': Number(seen.calmar.value) * 100 },
    sqn: {
      'of the deviation of a population': (Math.sqrt(pnls.length) * mean(pnls)) / spreadOf(pnls),
      ...(pnls.length > 100 && { 'capped at 100': (10 * mean(pnls)) / deviation(pnls) }),
    },
    profitFactor: {
      'of daily returns':
        sum(returns.filter((value) => value > 0)) / -sum(returns.filter((value) => value < 0)),
    },
    winRate: {
      ...(seen.flat > 0 && { 'flat ones left out': seen.wins / (seen.wins + seen.losses) }),
      ...(seen.open > 0 && { 'closed by force': seen.wins / (seen.closed + seen.open) }),
    },
  } satisfies Partial<Record<keyof typeof seen, Record<string, number>>>;
}

test.each(REFERENCE.scenarios)('row 3: no figure is one of another tool: $name', (scenario) => {
  const seen = namedFigures(play(scenario));
  let compared = 0;
  for (const [figure, formulas] of Object.entries(peersOf(scenario, seen))) {
    const { value } = seen[figure as keyof typeof seen] as Ratio;
    if (value === null || value === 0) continue;
    for (const [peer, theirs] of Object.entries(formulas)) {
      if (!Number.isFinite(theirs)) continue;
      expect(Math.abs(theirs / value - 1), `${figure} ${peer}: ${theirs}`).toBeGreaterThan(1e-9);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(5);
});

test('row 3: luck is measured with raw kurtosis: that of a normal distribution is 3, not 0', () => {
  const { best } = REFERENCE.overfitting;
  const ratio = mean(best) / deviation(best);
  const variance = centralMoment(best, 2);
  const skewness = centralMoment(best, 3) / variance ** 1.5;
  const excess = centralMoment(best, 4) / variance ** 2 - 3;
  const theirs = normalCdf(
    (ratio * Math.sqrt(best.length - 1)) / Math.sqrt(1 - skewness * ratio + ((excess - 1) / 4) * ratio ** 2),
  );
  const ours = probabilisticSharpe(best).value ?? Number.NaN;
  expect(Math.abs(theirs / ours - 1)).toBeGreaterThan(1e-6);
});

test('row 3: an unknown figure has no stand-in: no 0, no 10, no -100, no infinity', () => {
  const won = namedFigures(
    play({
      start: '100',
      fromMs: 0,
      toMs: DAY,
      events: [
        { kind: 'fill', holding: 'a', atMs: 1, side: 'buy', amount: '1', price: '1', fee: '0' },
        { kind: 'fill', holding: 'a', atMs: 2, side: 'sell', amount: '1', price: '2', fee: '0' },
      ],
      points: [{ atMs: 2, equity: '101', held: '0' }],
    }),
  );
  for (const figure of ['profitFactor', 'sharpe', 'sortino', 'sqn', 'calmar', 'payoff'] as const)
    expect(won[figure].value, figure).toBeNull();
});
