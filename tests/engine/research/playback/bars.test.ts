import { expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import {
  type BacktestRun,
  coin,
  crossingGraph,
  factFromStart,
  IDEAL_FILLS,
  inputOf,
  iso,
  NO_FEE,
  requestOf,
  run,
} from '../../../support/backtest.ts';
import { BAR_MS, type Bars, historyOf, recordedBars } from '../../../support/bars.ts';
import { crossingLoop, type LoopFill } from '../../../support/crossing-loop.ts';

const BARS = recordedBars();
const at = (column: keyof Bars['columns'], row: number): number => BARS.columns[column][row] as number;
const SPAN = { from: iso(at('openTimeMs', 0)), to: iso(at('closeTimeMs', BARS.count - 1) + 1) };

function sma(amount: number, cash: string, takerRate: string): BacktestRun {
  const request = requestOf(SPAN, { cash, fills: IDEAL_FILLS });
  const fee_schedule = { ...NO_FEE, takerRate, makerRate: takerRate };
  return run(
    inputOf(request, {
      visual: crossingGraph(10, 30, amount),
      facts: [factFromStart(coin({ fee_schedule }))],
      histories: [historyOf('BTCUSDT', BAR_MS, BARS)],
    }),
  );
}

/** Returns the cash after fills of an amount, at a fee rate of their notional. */
function cashAfter(fills: readonly LoopFill[], start: string, amount: string, rate: string) {
  let cash = exact(start);
  let fees = exact(0);
  for (const { side, price } of fills) {
    const worth = exact(price).times(amount);
    const fee = worth.times(rate);
    cash = (side === 'buy' ? cash.minus(worth) : cash.plus(worth)).minus(fee);
    fees = fees.plus(fee);
  }
  return { cash, fees };
}

test('row 5: every fill is at the next open after the crossing, and the equity at the end is that of a loop over the bars', {
  tags: ['long'],
}, () => {
  const expected = crossingLoop(BARS);
  const { summary, fills } = sma(0.1, '100000', '0');
  expect(expected.length).toBeGreaterThan(5_000);
  expect(fills.map(({ side, at: when, price }) => ({ side, at: when, price }))).toEqual(expected);
  const { cash } = cashAfter(expected, '100000', '0.1', '0');
  const held = expected.length % 2 === 0 ? exact(0) : exact(at('close', BARS.count - 1)).times('0.1');
  expect(summary.finalCash).toBe(cash.toFixed());
  expect(summary.finalEquity).toBe(cash.plus(held).toFixed());
  expect(summary.pace).toBe('candles');
});

test('row 6: with a fee of 0.1 % fees and equity are those of the loop, to the sixth decimal', {
  tags: ['long'],
}, () => {
  const expected = crossingLoop(BARS);
  const { summary } = sma(0.1, '100000', '0.001');
  const { cash, fees } = cashAfter(expected, '100000', '0.1', '0.001');
  const held = expected.length % 2 === 0 ? exact(0) : exact(at('close', BARS.count - 1)).times('0.1');
  expect(Number(summary.fees)).toBeCloseTo(fees.toNumber(), 6);
  expect(Number(summary.finalCash)).toBeCloseTo(cash.toNumber(), 6);
  expect(Number(summary.finalEquity)).toBeCloseTo(cash.plus(held).toNumber(), 6);
});

test('row 8: with too little cash nothing is filled, and the first verdict states which rule denied how many orders', () => {
  const { summary, fills } = sma(1, '10000', '0');
  expect(fills).toEqual([]);
  const [first] = summary.verdicts;
  expect(first).toMatchObject({ code: 'orders_refused', severity: 'danger' });
  expect(first?.count).toBe(summary.orders.intents);
  expect(first?.count).toBeGreaterThan(2_000);
  expect(first?.message).toMatch(/^\d,\d{3} of \d,\d{3} orders were refused: free cash \d,\d{3}\.$/);
  expect(summary.finalEquity).toBe('10000');
});
