import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dailySharpe } from '../../../engine/statistics/days.ts';
import { normalAt, normalBelow } from '../../../engine/statistics/normal.ts';
import {
  deflatedSharpe,
  probabilisticSharpe,
  probabilityOfOverfitting,
} from '../../../engine/statistics/overfitting.ts';
import type { Ratio } from '../../../engine/statistics/ratio.ts';
import { type HeldPoint, type Span, StatisticsRecorder } from '../../../engine/statistics/statistics.ts';
import type { Trade, TradeEvent } from '../../../engine/statistics/trades.ts';

/** What the same definitions come to in another language, written by somebody who did not look here. */
type Reference = {
  readonly scenarios: readonly (Span & {
    readonly name: string;
    readonly events: readonly TradeEvent[];
    readonly points: readonly HeldPoint[];
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
  readFileSync(path.join(import.meta.dirname, '../../reference/trading_statistics.json'), 'utf8'),
);

/** To 1e-9 of the figure itself; of one that is almost nothing, to 1e-12. */
function close(seen: unknown, expected: unknown, place: string): void {
  if (typeof expected === 'number' && typeof seen === 'number') {
    const off = Math.abs(seen - expected);
    expect(off, `${place}: ${seen}, expected ${expected}`).toBeLessThanOrEqual(
      Math.max(1e-9 * Math.abs(expected), 1e-12),
    );
  } else if (isTree(expected) && isTree(seen)) {
    for (const key of Object.keys(expected)) close(seen[key], expected[key], `${place}.${key}`);
  } else if (isDecimal(expected) && isDecimal(seen)) {
    expect(plain(seen), place).toBe(plain(expected));
  } else {
    expect(seen, place).toEqual(expected);
  }
}
const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isDecimal = (value: unknown): value is string => typeof value === 'string' && /^-?\d/.test(value);
/** Without the zeros that say only how a decimal came about. */
const plain = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.?0+$/, '').replace(/^-0$/, '0') : decimal;

/** All of it in order of time: what happens at an instant, then what the account is worth at it. */
function play({ events, points, ...span }: Reference['scenarios'][number]) {
  const recorder = new StatisticsRecorder(span);
  const trades: Trade[] = [];
  const waiting = [...events];
  for (const point of points) {
    while (waiting[0] !== undefined && waiting[0].atMs <= point.atMs) {
      const [event] = waiting.splice(0, 1);
      const trade = event === undefined ? null : recorder.event(event);
      if (trade !== null) trades.push(trade);
    }
    recorder.point(point);
  }
  return { statistics: recorder.statistics(), trades };
}

test.each(REFERENCE.scenarios)('an independent implementation agrees: $name', (scenario) => {
  const { statistics, trades } = play(scenario);
  const { trades: figures, drawdowns, open, calibration, ...rest } = statistics;
  const seen = {
    ...rest,
    ...figures,
    maxDrawdown: drawdowns.max,
    longestDrawdownMs: drawdowns.longestMs,
    open: open.length,
    brier: calibration.brier,
  };
  const { excursions, ...expected } = scenario.expected;
  expect(expected['closed']).toBe(trades.length);
  close(seen, expected, scenario.name);
  // Of trades that end at one instant the reference has an order of its own.
  const pairs = (list: unknown) =>
    Array.isArray(list) ? list.map((pair) => pair.map(plain).join(' to ')).sort() : [];
  expect(pairs(trades.map(({ worstPnl, bestPnl }) => [worstPnl, bestPnl]))).toEqual(pairs(excursions));
});

test('an independent implementation agrees on how much of a result luck explains', () => {
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
