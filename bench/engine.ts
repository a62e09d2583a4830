/**
 * Evaluations per second and core, for graphs of 5, 20 and 100 nodes, over worlds whose quotes change
 * with every evaluation and whose candles change now and then. The last line is JSON.
 */
import { compile } from '../engine/graph/compile.ts';
import { evaluate } from '../engine/graph/evaluate.ts';
import type { Candle, CandleSeries, Memory, Plan, World } from '../engine/graph/types.ts';

const SECONDS_PER_CASE = 2;
const DEPLOYMENTS = 500;
const WORLDS = 64;
const CANDLES = 1_000;
const TARGETS: Readonly<Record<number, number>> = { 5: 500_000, 20: 150_000, 100: 30_000 };
const NOW = Date.UTC(2026, 0, 1);

interface Drawn {
  nodes: { id: string; type: string; data: { config: unknown } }[];
  edges: { source: string; target: string; targetHandle: string }[];
}

/** A strategy of about `size` nodes: price and candle conditions, a guard, a size, an order, an exit. */
function strategy(size: number, symbol: string): Drawn {
  const drawn: Drawn = { nodes: [], edges: [] };
  const add = (id: string, type: string, config: unknown, inputs: Record<string, string> = {}) => {
    drawn.nodes.push({ id, type, data: { config } });
    for (const [port, source] of Object.entries(inputs))
      drawn.edges.push({ source, target: id, targetHandle: port });
    return id;
  };
  const link = (source: string, target: string, port: string) =>
    drawn.edges.push({ source, target, targetHandle: port });
  add('price', 'crypto.price', { symbol });
  add('level', 'constant', { value: 1e9 });
  add('high', 'compare', { op: 'gt' }, { a: 'price', b: 'level' });
  if (size <= 5) {
    add('amount', 'size', { mode: 'notional', notional: 100 }, { price: 'price' });
    add(
      'buy',
      'order',
      { instrument: symbol, side: 'buy', type: 'market' },
      { when: 'high', amount: 'amount' },
    );
    return drawn;
  }
  add('all', 'logic', { op: 'and' }, { in: 'high' });
  add('guard', 'guard', { instrument: symbol, maxSpread: 50 }, { in: 'all' });
  add('cool', 'cooldown', { seconds: 60 }, { in: 'guard' });
  add('amount', 'size', { mode: 'notional', notional: 100 }, { price: 'price' });
  add(
    'buy',
    'order',
    { instrument: symbol, side: 'buy', type: 'market' },
    { when: 'cool', amount: 'amount' },
  );
  add('exit', 'exit', { instrument: symbol, stopLoss: 0.1, trailing: 0.05 });
  add('close', 'crypto.candle', { symbol, interval: '1m' });
  for (let i = 0; drawn.nodes.length + 4 <= size; i++) {
    add(`sma${i}`, 'indicator', { kind: 'sma', period: 10 + (i % 40) }, { in: 'close' });
    add(`ratio${i}`, 'math', { op: 'divide' }, { a: 'price', b: `sma${i}` });
    add(`below${i}`, 'compare', { op: 'lt', hysteresis: 0.001 }, { a: `ratio${i}`, b: 'level' });
    add(`held${i}`, 'hold', { seconds: 30 }, { in: `below${i}` });
    link(`held${i}`, 'all', 'in');
  }
  while (drawn.nodes.length < size) add(`pad${drawn.nodes.length}`, 'market.price', { instrument: symbol });
  return drawn;
}

function candle(i: number, price: number): Candle {
  const openTimeMs = NOW + (i - CANDLES) * 60_000;
  return {
    openTimeMs,
    closeTimeMs: openTimeMs + 59_999,
    open: price,
    high: price + 1,
    low: price - 1,
    close: price,
    volume: 1,
  };
}

function worldsOf(symbol: string): World[] {
  const closed = Array.from({ length: CANDLES }, (_, i) => candle(i, 50_000 + 100 * Math.sin(i / 20)));
  const series: CandleSeries = { closed, open: null, openAsOf: null };
  return Array.from({ length: WORLDS }, (_, i) => {
    const last = 50_000 + i;
    const quote = {
      bid: last - 5,
      ask: last + 5,
      last,
      bidSize: 1,
      askSize: 1,
      volume24h: 1,
      openInterest: null,
      change24h: 0.01,
      marketStatus: 'open',
      settlementValue: null,
      asOf: NOW,
      seq: i,
    } as const;
    return {
      quotes: new Map([[symbol, quote]]),
      books: new Map(),
      candles: new Map([[`${symbol}@1m`, series]]),
      instruments: new Map([
        [
          symbol,
          {
            tokenId: symbol,
            title: symbol,
            quoteCurrency: 'USDT',
            tradable: true,
            tickSize: '0.01',
            stepSize: '0.00001',
            minSize: '0.00001',
            minNotional: '5',
            closesAt: null,
          },
        ],
      ]),
      account: null,
      positions: new Map([[symbol, { amount: '1', free: '1', averageCost: '49900', openedAt: NOW }]]),
      orders: new Map(),
      halted: false,
    };
  });
}

function planOf(size: number): Plan {
  const { plan, issues } = compile(strategy(size, 'BTCUSDT'));
  if (plan === null || plan.nodeIds.length !== size) throw new Error(JSON.stringify({ size, issues }));
  return plan;
}

/** Evaluations per second of `DEPLOYMENTS` deployments that share a plan, each with its own memory. */
function measure(size: number): number {
  const plan = planOf(size);
  const worlds = worldsOf('BTCUSDT');
  const memories: (Memory | null)[] = new Array(DEPLOYMENTS).fill(null);
  let evaluations = 0;
  const round = (tick: number) => {
    const world = worlds[tick % WORLDS] as World;
    const now = NOW + (tick % 5) * 1_000;
    for (let i = 0; i < DEPLOYMENTS; i++)
      memories[i] = evaluate(plan, world, memories[i] as Memory | null, now).memory;
    evaluations += DEPLOYMENTS;
  };
  for (let tick = 0; tick < 20; tick++) round(tick);
  evaluations = 0;
  const start = performance.now();
  let elapsedSec = 0;
  for (let tick = 0; elapsedSec < SECONDS_PER_CASE; tick++) {
    round(tick);
    elapsedSec = (performance.now() - start) / 1000;
  }
  return Math.round(evaluations / elapsedSec);
}

const figures: Record<string, number> = {};
let ok = true;
console.log('nodes  evaluations/s/core     target   µs each');
for (const size of [5, 20, 100]) {
  const perSecond = measure(size);
  const target = TARGETS[size] as number;
  figures[`evaluationsPerSec${size}`] = perSecond;
  ok &&= perSecond >= target;
  const columns = [String(size).padStart(5), String(perSecond).padStart(19), String(target).padStart(10)];
  console.log(`${columns.join(' ')} ${(1e6 / perSecond).toFixed(2).padStart(9)}`);
}
const targets = Object.fromEntries(
  Object.entries(TARGETS).map(([size, target]) => [`evaluationsPerSec${size}`, target]),
);
console.log(JSON.stringify({ bench: 'engine', figures, targets, ok }));
