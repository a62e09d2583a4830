/** Random prices over an hour, for random graphs. */
import type { BacktestInput } from '../../engine/research/playback/input.ts';
import { compile } from '../../engine/strategy/graph/compile/compile.ts';
import { INSTRUMENTS, randomOf } from '../engine/strategy/graph/arbitraries.ts';
import { draw, type Visual } from '../engine/strategy/graph/graph-fixtures.ts';
import { coin, contract, factFromStart, inputOf, iso, requestOf } from './backtest.ts';
import { BAR_MS, type Bars, barsFrom, flat, having, historyOf } from './bars.ts';

const T = Date.UTC(2026, 0, 5);
const YES = 'KXBTC:yes';
const MINUTE_MS = 60_000;
export const RANDOM_SPAN_MS = 60 * MINUTE_MS;
const COINS = ['BTCUSDT', 'ETHUSDT'] as const;

/** Lets some readers of one series read one of the others, if it still compiles. */
function withSeries({ nodes, edges }: Visual, random: () => number): Visual {
  const more = draw({
    slow: ['crypto.candle', { symbol: 'BTCUSDT', interval: '5m' }],
    other: ['crypto.candle', { symbol: 'ETHUSDT', interval: '1m' }],
  });
  const mixed = edges.map((edge) =>
    edge.source === 'n0' && random() < 0.5 ? { ...edge, source: random() < 0.5 ? 'slow' : 'other' } : edge,
  );
  const visual = { nodes: [...nodes, ...more.nodes], edges: mixed };
  return compile(visual).plan === null ? { nodes, edges } : visual;
}

/** A random walk of bars, some of which are missing. */
function walk(random: () => number, ms: number, scale: number): Bars {
  let price = 100 * scale;
  const bars = Array.from({ length: RANDOM_SPAN_MS / ms }, () => {
    price = Math.max(scale / 100, price + (4 * random() - 2) * scale);
    return flat(price, { volume: 40 * random() });
  });
  const all = barsFrom(T, ms, bars);
  return having(
    all,
    [...bars.keys()].filter(() => random() > 0.05),
  );
}

/** Returns a backtest of the graph over an hour: minutes of two coins and a contract, and five-minute candles of the coins. */
export function randomInput(visual: Visual, seed: number): BacktestInput {
  const random = randomOf(seed);
  const series = [
    ...COINS.flatMap((symbol) => [MINUTE_MS, BAR_MS].map((ms) => [symbol, ms, 1] as const)),
    [YES, MINUTE_MS, 0.005] as const,
  ];
  return inputOf(requestOf({ from: iso(T), to: iso(T + RANDOM_SPAN_MS) }, { fills: { halfSpread: '0.1' } }), {
    visual: withSeries(visual, random),
    facts: INSTRUMENTS.map((id) => factFromStart(id === YES ? contract(id) : coin({ token_id: id }))),
    histories: series.map(([id, ms, scale]) => historyOf(id, ms, walk(random, ms, scale))),
  });
}
