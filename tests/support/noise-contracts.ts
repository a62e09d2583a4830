import { seededRandom } from '../../engine/research/playback/bars/random.ts';
import { type BacktestRun, contract, factFromStart, graphFrom, inputOf, requestOf, run } from './backtest.ts';
import { minuteHistory, quoteOf } from './contracts.ts';
import { type Drawn, FROM_MS, type Outcome } from './noise.ts';

const YES = 'KXNOISE-26:yes';
const CASH = 1_000_000;
const AMOUNT = 100;
const TICK = 0.01;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A contract whose price is a random walk, settled at its end by chance at that price. `kind` is the form of its recording. */
export type ContractNoise = {
  readonly name: string;
  readonly kind: 'quotes' | 'bid_ask' | 'midpoint';
  readonly minutes: number;
};

export const QUOTES: ContractNoise = { name: 'quotes of a contract', kind: 'quotes', minutes: 600 };
export const BOOKS: ContractNoise = { name: 'bids and asks of a contract', kind: 'bid_ask', minutes: 1_440 };
export const MIDPOINTS: ContractNoise = { name: 'midpoints of a contract', kind: 'midpoint', minutes: 1_440 };

type Exit = Readonly<Record<string, number>>;
type Node = Parameters<typeof graphFrom>[0][number];

const market = { instrument: YES, side: 'buy', type: 'market', ifTrueAtDeploy: 'wait' } as const;
const now = (level: number): Node[] => [
  ['now', 'market.price', { instrument: YES, field: 'mid' }],
  ['level', 'constant', { value: level }],
  ['amount', 'constant', { value: AMOUNT }],
];
const exits = (exit: Exit | null): Node[] =>
  exit === null ? [] : [['exit', 'exit', { instrument: YES, ...exit }]];

const atLevel = (op: 'lte' | 'gte', level: number, exit: Exit | null) =>
  graphFrom([
    ...now(level),
    ['there', 'compare', { op }, { a: 'now', b: 'level' }],
    ['buy', 'order', market, { when: 'there', amount: 'amount' }],
    ...exits(exit),
  ]);

const afterMove = (op: 'lt' | 'gt', exit: Exit | null) =>
  graphFrom([
    ...now(0),
    ['before', 'memory', { mode: 'number' }, { in: 'now' }],
    ['moved', 'compare', { op }, { a: 'now', b: 'before' }],
    ['buy', 'order', market, { when: 'moved', amount: 'amount' }],
    ...exits(exit),
  ]);

const lasting = (op: 'lte' | 'gte', level: number, seconds: number, exit: Exit | null) =>
  graphFrom([
    ...now(level),
    ['there', 'compare', { op }, { a: 'now', b: 'level' }],
    ['held', 'hold', { seconds }, { in: 'there' }],
    ['buy', 'order', market, { when: 'held', amount: 'amount' }],
    ...exits(exit),
  ]);

const beats = (everySec: number, exit: Exit | null) =>
  graphFrom([
    ['beat', 'schedule', { mode: 'every', everySec }],
    ['amount', 'constant', { value: AMOUNT }],
    ['buy', 'order', market, { when: 'beat', amount: 'amount' }],
    ...exits(exit),
  ]);

const bid = (everySec: number, price: number, exit: Exit) =>
  graphFrom([
    ['beat', 'schedule', { mode: 'every', everySec }],
    ['amount', 'constant', { value: AMOUNT }],
    ['price', 'constant', { value: price }],
    [
      'buy',
      'order',
      { instrument: YES, side: 'buy', type: 'limit', timeInForce: 'gtc', expireAfterSec: everySec },
      { when: 'beat', amount: 'amount', price: 'price' },
    ],
    ...exits(exit),
  ]);

/** Graphs that would earn if a price, a result or a settlement were known before its time. */
export function contractExploits(): Drawn[] {
  const takes = (name: string, visual: unknown): Drawn => ({ name, visual, rests: false });
  const bracket = { stopLoss: 0.1, takeProfit: 0.1 };
  return [
    takes('below a level, to the end', atLevel('lte', 0.46, null)),
    takes('above a level, to the end', atLevel('gte', 0.54, null)),
    takes('dip and bracket', atLevel('lte', 0.46, bracket)),
    takes('rise and bracket', atLevel('gte', 0.54, bracket)),
    takes('wide bracket', atLevel('lte', 0.47, { stopLoss: 0.3, takeProfit: 0.05 })),
    takes('trailing stop', atLevel('gte', 0.53, { trailing: 0.06 })),
    takes('fell since the last step', afterMove('lt', bracket)),
    takes('rose since the last step', afterMove('gt', bracket)),
    takes('fell for a while', lasting('lte', 0.48, 90, bracket)),
    takes('each five minutes', beats(300, { maxHoldSec: 240 })),
    takes('out before the close', atLevel('gte', 0.51, { beforeCloseSec: 600 })),
    { name: 'bids below', visual: bid(600, 0.44, bracket), rests: true },
  ];
}

export function randomContractGraph(seed: number): Drawn {
  const random = seededRandom(seed);
  const oneOf = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
  const level = Math.round(100 * (0.42 + 0.16 * random())) / 100;
  const exit = oneOf<Exit | null>([
    null,
    { stopLoss: 0.03 + 0.2 * random(), takeProfit: 0.03 + 0.2 * random() },
    { trailing: 0.04 + 0.1 * random() },
    { maxHoldSec: Math.round(60 + 3_000 * random()) },
    { beforeCloseSec: Math.round(60 + 1_200 * random()) },
  ]);
  const visual = oneOf([
    () => atLevel(level < 0.5 ? 'lte' : 'gte', level, exit),
    () => lasting(level < 0.5 ? 'lte' : 'gte', level, Math.round(10 + 300 * random()), exit),
    () => afterMove(oneOf(['lt', 'gt']), exit ?? { maxHoldSec: 600 }),
    () => beats(Math.round(120 + 900 * random()), exit ?? { maxHoldSec: 600 }),
  ])();
  return { name: `random ${seed}`, visual, rests: false };
}

const chanceOf = (steps: number): number => Math.min(1, 400 / steps);
const isMoving = (ticks: number): boolean => ticks > 2 && ticks < 98;

/**
 * The standard error of the holdings, from the law of the walk and of its settlement. That of the results alone would be too
 * small for a graph whose rare large loss has not come.
 */
function errorOf(prices: readonly number[], minutes: number, fills: BacktestRun['fills']): number {
  const stepMs = (minutes * MINUTE_MS) / prices.length;
  const moves = chanceOf(prices.length) * TICK * TICK;
  let held = 0;
  let place = 0;
  let variance = 0;
  for (const [step, price] of prices.entries()) {
    const untilMs = FROM_MS + (step + 1) * stepMs;
    for (let fill = fills[place]; fill !== undefined && Date.parse(fill.at) <= untilMs; fill = fills[++place])
      held += Number(fill.amount) * (fill.side === 'buy' ? 1 : -1);
    if (isMoving(Math.round(price / TICK)) && step + 1 < prices.length) variance += held * held * moves;
  }
  const last = prices.at(-1) ?? 0;
  return Math.sqrt(variance + held * held * last * (1 - last));
}

/** The walk, its steps evenly in time: a tick up or down. Its chance lets most of them stay inside; at its ends it stands. */
function walkOf(steps: number, random: () => number): number[] {
  const chance = chanceOf(steps);
  let ticks = 50;
  return Array.from({ length: steps }, () => {
    if (isMoving(ticks) && random() < chance) ticks += random() < 0.5 ? 1 : -1;
    return ticks * TICK;
  });
}

/** Records a walk: quotes of every ten seconds, or rows of a minute. */
function recordOf(kind: ContractNoise['kind'], prices: readonly number[]) {
  const shifted = (ticks: number) => prices.map((price) => Math.round(100 * price + ticks) / 100);
  if (kind === 'quotes') {
    const [bids, asks] = [shifted(-1), shifted(1)];
    const stepMs = MINUTE_MS / STEPS_A_MINUTE;
    const quotes = prices.map((last, step) =>
      quoteOf({
        atMs: FROM_MS + (step + 1) * stepMs,
        bid: bids[step] ?? null,
        ask: asks[step] ?? null,
        bidSize: 100_000,
        askSize: 100_000,
        last,
      }),
    );
    return { histories: [], recorded: [{ tokenId: YES, quotes }] };
  }
  if (kind === 'midpoint')
    return { histories: [minuteHistory(YES, FROM_MS, kind, { price: prices })], recorded: [] };
  const opens = (ticks: number) => [shifted(ticks)[0] ?? 0, ...shifted(ticks).slice(0, -1)];
  const book = minuteHistory(YES, FROM_MS, kind, {
    bidOpen: opens(-1),
    bidHigh: shifted(-1),
    bidLow: shifted(-1),
    bidClose: shifted(-1),
    askOpen: opens(1),
    askHigh: shifted(1),
    askLow: shifted(1),
    askClose: shifted(1),
    volume: prices.map(() => 1e7),
    openInterest: prices.map(() => 1),
  });
  return { histories: [book], recorded: [] };
}

const STEPS_A_MINUTE = 6;

/** Plays a graph on a contract. Trades at midpoints have no cost; at the sides of a book a unit costs a tick. */
export function playOnContract(
  { kind, minutes }: ContractNoise,
  { name, visual }: Drawn,
  seed: number,
): Outcome {
  const random = seededRandom(seed);
  const prices = walkOf(kind === 'quotes' ? minutes * STEPS_A_MINUTE : minutes, random);
  const closesMs = FROM_MS + minutes * MINUTE_MS;
  const value = random() < (prices.at(-1) ?? 0) ? '1' : '0';
  const terms = {
    status: 'settled',
    settlement_value: value,
    closes_at: new Date(closesMs).toISOString(),
  } as const;
  const { summary, trades, fills } = run(
    inputOf(
      requestOf(
        { from: new Date(FROM_MS).toISOString(), to: new Date(closesMs + 2 * HOUR_MS).toISOString() },
        { cash: String(CASH), fees: 'none', fills: { halfSpread: '0' } },
      ),
      { visual, facts: [factFromStart(contract(YES, terms))], ...recordOf(kind, prices) },
    ),
  );
  const traded = fills.filter(({ source }) => source !== 'settlement');
  const amount = traded.reduce((sum, fill) => sum + Number(fill.amount), 0);
  const costs = kind === 'midpoint' ? 0 : amount * TICK;
  const net = Number(summary.finalEquity) - CASH;
  const error = errorOf(prices, minutes, fills);
  return { name, trades: trades.length, net, costs, error };
}
