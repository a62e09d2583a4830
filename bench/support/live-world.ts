/** A trader whose orders are live, at simulated venues: a runner has opened and checked the connections. */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startEmbeddedPostgres } from '../../db/embedded.ts';
import { openPool, type Pool, systemDb, unscopedDb } from '../../db/pool.ts';
import { prepareDatabase } from '../../db/prepare.ts';
import type { Venue } from '../../db/vocabulary.ts';
import { databaseClock, systemWork, type Work } from '../../engine/platform/context.ts';
import { recordPriceSource } from '../../engine/platform/price-source.ts';
import {
  createLiveTradingAccount,
  findOrCreateAccountOfUser,
} from '../../engine/trading/accounts/provision-account.ts';
import { createConnection } from '../../engine/trading/connections/create.ts';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { type ProposedIntent, proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { brokersByMode } from '../../engine/trading/orders/execution/brokers.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../engine/trading/orders/settings.ts';
import { ensureInstrument } from '../../engine/trading/orders/terms/instruments.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { Connections } from '../../server/workers/trading/connections/index.ts';
import { startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import type { Simulator } from '../../simulator/index.ts';
import { type OpenedMarketData, openMarketData } from '../../simulator/market-data.ts';
import type { TradingVenue } from '../../simulator/trading/venue.ts';
import { createDemoAccount, demoConnectionOf, registerDemoAccount } from '../../venues/demo-accounts.ts';

export type LiveMarket = {
  readonly venue: Venue;
  readonly tokenId: string;
  readonly amount: string;
  readonly limitPrice: string;
};

/** Venue B lists by slug what it trades by token. */
const SLUG = 'will-elon-musk-visit-mars-before-august-2099';
const QUOTE_PERIOD_MS = 2_000;
const READY_WITHIN_MS = 30_000;
const SETTINGS = { ...DEFAULT_TRADING_SETTINGS, isLiveOn: true };

export async function openLiveWorld() {
  const opened = new AsyncDisposableStack();
  const pool = await openDatabase(opened);
  const db = systemDb(pool);
  await recordPriceSource(db, 'simulator', new Date());
  const market = opened.use(await openMarketData({ mode: 'simulator', seed: 'bench' }));
  const { simulator } = market;
  if (simulator === null) throw new Error('The simulator is somewhere else.');
  const keys = KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`);
  const markets = await marketsOf(market);
  for (const { tokenId } of markets) await ensureInstrument(db, market, tokenId);
  opened.defer(refreshQuotes(pool, market, markets));
  const trader = await openTrader(pool);
  const tell = (fields: object, message: string) => console.error(message, fields);
  const log = { info: () => {}, warn: tell, error: tell };
  const connections = new Connections({
    pool,
    clock: databaseClock,
    log,
    market,
    keys,
    simulatorUrl: simulator.url,
    isLiveOn: true,
  });
  connections.start();
  opened.defer(() => connections.stop());
  for (const { venue } of markets) await connect(trader.work, venue, { keys, simulator });
  const paper = openPaperVenue({ pool, marketData: market, clock: databaseClock });
  const brokers = brokersByMode({ paper, live: connections.brokers });
  const orders = startOrderWork({ pool, brokers, paper, clock: databaseClock, log });
  opened.defer(() => orders.stop());
  await untilReady(trader.work, markets.length);
  const arrivals: number[] = [];
  for (const { venue } of simulator.simulatedVenues.values()) recordArrivals(venue, arrivals);

  /** Decides one order and follows it to its final status. */
  async function trade({ tokenId, amount, limitPrice }: LiveMarket) {
    arrivals.length = 0;
    const startedMs = performance.now();
    const order = await proposeIntent(
      trader.work,
      { ...trader.intent, tokenId, amount, limitPrice },
      SETTINGS,
    );
    const decidedMs = performance.now();
    if (order.status !== 'queued') throw new Error(`The order is ${order.status}: ${order.reason}`);
    orders.wake();
    await untilEnded(trader.work, order.id);
    const bookedMs = performance.now();
    const [arrivedMs] = arrivals;
    if (arrivedMs === undefined) throw new Error(`No order in ${tokenId} has arrived.`);
    return {
      intentToPostMs: arrivedMs - startedMs,
      decisionToPostMs: arrivedMs - decidedMs,
      decisionToBookedMs: bookedMs - decidedMs,
    };
  }

  return { db, markets, trade, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Notes when a request that creates an order arrives. */
function recordArrivals(venue: TradingVenue, arrivals: number[]): void {
  const answer = venue.answer.bind(venue);
  venue.answer = (ask) => {
    const atMs = performance.now();
    if (ask.method === 'POST' && venue.clientOrderIdOf(ask) !== null) arrivals.push(atMs);
    return answer(ask);
  };
}

async function openDatabase(opened: AsyncDisposableStack): Promise<Pool> {
  const dir = mkdtempSync(path.join(tmpdir(), 'live-orders-bench-'));
  chmodSync(dir, 0o711);
  opened.defer(() => rmSync(dir, { recursive: true, force: true }));
  const { host, port, user, password, app, stop } = await startEmbeddedPostgres({
    dir: path.join(dir, 'db'),
  });
  opened.defer(() => stop());
  const owner = { host, port, user, password, dbName: 'bench' };
  const pool = await openPool(await prepareDatabase({ owner, app: { login: app } }));
  opened.defer(() => pool.close());
  return pool;
}

/** Returns an instrument of each venue with an order that finds no match and costs next to nothing. */
async function marketsOf(market: OpenedMarketData): Promise<LiveMarket[]> {
  const { markets } = await market.at('venue-b').slug(SLUG, 'markets');
  const tokenId = markets.find(({ slug }) => slug === SLUG)?.outcomes[0]?.tokenId;
  if (tokenId == null) throw new Error(`Venue B does not list ${SLUG}.`);
  return [
    { venue: 'venue-a', tokenId: 'KXELONMARS-99:yes', amount: '1', limitPrice: '0.01' },
    { venue: 'venue-b', tokenId, amount: '100', limitPrice: '0.01' },
  ];
}

/** Stores quotes as the runner's feed would. */
function refreshQuotes(pool: Pool, market: OpenedMarketData, markets: readonly LiveMarket[]) {
  const closing = new AbortController();
  const refreshing = (async () => {
    while (!closing.signal.aborted) {
      for (const quote of await market.quotes(markets.map(({ tokenId }) => tokenId))) {
        const row = {
          bid: quote.bid,
          bid_size: quote.bidSize,
          ask: quote.ask,
          ask_size: quote.askSize,
          last: quote.last,
          market_status: quote.marketStatus,
          as_of: sql<string>`clock_timestamp()`,
          seq: sql<string>`nextval('quote_seq')`,
        };
        await systemDb(pool)
          .insertInto('quote')
          .values({ token_id: quote.tokenId, ...row })
          .onConflict((conflict) => conflict.column('token_id').doUpdateSet(row))
          .execute();
      }
      await sleep(QUOTE_PERIOD_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  })();
  return async () => {
    closing.abort();
    await refreshing;
  };
}

async function openTrader(pool: Pool) {
  const userId = randomUUID();
  const accountId = await findOrCreateAccountOfUser(pool, { userId, name: 'Bench', paperCash: '1' });
  const work = systemWork(pool, { accountId, mode: 'live' });
  const now = new Date();
  await createLiveTradingAccount({ db: unscopedDb(pool), accountId }, now);
  await updateRules(work, {
    maxOrderSize: 1_000_000,
    maxDailyLoss: 1_000_000,
    maxOrdersPerMinute: 1_000_000,
    cooldownAfterLossSec: 0,
    requireApprovalAbove: 1_000_000,
  });
  const blueprintId = randomUUID();
  await systemDb(pool)
    .insertInto('blueprint')
    .values({ account_id: accountId, id: blueprintId, name: 'Bench', created_at: now, updated_at: now })
    .execute();
  const intent: Omit<ProposedIntent, 'tokenId' | 'amount' | 'limitPrice'> = {
    origin: 'order',
    blueprintId,
    side: 'buy',
    type: 'limit',
    timeInForce: 'ioc',
    inputs: [],
  };
  return { work, intent };
}

/** Connects an account of a simulated venue; the first reconciliation books its money. */
async function connect(
  work: Work,
  venue: Venue,
  { keys, simulator }: { keys: KeyRing; simulator: Simulator },
): Promise<void> {
  const member = createDemoAccount(venue);
  await registerDemoAccount(simulator.url, venue, member);
  const limits = { maxOrder: null, maxDay: null, maxOpenNotional: null };
  const request = { ...demoConnectionOf(venue, member), limits, isEligible: false };
  await createConnection(work, request, { keys, prices: 'simulator' });
}

async function untilReady({ db, accountId }: Work, count: number): Promise<void> {
  const untilMs = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const rows = await db
      .selectFrom('venue_connection')
      .select(['venue', 'state', 'reconciled_at', 'checks', 'state_reason'])
      .where('account_id', '=', accountId)
      .execute();
    const ready = rows.filter(({ state, reconciled_at: at }) => state === 'ready' && at !== null);
    if (ready.length === count) return;
    if (performance.now() > untilMs) throw new Error(`Not ready: ${JSON.stringify(rows)}`);
    await sleep(100);
  }
}

async function untilEnded({ db, accountId }: Work, id: string): Promise<void> {
  for (;;) {
    const order = await db
      .selectFrom('trade_order')
      .select(['status', 'reason_code'])
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const hasArrived = order.status === 'canceled' || order.reason_code === 'no_match';
    if (hasArrived) return;
    if (['rejected', 'expired', 'denied', 'unknown'].includes(order.status))
      throw new Error(`The order is ${order.status}: ${order.reason_code}`);
    await sleep(1);
  }
}
