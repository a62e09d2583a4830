import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ResampledFigures, resampledFiguresOf } from '../../../../engine/books/statistics/bootstrap.ts';
import { dailySharpe } from '../../../../engine/books/statistics/daily-returns.ts';
import { normalCdf, normalQuantile } from '../../../../engine/books/statistics/normal-distribution.ts';
import {
  deflatedSharpe,
  probabilisticSharpe,
  probabilityOfOverfitting,
} from '../../../../engine/books/statistics/overfitting.ts';
import type { Ratio } from '../../../../engine/books/statistics/ratio.ts';
import { expectClose, namedFigures, plain, play, type TradingSpan } from './trading-span.ts';

/** Results of the same definitions in another language, written without a look at this code. */
type Reference = {
  readonly scenarios: readonly (TradingSpan & {
    readonly name: string;
    readonly expected: Readonly<Record<string, unknown>>;
  })[];
  readonly overfitting: {
    readonly trials: readonly (readonly number[])[];
    readonly best: readonly number[];
    readonly psr: number;
    readonly dsr: number;
    readonly pbo: number;
    readonly resampled: ResampledFigures;
  };
  readonly normal: readonly (readonly [number, number])[];
  readonly quantiles: readonly (readonly [number, number])[];
};
const REFERENCE: Reference = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../reference/trading_statistics.json'), 'utf8'),
);

test.each(REFERENCE.scenarios)('row 1: an independent implementation agrees: $name', (scenario) => {
  const { trades, ...seen } = namedFigures(play(scenario));
  const { excursions, ...expected } = scenario.expected;
  expect(expected['closed']).toBe(trades.length);
  expectClose(seen, expected, scenario.name);
  // The reference has its own order of trades that end at one instant.
  const pairs = (list: unknown) =>
    Array.isArray(list) ? list.map((pair) => pair.map(plain).join(' to ')).sort() : [];
  expect(pairs(trades.map(({ worstPnl, bestPnl }) => [worstPnl, bestPnl]))).toEqual(pairs(excursions));
});

test('row 1: an independent implementation agrees on how much of a result luck explains', () => {
  const { trials, best, psr, dsr, pbo, resampled } = REFERENCE.overfitting;
  const value = ({ value }: Ratio) => value;
  const sharpes = trials.map((returns) => value(dailySharpe(returns)) ?? Number.NaN);
  expectClose(value(probabilisticSharpe(best)), psr, 'psr');
  expectClose(value(deflatedSharpe(best, sharpes)), dsr, 'dsr');
  expectClose(value(probabilityOfOverfitting(trials, 8)), pbo, 'pbo');
  expectClose(resampledFiguresOf(best), resampled, 'resampled');
});

test('the normal distribution is right to 9 digits, in the middle and in both tails', () => {
  for (const [x, below] of REFERENCE.normal) expectClose(normalCdf(x) / below, 1, `below ${x}`);
  for (const [share, at] of REFERENCE.quantiles) expectClose(normalQuantile(share), at, `at ${share}`);
});
