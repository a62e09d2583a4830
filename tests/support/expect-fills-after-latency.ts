import fc from 'fast-check';
import { expect } from 'vitest';
import { crossingGraph, FREE_COIN, factFromStart, inputOf, iso, requestOf, run } from './backtest.ts';
import { BAR_MS, coinHistory } from './bars.ts';

const T = Date.UTC(2026, 0, 5);

/** Runs over this number of random walks: no fill is earlier than its decision plus the latency. */
export function expectFillsAfterLatency(numRuns: number): void {
  const walk = fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 30, maxLength: 60 });
  const lag = fc.constantFrom(0, 1, 500, 2_000, 9_000);
  let filled = 0;
  fc.assert(
    fc.property(walk, lag, fc.integer({ min: 2, max: 4 }), (steps, latencyMs, fast) => {
      let price = 10_000;
      const bars = steps.map((step) => {
        const open = price;
        price += step;
        return { open, close: price, high: Math.max(open, price) + 5, low: Math.min(open, price) - 5 };
      });
      const request = requestOf(
        { from: iso(T), to: iso(T + bars.length * BAR_MS) },
        { fills: { latencyMs } },
      );
      const { fills, orders } = run(
        inputOf(request, {
          visual: crossingGraph(fast, fast + 3, 0.1),
          facts: [factFromStart(FREE_COIN)],
          histories: [coinHistory(T, BAR_MS, bars)],
        }),
      );
      const decidedAt = new Map(orders.map(({ id, at }) => [id, Date.parse(at)]));
      filled += fills.length;
      for (const { orderId, at } of fills) {
        expect(Date.parse(at)).toBeGreaterThanOrEqual((decidedAt.get(orderId) ?? Number.NaN) + latencyMs);
      }
    }),
    { numRuns, seed: 25 },
  );
  expect(filled).toBeGreaterThan(numRuns);
}
