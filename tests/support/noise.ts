import { normalQuantile } from '../../engine/books/statistics/normal-distribution.ts';
import { seededRandom } from '../../engine/research/playback/bars/random.ts';
import { coin, factFromStart, graphFrom, inputOf, NO_FEE, requestOf, run } from './backtest.ts';
import { type BarFields, barsFrom, historyOf } from './bars.ts';
import { quoteOf } from './contracts.ts';

export const FROM_MS = Date.UTC(2026, 0, 5);
const PRICE = 20_000;
const AMOUNT = 0.5;
const SYMBOL = 'BTCUSDT';

/**
 * Bars of a random walk, on which nothing can be earned. `deviation` is that of the change of a bar, as a share of the price.
 */
export type Noise = {
  readonly name: string;
  readonly interval: '1m' | '1h' | '4h';
  readonly barSec: number;
  /** Steps of the walk in a bar. */
  readonly steps: number;
  readonly deviation: number;
  readonly bars: number;
};

export const MINUTES: Noise = {
  name: 'bars of 1 m',
  interval: '1m',
  barSec: 60,
  steps: 60,
  deviation: 0.0006,
  bars: 4_320,
};
export const HOURS: Noise = {
  name: 'bars of 1 h',
  interval: '1h',
  barSec: 3_600,
  steps: 3_600,
  deviation: 0.004,
  bars: 360,
};
export const QUARTERS: Noise = {
  name: 'bars of 4 h',
  interval: '4h',
  barSec: 14_400,
  steps: 4_800,
  deviation: 0.009,
  bars: 240,
};

/** The walk as bars, and on request as finer bars of `finer` steps each. */
export function walkOf({ steps, deviation, bars }: Noise, seed: number, finer: number | null) {
  const random = seededRandom(seed);
  const step = PRICE * deviation * Math.sqrt(12 / steps);
  const fine: BarFields[] = [];
  let price = PRICE;
  const coarse = Array.from({ length: bars }, (): BarFields => {
    const bar = { open: price, high: price, low: price, close: price };
    let inside = { ...bar };
    for (let at = 1; at <= steps; at++) {
      price = Math.round((price + step * (random() - 0.5)) * 100) / 100;
      for (const one of [bar, inside]) {
        one.high = Math.max(one.high, price);
        one.low = Math.min(one.low, price);
        one.close = price;
      }
      if (finer === null || at % finer !== 0) continue;
      fine.push(inside);
      inside = { open: price, high: price, low: price, close: price };
    }
    return bar;
  });
  return { coarse, fine };
}

export type Drawn = { readonly name: string; readonly visual: unknown; readonly rests: boolean };
type Nodes = Parameters<typeof graphFrom>[0][number][];

const market = (side: 'buy' | 'sell') => ({ instrument: SYMBOL, side, type: 'market' });
const bid = (priceOffset: number, expireAfterSec: number) => ({
  instrument: SYMBOL,
  side: 'buy',
  type: 'limit',
  priceOffset,
  timeInForce: 'gtc',
  expireAfterSec,
});

/** The current price against the last close, which is the open of the forming bar: below and above by a share. */
const moves = (interval: string, share: number): Nodes => [
  ['now', 'crypto.price', { symbol: SYMBOL, field: 'last' }],
  ['close', 'crypto.candle', { symbol: SYMBOL, interval, field: 'close', closedOnly: true }],
  ['down', 'constant', { value: 1 - share }],
  ['up', 'constant', { value: 1 + share }],
  ['floor', 'math', { op: 'multiply' }, { in: ['close', 'down'] }],
  ['ceiling', 'math', { op: 'multiply' }, { in: ['close', 'up'] }],
  ['fell', 'compare', { op: 'lte' }, { a: 'now', b: 'floor' }],
  ['rose', 'compare', { op: 'gte' }, { a: 'now', b: 'ceiling' }],
  ['amount', 'constant', { value: AMOUNT }],
];

/** Acts on the first of two moves inside a bar, and sells when the bar ends. */
function firstMove({ interval, barSec }: Noise, share: number, first: 'fell' | 'rose'): unknown {
  const other = first === 'fell' ? 'rose' : 'fell';
  return graphFrom([
    ...moves(interval, share),
    ['end', 'schedule', { mode: 'every', everySec: barSec }],
    ['was', 'memory', { mode: 'latch' }, { set: other, reset: 'end' }],
    ['wasNot', 'logic', { op: 'not' }, { a: 'was' }],
    ['both', 'logic', { op: 'and' }, { in: [first, 'wasNot'] }],
    ['buy', 'order', { ...market('buy'), ifTrueAtDeploy: 'wait' }, { when: 'both', amount: 'amount' }],
    ['sell', 'close', { instrument: SYMBOL }, { when: 'end' }],
  ]);
}

const bought = (noise: Noise, share: number, when: 'fell' | 'rose', exit: object): unknown =>
  graphFrom([
    ...moves(noise.interval, share),
    ['buy', 'order', { ...market('buy'), ifTrueAtDeploy: 'wait' }, { when, amount: 'amount' }],
    ['exit', 'exit', { instrument: SYMBOL, ...exit }],
  ]);

/** Buys after a fall or a rise over a while, and sells when the bar ends. */
const lasting = (noise: Noise, share: number, when: 'fell' | 'rose', seconds: number): unknown =>
  graphFrom([
    ...moves(noise.interval, share),
    ['end', 'schedule', { mode: 'every', everySec: noise.barSec }],
    ['held', 'hold', { seconds }, { in: when }],
    ['buy', 'order', { ...market('buy'), ifTrueAtDeploy: 'wait' }, { when: 'held', amount: 'amount' }],
    ['sell', 'close', { instrument: SYMBOL }, { when: 'end' }],
  ]);

const beats = (everySec: number, order: object, exit: object): unknown =>
  graphFrom([
    ['beat', 'schedule', { mode: 'every', everySec }],
    ['amount', 'constant', { value: AMOUNT }],
    ['buy', 'order', order, { when: 'beat', amount: 'amount' }],
    ['exit', 'exit', { instrument: SYMBOL, ...exit }],
  ]);

/** Graphs that would earn if prices inside a bar revealed its end. */
export function exploits(noise: Noise): Drawn[] {
  const { deviation, barSec } = noise;
  const takes = (name: string, visual: unknown): Drawn => ({ name, visual, rests: false });
  const part = Math.max(10, Math.round(barSec / 5));
  return [
    takes('fell before it rose', firstMove(noise, deviation / 4, 'fell')),
    takes('rose before it fell', firstMove(noise, deviation / 4, 'rose')),
    takes('fell 4 bp before it rose 4 bp', firstMove(noise, 0.0004, 'fell')),
    takes(
      'dip and bracket',
      bought(noise, deviation / 3, 'fell', { stopLoss: deviation / 2, takeProfit: deviation / 2 }),
    ),
    takes(
      'rise and bracket',
      bought(noise, deviation / 3, 'rose', { stopLoss: deviation / 2, takeProfit: deviation / 2 }),
    ),
    takes(
      'wide bracket',
      bought(noise, deviation / 3, 'fell', { stopLoss: deviation * 2, takeProfit: deviation / 2 }),
    ),
    takes('trailing stop', bought(noise, deviation / 3, 'rose', { trailing: deviation / 2 })),
    takes('dip and a while', bought(noise, deviation / 2, 'fell', { maxHoldSec: barSec })),
    takes('fell for a while', lasting(noise, deviation / 4, 'fell', part)),
    takes('rose for a while', lasting(noise, deviation / 4, 'rose', part)),
    takes(
      'arrives inside bars',
      beats(part, market('buy'), { stopLoss: deviation / 2, takeProfit: deviation / 2 }),
    ),
    {
      name: 'bids below',
      visual: beats(barSec, bid(-PRICE * deviation * 0.3, barSec * 3), { maxHoldSec: barSec }),
      rests: true,
    },
  ];
}

/** A graph drawn by a seed: moves, exits and sizes of them at random. */
export function randomGraph(noise: Noise, seed: number): Drawn {
  const random = seededRandom(seed);
  const oneOf = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
  const share = noise.deviation * (0.1 + random());
  const when = oneOf(['fell', 'rose'] as const);
  const exits = [
    { stopLoss: noise.deviation * (0.2 + random()), takeProfit: noise.deviation * (0.2 + random()) },
    { trailing: noise.deviation * (0.3 + random()) },
    { maxHoldSec: Math.round(noise.barSec * (0.2 + 2 * random())) },
    { stopLoss: noise.deviation * (0.2 + random()), maxHoldSec: noise.barSec },
  ];
  const visual = oneOf([
    () => bought(noise, share, when, oneOf(exits)),
    () => lasting(noise, share, when, Math.round(10 + random() * noise.barSec * 0.4)),
    () => firstMove(noise, share, when),
    () => beats(Math.round(noise.barSec * (0.3 + random())) + 10, market('buy'), oneOf(exits)),
  ])();
  return { name: `random ${seed}`, visual, rests: false };
}

/** Buys after a fall by a share, which a sweep varies, with one of several exits. */
export function dips(noise: Noise, seed: number): Drawn {
  const { deviation, barSec } = noise;
  const exits = [
    { stopLoss: deviation / 2, takeProfit: deviation / 2 },
    { trailing: deviation / 2 },
    { maxHoldSec: barSec },
  ];
  const visual = bought(noise, deviation / 4, 'fell', exits[seed % exits.length] ?? {});
  return { name: `dips ${seed}`, visual, rests: false };
}

export type Outcome = {
  readonly name: string;
  readonly trades: number;
  /** Net result and fees, USD. Their expected sum is zero. */
  readonly net: number;
  readonly costs: number;
  /** The standard error of both together. */
  readonly error: number;
};

export type Terms = {
  readonly seed: number;
  readonly finer?: number;
  readonly takerRate?: string;
  /** Whether the finer steps are recorded quotes, not finer bars. */
  readonly isQuoted?: boolean;
};

/** The distance between the price of a walk and either side of its recorded quotes. */
const HALF_SPREAD = 0.01;

/** Plays a graph on noise; a position that is still open counts as a trade. */
export function playOn(
  noise: Noise,
  { name, visual }: Drawn,
  { seed, finer, takerRate = '0', isQuoted = false }: Terms,
): Outcome {
  const barMs = noise.barSec * 1_000;
  const { coarse, fine } = walkOf(noise, seed, finer ?? null);
  const request = requestOf(
    {
      from: new Date(FROM_MS).toISOString(),
      to: new Date(FROM_MS + noise.bars * barMs).toISOString(),
    },
    { cash: '1000000', fills: { halfSpread: '0' } },
  );
  const histories = [historyOf(SYMBOL, barMs, barsFrom(FROM_MS, barMs, coarse))];
  const fineMs = barMs / (noise.steps / (finer ?? 1));
  const quotes = fine.map(({ close }, step) =>
    quoteOf({
      atMs: FROM_MS + (step + 1) * fineMs,
      bid: close - HALF_SPREAD,
      ask: close + HALF_SPREAD,
      bidSize: 1_000,
      askSize: 1_000,
      last: close,
    }),
  );
  if (fine.length > 0 && !isQuoted)
    histories.push(historyOf(SYMBOL, fineMs, barsFrom(FROM_MS, fineMs, fine)));
  const { summary, trades, fills } = run(
    inputOf(request, {
      visual,
      facts: [factFromStart(coin({ fee_schedule: { ...NO_FEE, takerRate, makerRate: takerRate } }))],
      histories,
      recorded: isQuoted ? [{ tokenId: SYMBOL, quotes }] : [],
    }),
  );
  const results = trades.map(({ pnl, fees }) => Number(pnl) + Number(fees));
  const filled = fills.reduce((sum, { amount }) => sum + Number(amount), 0);
  const costs = Number(summary.fees) + (isQuoted ? filled * HALF_SPREAD : 0);
  const net = Number(summary.finalEquity) - 1_000_000;
  const open = net + costs - results.reduce((sum, each) => sum + each, 0);
  const squares = [...results, open].reduce((sum, each) => sum + each * each, 0);
  return { name, trades: trades.length, net, costs, error: Math.sqrt(squares) };
}

/** Returns by how many standard errors the results of all graphs exceed their costs. */
export function deviationsOf(outcomes: readonly Outcome[]): number {
  const gain = outcomes.reduce((sum, { net, costs }) => sum + net + costs, 0);
  const error = Math.sqrt(outcomes.reduce((sum, each) => sum + each.error ** 2, 0));
  return error === 0 ? 0 : gain / error;
}

/**
 * Standard errors by which the luckiest of the graphs may exceed its costs. One of a hundred such sets exceeds this quantile by
 * chance (Bonferroni).
 */
export const mostOf = (graphs: number): number => normalQuantile(1 - 0.01 / graphs);
