import { expect } from 'vitest';
import {
  type HeldPoint,
  type Span,
  StatisticsRecorder,
} from '../../../../engine/books/statistics/statistics.ts';
import type { Trade, TradeEvent } from '../../../../engine/books/statistics/trade-tracker.ts';

/** A span of trading as it was reported. */
export type TradingSpan = Span & {
  readonly events: readonly TradeEvent[];
  readonly points: readonly HeldPoint[];
};

/** Compares to 1e-9 of the figure; a figure close to zero, to 1e-12. */
export function expectClose(seen: unknown, expected: unknown, place: string): void {
  if (typeof expected === 'number' && typeof seen === 'number') {
    const off = Math.abs(seen - expected);
    expect(off, `${place}: ${seen}, expected ${expected}`).toBeLessThanOrEqual(
      Math.max(1e-9 * Math.abs(expected), 1e-12),
    );
  } else if (isTree(expected) && isTree(seen)) {
    for (const key of Object.keys(expected)) expectClose(seen[key], expected[key], `${place}.${key}`);
  } else if (isDecimal(expected) && isDecimal(seen)) {
    expect(plain(seen), place).toBe(plain(expected));
  } else {
    expect(seen, place).toEqual(expected);
  }
}
const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isDecimal = (value: unknown): value is string => typeof value === 'string' && /^-?\d/.test(value);

/** Drops trailing zeros, which only show how a decimal was computed. */
export const plain = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.?0+$/, '').replace(/^-0$/, '0') : decimal;

/** All events and points in order of time: at one instant, events before the account's value. */
export function play({ events, points, ...span }: TradingSpan) {
  const recorder = new StatisticsRecorder(span);
  const trades: Trade[] = [];
  let next = 0;
  for (const point of points) {
    for (let event = events[next]; event !== undefined && event.atMs <= point.atMs; event = events[++next]) {
      const trade = recorder.event(event);
      if (trade !== null) trades.push(trade);
    }
    recorder.point(point);
  }
  return { statistics: recorder.statistics(), trades };
}

/** The figures under the names of the independent implementation. */
export function namedFigures({ statistics, trades }: ReturnType<typeof play>) {
  const { trades: figures, drawdowns, open, calibration, ...rest } = statistics;
  const { sharpe: sharpeOfTrades, ...ofTrades } = figures;
  return {
    ...rest,
    ...ofTrades,
    'sharpe of trades': sharpeOfTrades,
    maxDrawdown: drawdowns.max,
    longestDrawdownMs: drawdowns.longestMs,
    open: open.length,
    brier: calibration.brier,
    trades,
  };
}
