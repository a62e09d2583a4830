import { setTimeout as sleep } from 'node:timers/promises';
import { type MarketData, type Venue, VenueError, venueOf } from '../../../../venues/port.ts';
import type { Work } from '../../../platform/context.ts';
import { accountValuesOf } from '../../../risk/account-values.ts';
import { readRiskSnapshot } from '../../../risk/read-risk-snapshot.ts';
import { ClosedCandles, candleKey, INTERVALS } from '../../../strategy/graph/candles.ts';
import type { Plan } from '../../../strategy/graph/run/run.ts';
import { toGraphBook, toGraphQuote } from '../../../strategy/graph/to-graph-quote.ts';
import type {
  Book,
  CandleNeed,
  CandleSeries,
  GraphQuote,
  InstrumentFacts,
  Needs,
  Position,
  SignalArrival,
  World,
} from '../../../strategy/graph/types.ts';
import { readHeldPositions } from '../../../trading/orders/read/held-positions.ts';
import { readUnfilledBuyUnits } from '../../../trading/orders/read/live-buys.ts';
import { mayRead, readNewestValues } from '../../signals/read.ts';

/** Values that have not arrived by then are left out. */
const DEADLINE_MS = 3_000;
/** A graph that reads more than this is not looked up: one request must not become hundreds at the venues. */
export const VENUE_REQUESTS_MAX = 32;
/** Feed and database are one clock if they are this close. */
const SAME_CLOCK_MS = 2_000;

/** A plan, the facts of its compilation, and the blueprint whose positions it sees. */
export type PlanToDeploy = {
  blueprintId: string;
  plan: Plan;
  instruments: ReadonlyMap<string, InstrumentFacts>;
};

/**
 * Reads the world that the plan would see in its first moment if it were deployed now. A value of a venue that fails, or takes
 * more than 3 s, is unknown. `now` is the feed's clock.
 */
export async function readWorldBeforeDeploy(
  work: Work,
  market: MarketData,
  { blueprintId, plan, instruments }: PlanToDeploy,
): Promise<{ world: World; now: number }> {
  const feed = await readFeed(market, plan.needs);
  const readAt = await work.clock(work.db);
  const now = market.now();
  const world: World = {
    ...feed,
    instruments,
    account: plan.needs.account
      ? accountValuesOf(await readRiskSnapshot(work, { now: readAt }), readAt, now)
      : null,
    signals: await readSignals(work, plan.needs.signals, now - readAt.getTime()),
    // Buys first: one that is filled in between counts twice rather than never.
    buying: await readBuying(work, blueprintId),
    positions: await readPositions(work, blueprintId, now - readAt.getTime()),
    orders: new Map(),
    isHalted: false,
    observedSince: 0,
  };
  return { world, now };
}

/** The number of requests that venues would get. */
export function venueRequestsOf({ quotes, books, candles }: Needs): number {
  const forming = candles.filter(({ open }) => open).length;
  return venuesOf(quotes).size + books.length + candles.length + forming;
}

type Feed = {
  quotes: Map<string, GraphQuote>;
  books: Map<string, Book>;
  candles: Map<string, CandleSeries>;
};

/** Reads everything that venues return before the deadline, requested concurrently. */
async function readFeed(market: MarketData, { quotes, books, candles }: Needs): Promise<Feed> {
  const feed: Feed = { quotes: new Map(), books: new Map(), candles: new Map() };
  const reads = [
    ...[...venuesOf(quotes).values()].map(async (tokenIds) => {
      for (const quote of await market.quotes(tokenIds)) feed.quotes.set(quote.tokenId, toGraphQuote(quote));
    }),
    ...books.map(async (tokenId) => {
      feed.books.set(tokenId, toGraphBook(await market.orderBook(tokenId)));
    }),
    ...candles.map(async (need) => {
      const series = await readSeries(market, need);
      if (series !== null) feed.candles.set(candleKey(need.symbol, need.interval), series);
    }),
  ];
  const timeout = new AbortController();
  const deadline = sleep(DEADLINE_MS, undefined, { signal: timeout.signal }).catch(() => {});
  await Promise.race([Promise.all(reads.map(unlessVenueFails)), deadline]);
  timeout.abort();
  return feed;
}

const venuesOf = (tokenIds: readonly string[]): Map<Venue | null, string[]> => Map.groupBy(tokenIds, venueOf);

async function unlessVenueFails(read: Promise<void>): Promise<void> {
  try {
    await read;
  } catch (error) {
    if (!(error instanceof VenueError)) throw error;
  }
}

/** Null for an interval that no venue has: the compiler has refused it already. */
async function readSeries(market: MarketData, need: CandleNeed): Promise<CandleSeries | null> {
  const { symbol, window, open } = need;
  const interval = INTERVALS.find((known) => known === need.interval);
  if (interval === undefined) return null;
  const [closed, forming] = await Promise.all([
    market.closedCandles(symbol, interval, { limit: Math.max(window, 1) }),
    open ? market.newestCandle(symbol, interval) : null,
  ]);
  return {
    closed: ClosedCandles.of(closed),
    open: forming?.candle ?? null,
    openAsOf: forming && Date.parse(forming.asOf),
  };
}

/** The blueprint's positions by instrument. `aheadMs`: how far the feed's clock is ahead of the database's. */
async function readPositions(
  work: Work,
  blueprintId: string,
  aheadMs: number,
): Promise<Map<string, Position>> {
  const shiftMs = Math.abs(aheadMs) < SAME_CLOCK_MS ? 0 : aheadMs;
  const now = await work.clock(work.db);
  const held = await readHeldPositions(work.db, [work], now);
  return new Map(
    held
      .filter((row) => row.blueprintId === blueprintId)
      .map(({ tokenId, position }) => [tokenId, { ...position, openedAt: position.openedAt + shiftMs }]),
  );
}

/** The newest values of the signals that a deployment in this mode may read. `aheadMs` as for {@link readPositions}. */
async function readSignals(
  { db, accountId, mode }: Work,
  names: readonly string[],
  aheadMs: number,
): Promise<Map<string, SignalArrival>> {
  if (names.length === 0) return new Map();
  const shiftMs = Math.abs(aheadMs) < SAME_CLOCK_MS ? 0 : aheadMs;
  const newest = await readNewestValues(db, [accountId], names);
  return new Map(
    newest
      .filter((signal) => mayRead(mode, signal.mode))
      .map(({ name, value, at, id }) => [name, { value, at: at + shiftMs, id }]),
  );
}

/** Units the blueprint's live buys may still add, by instrument. */
async function readBuying(work: Work, blueprintId: string): Promise<Map<string, string>> {
  const { db } = work;
  const buys = await readUnfilledBuyUnits(db, [work], await work.clock(db));
  return new Map(
    buys.filter((row) => row.blueprintId === blueprintId).map(({ tokenId, amount }) => [tokenId, amount]),
  );
}
