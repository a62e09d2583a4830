/**
 * A paper deployment and a backtest of it. A test drives the runner through a pinned simulator step by step, on the clock of
 * that world. Afterwards the same graphs run over the recording of its feeds.
 */

import { sql } from 'kysely';
import type { History } from '../../engine/history/series.ts';
import type { Work } from '../../engine/platform/context.ts';
import { exact } from '../../engine/platform/decimal.ts';
import { readQuoteChunks } from '../../engine/research/backtests/backtest-data.ts';
import { decodedQuotesOf } from '../../engine/research/backtests/recorded-quotes.ts';
import { runStateAt } from '../../engine/research/playback/run-state.ts';
import {
  findExpiredOrders,
  findPastGoodTill,
  findQueued,
  findToCancel,
} from '../../engine/trading/orders/execution/queue.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { expireOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { deployBlueprint } from '../../engine/usecases/blueprints/running/deploy.ts';
import { messageOf } from '../../engine/usecases/signals/message.ts';
import { readRecordedSignals } from '../../engine/usecases/signals/read.ts';
import { receiveSignal } from '../../engine/usecases/signals/receive.ts';
import { createSignal } from '../../engine/usecases/signals/signals.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { AccountingRound } from '../../server/workers/trading/accounting-round.ts';
import { VenueFeed } from '../../server/workers/trading/market/feed.ts';
import { openMarketData } from '../../simulator/market-data.ts';
import type { OrderKey } from '../../venues/broker.ts';
import { isOfKind, venueOf } from '../../venues/catalogue.ts';
import { INTERVAL_MS } from '../../venues/parse/intervals.ts';
import type { Candle, CandleInterval, MarketData } from '../../venues/port.ts';
import { openRunnerWorld } from '../runner/support.ts';
import { FREE_RULES, inputOf, requestOf, rulesWith, run } from './backtest.ts';
import { historyOf, rowsOf } from './bars.ts';
import { BooksOfInstant, FactsByInstant, needsOf, ReadyCandles } from './parity-market.ts';
import { Replay, type ReplayResult, recordTicks, type TickLog, type TickRecord } from './tick-log.ts';

/** The interval of ticks: longer than live, and no longer than what counts as a pause. */
export const STEP_MS = 10_000;
const BATCH = 1_000;
/**
 * A busy machine must not lose a lease between two steps. A step that is not stored is in no deployment's past, and a feed
 * without its lock writes no quotes.
 */
const LEASE_MS = 3_600_000;
/** Steps on paper that are replayed together, an hour. */
const HOUR_STEPS = 360;
/** Steps between two values of each signal that a graph reads. */
const SIGNAL_EVERY = 17;
/** The tick after one that saw a signal, live as in a backtest: an arrival lasts for one step. */
const AFTER_SIGNAL_MS = 2_000;
const VENUES = ['crypto', 'venue-a', 'venue-b'] as const;
const KEPT = { days: 30, maxBytes: 1e9 };

export type DecidedOrder = {
  readonly at: string;
  readonly nodeId: string;
  readonly tokenId: string;
  readonly side: string;
  readonly type: string;
  readonly amount: string;
  readonly limitPrice: string | null;
  readonly status: string;
  readonly filled: string;
};
export type TradedFill = {
  readonly at: string;
  readonly tokenId: string;
  readonly side: string;
  readonly amount: string;
  readonly price: string;
  readonly fee: string;
};
export type HeldAmount = { readonly tokenId: string; readonly amount: string };
/** The result of a graph. */
export type GraphResult = {
  readonly orders: readonly DecidedOrder[];
  readonly fills: readonly TradedFill[];
  readonly positions: readonly HeldAmount[];
  readonly cash: string;
};
/** One graph, on paper and in a backtest. */
export type ParityPair = { readonly paper: GraphResult; readonly backtest: GraphResult };

export type ParityOptions = {
  /** A whole hour, UTC. */
  readonly fromMs: number;
  readonly steps: number;
  readonly visuals: readonly unknown[];
  /** Keeps the input of each paper step, some two kilobytes a step; otherwise it is replayed and dropped. */
  readonly keepsTicks?: boolean;
};

/**
 * Results by graph, and the outcome of each paper step when replayed. Where kept, also these steps with the candles that they
 * read.
 */
export type ParityResult = {
  readonly pairs: readonly ParityPair[];
  readonly replayed: readonly ReplayResult[];
  readonly ticks: readonly TickLog[];
  readonly candlesOf: (key: string) => readonly Candle[];
};

/** Runs every graph on paper for `steps` ticks, and again over the recording of that time. */
export async function paperAndBacktest({
  fromMs,
  steps,
  visuals,
  keepsTicks = false,
}: ParityOptions): Promise<ParityResult> {
  let nowMs = fromMs;
  const uptime = performance.now;
  performance.now = () => nowMs - fromMs + 1;
  await using venues = await openMarketData({ mode: 'simulator', seed: 'parity' });
  venues.simulator?.clock.pin(fromMs / 1_000);
  const candles = new ReadyCandles(venues, visuals);
  const orderBooks = new BooksOfInstant(venues);
  const market: MarketData = {
    ...venues,
    closedCandles: async (symbol, interval, limits) => candles.closed(symbol, interval, limits),
    orderBook: orderBooks.whole,
  };
  const clock = async () => new Date(nowMs);
  const world = await openRunnerWorld({ shardCount: 1, clock });
  const recording = recordTicks();
  const ticks = new Map<TickLog['plan'], { replay: Replay; lines: TickRecord[]; came: ReplayResult }>();
  const playAgain = (): void => {
    for (const { plan, lines } of recording.take()) {
      const known = ticks.get(plan);
      const replay = known?.replay ?? new Replay(plan, (key) => candles.ofKey(key));
      const kept = keepsTicks ? [...(known?.lines ?? []), ...lines] : [];
      ticks.set(plan, { replay, lines: kept, came: replay.play(lines) });
    }
  };
  try {
    const deployed: { accountId: string; blueprintId: string; deploymentId: string; visual: unknown }[] = [];
    for (const visual of visuals) {
      const accountId = await world.account();
      const work = world.workOf(accountId);
      const { id: blueprintId } = await createBlueprint(work, { name: 'Parity', visual: visual as never });
      const row = await deployBlueprint(work, blueprintId, { market, shardCount: 1 });
      for (const name of needsOf(visual).signals) await createSignal(work, name);
      deployed.push({ accountId, blueprintId, deploymentId: row.deployment_id ?? '', visual });
    }
    const options = world.options({ market, quoteLog: KEPT, quotePeriodMs: STEP_MS, leaseMs: LEASE_MS });
    const context = contextOf(options);
    const troubles = new LogOnce(world.log);
    const feeds = VENUES.map((venue) => new VenueFeed(venue, context, troubles));
    const runner = world.runner({
      market: { ...market, orderBook: orderBooks.best },
      quoteLog: KEPT,
      leaseMs: LEASE_MS,
    });
    const venue = openPaperVenue({ pool: world.pool, marketData: market, clock });
    const books = new AccountingRound(context, troubles);
    const { signal } = new AbortController();
    const tokens = [...new Set(visuals.flatMap((visual) => needsOf(visual).traded))];
    const facts = new FactsByInstant(world.db);

    const forEach = async (keys: readonly OrderKey[], task: (work: Work, id: string) => Promise<unknown>) => {
      for (const { accountId, id } of keys) await task(world.workOf(accountId), id);
    };
    const signalAll = async (step: number): Promise<boolean> => {
      for (const { accountId, visual } of deployed)
        for (const name of needsOf(visual).signals)
          await receiveSignal(world.workOf(accountId), name, messageOf(step % 3, `${step}`, ''));
      return deployed.some(({ visual }) => needsOf(visual).signals.length > 0);
    };
    for (let step = 0; step <= steps; step++) {
      nowMs = fromMs + step * STEP_MS;
      venues.simulator?.clock.pin(nowMs / 1_000);
      await candles.read();
      const now = new Date(nowMs);
      for (const feed of feeds) await feed.poll();
      await facts.note(nowMs);
      await books.update(now, signal);
      await forEach(await findQueued(world.db, now, BATCH), (work, id) => sendOrder(work, venue, id));
      await forEach(await findToCancel(world.db, BATCH), (work, id) => cancelAtVenue(work, venue, id));
      await forEach(await findPastGoodTill(world.db, now, BATCH), (work, id) =>
        cancelAtVenue(work, venue, id),
      );
      await forEach(await findExpiredOrders(world.db, now, BATCH), (work, id) => expireOrder(work, id));
      await forEach(await venue.advance(tokens), (work, id) => syncOrder(work, venue, id));
      if (step < steps) {
        const isSignaled = step % SIGNAL_EVERY === SIGNAL_EVERY - 1 && (await signalAll(step));
        await runner.tick(nowMs, nowMs);
        if (isSignaled) {
          nowMs += AFTER_SIGNAL_MS;
          venues.simulator?.clock.pin(nowMs / 1_000);
          await runner.tick(nowMs, nowMs);
        }
      }
      if (step % HOUR_STEPS !== 0) continue;
      playAgain();
      // Databases of tests have no autovacuum: updated rows, and plans made for empty tables, cost five times as much after hours.
      await sql`vacuum analyze`.execute(world.db);
    }
    for (const feed of feeds) await feed.stop();
    playAgain();
    recording.end();
    const pairs: ParityPair[] = [];
    for (const one of deployed) {
      pairs.push({
        paper: await cameOnPaper(world, one),
        backtest: await cameInBacktest(world, { candles, facts, ...one, fromMs, toMs: nowMs }),
      });
    }
    const complaints = world.lines.filter(
      // A basket that is not undone in time does that, on paper as in the backtest.
      ({ level, message }) => level !== 'info' && message !== 'a blueprint is in error',
    );
    if (complaints.length > 0)
      throw new Error(`The runner was in trouble: ${JSON.stringify(complaints.slice(0, 3))}`);
    return {
      pairs,
      replayed: [...ticks.values()].map(({ came }) => came),
      ticks: keepsTicks ? [...ticks].map(([plan, { lines }]) => ({ plan, lines })) : [],
      candlesOf: (key) => candles.ofKey(key),
    };
  } finally {
    recording.end();
    await world.close();
    performance.now = uptime;
  }
}

type RunnerWorld = Awaited<ReturnType<typeof openRunnerWorld>>;

async function cameOnPaper(
  world: RunnerWorld,
  { accountId, deploymentId }: { accountId: string; deploymentId: string },
): Promise<GraphResult> {
  const orders = await world.db
    .selectFrom('trade_order')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('id')
    .execute();
  const fills = await world.db
    .selectFrom('fill')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('seq')
    .execute();
  const positions = await world.db
    .selectFrom('position')
    .select(['token_id', 'amount'])
    .where('account_id', '=', accountId)
    .where('amount', '>', '0')
    .execute();
  const { cash } = await world.db
    .selectFrom('trading_account')
    .select('cash')
    .where('account_id', '=', accountId)
    .where('mode', '=', 'paper')
    .executeTakeFirstOrThrow();
  return {
    orders: orders.map((order) => ({
      at: iso(order.created_at),
      nodeId: order.node_id ?? '',
      tokenId: order.token_id,
      side: order.side,
      type: order.type,
      amount: plain(order.amount),
      limitPrice: order.limit_price === null ? null : plain(order.limit_price),
      status: order.ended_at === null ? 'live' : order.status,
      filled: plain(order.filled_amount),
    })),
    fills: fills.map(({ at, token_id, side, amount, price, fee }) => ({
      at: iso(at),
      tokenId: token_id,
      side,
      amount: plain(amount),
      price: plain(price),
      fee: plain(fee),
    })),
    positions: positions
      .map(({ token_id, amount }) => ({ tokenId: token_id, amount: plain(amount) }))
      .toSorted(byToken),
    cash: plain(cash),
  };
}

type BacktestOfParity = {
  readonly candles: ReadyCandles;
  readonly facts: FactsByInstant;
  readonly accountId: string;
  readonly visual: unknown;
  readonly fromMs: number;
  readonly toMs: number;
};

async function cameInBacktest(
  world: RunnerWorld,
  { candles, facts, accountId, visual, fromMs, toMs }: BacktestOfParity,
): Promise<GraphResult> {
  const needs = needsOf(visual);
  const tokens = [...new Set([...needs.quotes, ...needs.traded, ...needs.instruments])];
  const recorded = await Promise.all(
    tokens.map(async (tokenId) =>
      decodedQuotesOf(await readQuoteChunks(world.db, null, { tokenId, fromMs, toMs: toMs + 1 })),
    ),
  );
  const minutes = needs.traded
    .filter((tokenId) => isOfKind(venueOf(tokenId) ?? 'venue-a', 'spot'))
    .map((symbol) => ({ symbol, interval: '1m' as const }));
  const series = new Map([...needs.candles, ...minutes].map((one) => [`${one.symbol} ${one.interval}`, one]));
  const histories = [...series.values()].map(({ symbol, interval }) =>
    historyFrom(symbol, interval, candles.all(symbol, interval)),
  );
  const request = requestOf(
    { from: iso(fromMs), to: iso(toMs) },
    { cash: '1000000', fills: { latencyMs: STEP_MS } },
  );
  const input = inputOf(request, {
    visual,
    facts: await facts.of(tokens),
    histories,
    recorded,
    signals: await readRecordedSignals(world.db, accountId, { names: needs.signals, fromMs, toMs }),
    rules: rulesWith(FREE_RULES),
  });
  const { orders, fills, summary } = run(input);
  const { positions } = runStateAt(input, request.to, () => false);
  return {
    orders: orders
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ at, nodeId, tokenId, side, type, amount, limitPrice, status, statusReason, filledAmount }) => ({
        at,
        nodeId,
        tokenId,
        side,
        type,
        amount,
        limitPrice,
        status: statusReason === 'backtest_over' ? 'live' : status,
        filled: filledAmount,
      })),
    fills: fills.map(({ at, tokenId, side, amount, price, fee }) => ({
      at,
      tokenId,
      side,
      amount,
      price,
      fee,
    })),
    positions: positions.map(({ tokenId, amount }) => ({ tokenId, amount: plain(amount) })).toSorted(byToken),
    cash: summary.finalCash,
  };
}

function historyFrom(symbol: string, interval: CandleInterval, candles: readonly Candle[]): History {
  const rows = rowsOf(candles.length);
  const names = Object.keys(rows.columns) as (keyof typeof rows.columns)[];
  candles.forEach((candle, row) => {
    for (const name of names) rows.columns[name][row] = candle[name];
  });
  return historyOf(symbol, INTERVAL_MS[interval], rows);
}

const byToken = (a: HeldAmount, b: HeldAmount): number => (a.tokenId < b.tokenId ? -1 : 1);
const iso = (moment: string | number | Date): string => new Date(moment).toISOString();
const plain = (decimal: string): string => exact(decimal).toFixed();
