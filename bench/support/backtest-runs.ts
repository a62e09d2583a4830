/** Runs the backtests of `bench/backtest.ts`, in its own thread or in one like those of the service. */

import type { BacktestInput } from '../../engine/research/playback/input.ts';
import { runBacktest } from '../../engine/research/playback/run-backtest.ts';
import {
  coin,
  crossingGraph,
  factFromStart,
  IDEAL_FILLS,
  inputOf,
  NO_FEE,
  requestOf,
} from '../../tests/support/backtest.ts';
import { type Bars, historyOf, rowsOf } from '../../tests/support/bars.ts';

export const MINUTE_MS = 60_000;
export const YEAR_BARS = 525_600;

export const cpuSec = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
export const iso = (ms: number | undefined): string => new Date(ms ?? Number.NaN).toISOString();
const free = coin({ fee_schedule: { ...NO_FEE, takerRate: '0.001', makerRate: '0.001' } });

export function inputFor(
  bars: Bars,
  barMs: number,
  interval: string,
  means: readonly [number, number],
  amount = 1,
): BacktestInput {
  const { openTimeMs, closeTimeMs } = bars.columns;
  const span = { from: iso(openTimeMs[0]), to: iso((closeTimeMs[bars.count - 1] ?? Number.NaN) + 1) };
  return inputOf(requestOf(span, { cash: '1000000', fills: IDEAL_FILLS }), {
    visual: crossingGraph(...means, amount, interval),
    facts: [factFromStart(free)],
    histories: [historyOf('BTCUSDT', barMs, bars)],
  });
}

/** Returns the CPU time of a run, and the prices of its fills. */
export function timed(input: BacktestInput): { sec: number; prices: string[] } {
  const prices: string[] = [];
  const before = cpuSec();
  runBacktest(input, {
    part: ({ kind, rows }) => {
      if (kind === 'fill') for (const row of rows as { price: string }[]) prices.push(row.price);
    },
    progress: () => {},
    isCanceled: () => false,
  });
  return { sec: cpuSec() - before, prices };
}

/** Returns one-minute bars, a year of them unless `count` says fewer, whose price completes `rounds` cycles. */
export function yearOfMinutes(rounds: number, count = YEAR_BARS): Bars {
  const rows = rowsOf(count);
  const { openTimeMs, closeTimeMs, open, high, low, close, volume } = rows.columns;
  const from = Date.UTC(2025, 0, 1);
  const priceAt = (row: number) =>
    Math.round(2_000_000 + 60_000 * Math.sin((row / count) * rounds * 2 * Math.PI)) / 100;
  for (let row = 0; row < count; row++) {
    openTimeMs[row] = from + row * MINUTE_MS;
    closeTimeMs[row] = from + (row + 1) * MINUTE_MS - 1;
    const [first, last] = [priceAt(row), priceAt(row + 1)];
    open[row] = first;
    close[row] = last;
    high[row] = Math.max(first, last);
    low[row] = Math.min(first, last);
    volume[row] = 10;
  }
  return rows;
}
