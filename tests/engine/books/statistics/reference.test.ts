import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dailySharpe } from '../../../../engine/books/statistics/days.ts';
import { normalAt, normalBelow } from '../../../../engine/books/statistics/normal.ts';
import {
  deflatedSharpe,
  probabilisticSharpe,
  probabilityOfOverfitting,
} from '../../../../engine/books/statistics/overfitting.ts';
import type { Ratio } from '../../../../engine/books/statistics/ratio.ts';
import { close, named, plain, play, type Told } from './support.ts';

/** Results of the same definitions in another language, written without a look at this code. */
type Reference = {
  readonly scenarios: readonly (Told & {
    readonly name: string;
    readonly expected: Readonly<Record<string, unknown>>;
  })[];
  readonly overfitting: {
    readonly trials: readonly (readonly number[])[];
    readonly best: readonly number[];
    readonly psr: number;
    readonly dsr: number;
    readonly pbo: number;
  };
  readonly normal: readonly (readonly [number, number])[];
  readonly quantiles: readonly (readonly [number, number])[];
};
const REFERENCE: Reference = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../reference/trading_statistics.json'), 'utf8'),
);

test.each(REFERENCE.scenarios)('row 1: an independent implementation agrees: $name', (scenario) => {
  const { trades, ...seen } = named(play(scenario));
  const { excursions, ...expected } = scenario.expected;
  expect(expected['closed']).toBe(trades.length);
  close(seen, expected, scenario.name);
  // The reference has its own order of trades that end at one instant.
  const pairs = (list: unknown) =>
    Array.isArray(list) ? list.map((pair) => pair.map(plain).join(' to ')).sort() : [];
  expect(pairs(trades.map(({ worstPnl, bestPnl }) => [worstPnl, bestPnl]))).toEqual(pairs(excursions));
});

test('row 1: an independent implementation agrees on how much of a result luck explains', () => {
  const { trials, best, psr, dsr, pbo } = REFERENCE.overfitting;
  const value = ({ value }: Ratio) => value;
  const sharpes = trials.map((returns) => value(dailySharpe(returns)) ?? Number.NaN);
  close(value(probabilisticSharpe(best)), psr, 'psr');
  close(value(deflatedSharpe(best, sharpes)), dsr, 'dsr');
  close(value(probabilityOfOverfitting(trials, 8)), pbo, 'pbo');
});

test('the normal distribution is right to 9 digits, in the middle and in both tails', () => {
  for (const [x, below] of REFERENCE.normal) close(normalBelow(x) / below, 1, `below ${x}`);
  for (const [share, at] of REFERENCE.quantiles) close(normalAt(share), at, `at ${share}`);
});
