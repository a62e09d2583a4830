/** An account that trades at all three simulated venues through the runner. A test may move the time of this world. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from 'decimal.js';
import { systemDb, unscopedDb } from '../../db/pool.ts';
import { VENUE_IDS, type Venue } from '../../db/vocabulary.ts';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { type Clock, systemWork } from '../../engine/platform/context.ts';
import { recordPriceSource } from '../../engine/platform/price-source.ts';
import {
  createLiveTradingAccount,
  findOrCreateAccountOfUser,
} from '../../engine/trading/accounts/provision-account.ts';
import { createConnection } from '../../engine/trading/connections/create.ts';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { type Brokers, brokersByMode } from '../../engine/trading/orders/execution/brokers.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../engine/trading/orders/settings.ts';
import { ensureInstrument } from '../../engine/trading/orders/terms/instruments.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { Connections } from '../../server/workers/trading/connections/index.ts';
import { startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import type { Simulator } from '../../simulator/index.ts';
import { openMarketData } from '../../simulator/market-data.ts';
import type { Account } from '../../simulator/trading/account.ts';
import { BinanceTrading } from '../../simulator/trading/binance/index.ts';
import type { SimulatedVenueServer } from '../../simulator/trading/venue-server.ts';
import type { Broker, FindResult, OrderRef } from '../../venues/broker.ts';
import { createDemoAccount, demoConnectionOf, registerDemoAccount } from '../../venues/demo-accounts.ts';
import { ACCESS } from '../../venues/trading-access.ts';
import { createTestDatabase } from './database.ts';
import { openTestPool } from './pool.ts';
import { LOOSE_RULES } from './trading-fixture.ts';

export const SETTINGS = { ...DEFAULT_TRADING_SETTINGS, isLiveOn: true };

/** The instrument traded at a venue, and the venue's names of its money and holdings. */
export type VenueSetup = {
  readonly venue: Venue;
  readonly venueServer: SimulatedVenueServer;
  readonly account: Account;
  readonly connectionId: string;
  readonly tokenId: string;
  /** The venue's name of the holding. */
  readonly asset: string;
  /** The path prefixes of requests that place orders, and of those that query them. */
  readonly paths: { readonly create: string; readonly read: string };
  readonly amount: string;
  /** Far below the market. */
  readonly restsAt: string;
};

const SLUG = 'will-elon-musk-visit-mars-before-august-2099';
const RICH: Readonly<Record<Venue, Readonly<Record<string, string>>>> = {
  'venue-a': { 'USD/0': '100000' },
  'venue-b': { pUSD: '100000' },
  crypto: { USDT: '1000000' },
};
const VENUE_TERMS: Readonly<Record<Venue, Pick<VenueSetup, 'paths' | 'amount' | 'restsAt'>>> = {
  'venue-a': {
    paths: { create: 'trade-api/v2/portfolio/events/orders', read: 'trade-api/v2/portfolio' },
    amount: '3',
    restsAt: '0.01',
  },
  'venue-b': { paths: { create: 'order', read: 'data/' }, amount: '110', restsAt: '0.01' },
  crypto: {
    paths: { create: 'api/v3/order', read: 'api/v3/' },
    amount: '0.0004',
    restsAt: '50000',
  },
};

/** Paces as fast as the simulated venues allow. */
const PACES = {
  periodMs: 50,
  breakersEveryMs: 100,
  compareEveryMs: 50,
  rereadMs: 500,
  heartbeatEveryMs: 200,
  restMs: 200,
};
const READY_WITHIN_MS = 30_000;

export type StormWorld = Awaited<ReturnType<typeof openStormWorld>>;

export async function openStormWorld(seed: number) {
  await using opened = new AsyncDisposableStack();
  const database = await createTestDatabase();
  opened.defer(() => database.drop());
  const pool = await openTestPool(database.connection);
  opened.defer(() => pool.close());
  const market = opened.use(await openMarketData({ mode: 'simulator', seed }));
  const { simulator } = market;
  if (simulator === null) throw new Error('The simulator is somewhere else.');
  const clock: Clock = async () => new Date(simulator.clock.now());
  const db = systemDb(pool);
  await recordPriceSource(db, 'simulator', await clock(db));
  const keys = KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`);

  const accountId = await findOrCreateAccountOfUser(pool, {
    userId: randomUUID(),
    name: 'Storm',
    paperCash: '1',
  });
  const work = systemWork(pool, { accountId, mode: 'live' }, clock);
  await createLiveTradingAccount({ db: unscopedDb(pool), accountId }, await clock(db));
  await updateRules(work, LOOSE_RULES);
  const blueprintId = randomUUID();
  const now = await clock(db);
  await db
    .insertInto('blueprint')
    .values({ account_id: accountId, id: blueprintId, name: 'Storm', created_at: now, updated_at: now })
    .execute();

  const logged: string[] = [];
  const log = {
    info: () => {},
    warn: (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    error: (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`),
  };
  const connections = new Connections({
    pool,
    clock,
    log,
    market,
    keys,
    simulatorUrl: simulator.url,
    isLiveOn: true,
    paces: PACES,
  });
  const paper = openPaperVenue({ pool, marketData: market, clock });
  const looks = new Looks(() => simulator.clock.now());
  const orders = startOrderWork({
    pool,
    brokers: looks.at(brokersByMode({ paper, live: connections.brokers })),
    paper,
    clock,
    log,
    periodMs: 20,
    uptimeMs: () => simulator.clock.now(),
  });
  connections.start();
  opened.defer(async () => {
    await orders.stop();
    await connections.stop();
  });

  const setups: VenueSetup[] = [];
  for (const venue of VENUE_IDS) setups.push(await openSetup(venue));
  for (const { tokenId } of setups) await ensureInstrument(db, market, tokenId);

  /** A connected member of the venue; the first comparison brings its money into the books. */
  async function openSetup(venue: Venue): Promise<VenueSetup> {
    const { simulatedVenues, url } = simulator as Simulator;
    const venueServer = simulatedVenues.get(ACCESS[venue].simulatorName);
    if (venueServer === undefined) throw new Error(`${venue} is not traded at`);
    if (venueServer.venue instanceof BinanceTrading)
      Object.assign(venueServer.venue.limits, { weightPerMin: 1e9, ordersPer10Sec: 1e9 });
    const fresh = createDemoAccount(venue);
    const member = { ...fresh, account: { ...fresh.account, balances: RICH[venue] } };
    await registerDemoAccount(url, venue, member);
    const account = [...venueServer.venue.exchange.accounts.values()].at(-1);
    if (account === undefined) throw new Error(`${venue} has no member`);
    const limits = { maxOrder: null, maxDay: null, maxOpenNotional: null };
    const wanted = { ...demoConnectionOf(venue, member), limits, isEligible: false };
    const { id: connectionId } = await createConnection(work, wanted, { keys, prices: 'simulator' });
    // Acts as an operator who resumes at once after every stop: a storm stops every connection.
    await db
      .updateTable('venue_connection')
      .set({ resumed_at: new Date(Date.now() + 365 * 86_400_000).toISOString() })
      .where('id', '=', connectionId)
      .execute();
    const tokenId = await tokenOf(venue);
    const asset = { 'venue-a': 'KXELONMARS-99', 'venue-b': tokenId, crypto: 'BTC' }[venue];
    return { venue, venueServer, account, connectionId, tokenId, asset, ...VENUE_TERMS[venue] };
  }

  async function tokenOf(venue: Venue): Promise<string> {
    if (venue === 'crypto') return 'BTCUSDT';
    if (venue === 'venue-a') return 'KXELONMARS-99:yes';
    const { markets } = await market.at('venue-b').slug(SLUG, 'markets');
    return markets.find(({ slug }) => slug === SLUG)?.outcomes[0]?.tokenId ?? '';
  }

  const readConnections = () =>
    db
      .selectFrom('venue_connection')
      .select(['venue', 'state', 'state_reason', 'reconciled_at', 'checks'])
      .where('account_id', '=', accountId)
      .execute();

  /** Waits until every connection is ready and was compared after that instant of the world. */
  async function untilReady(since: Date | null = null): Promise<void> {
    const untilMs = performance.now() + READY_WITHIN_MS;
    for (;;) {
      const rows = await readConnections();
      const isReady = rows.every(
        ({ state, reconciled_at: at }) =>
          state === 'ready' && at !== null && (since === null || new Date(at) >= since),
      );
      if (isReady) return;
      if (performance.now() > untilMs) throw new Error(`Not ready: ${JSON.stringify(rows)}`);
      await sleep(50);
    }
  }

  /** Quotes of the world at this instant, as the runner's feed would store them. */
  async function quote(): Promise<void> {
    for (const each of await market.quotes(setups.map(({ tokenId }) => tokenId))) {
      const row = {
        bid: each.bid,
        bid_size: each.bidSize,
        ask: each.ask,
        ask_size: each.askSize,
        last: each.last,
        market_status: each.marketStatus,
        as_of: (await clock(db)).toISOString(),
        seq: String(simulator?.clock.now()),
      };
      await db
        .insertInto('quote')
        .values({ token_id: each.tokenId, ...row })
        .onConflict((conflict) => conflict.column('token_id').doUpdateSet(row))
        .execute();
    }
  }

  await untilReady();
  const stack = opened.move();
  return {
    simulator,
    setups,
    work,
    blueprintId,
    db,
    orders,
    logged,
    quote,
    untilReady,
    now: () => simulator.clock.now(),
    isLooking: () => looks.underWay > 0,
    looksAt: (id: string) => looks.made(id),
    verify: () => verifyLedger(db, clock),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Counts polls for orders: those under way, so that a test may wait for them, and the results of each. */
class Looks {
  underWay = 0;
  readonly #now: () => number;
  readonly #made = new Map<string, string[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the result and time of each poll for an order, in seconds of the world after the last arrival. */
  made(id: string): readonly string[] {
    return this.#made.get(id) ?? [];
  }

  at(brokers: Brokers): Brokers {
    return { ...brokers, of: (...key) => this.#counting(brokers.of(...key)) };
  }

  #counting(broker: Broker): Broker {
    return new Proxy(broker, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const ask = value.bind(target);
        return name === 'find' ? (ref: OrderRef) => this.#counted(ref, () => ask(ref)) : ask;
      },
    });
  }

  async #counted(ref: OrderRef, look: () => Promise<FindResult>): Promise<FindResult> {
    this.underWay += 1;
    const fromMs = this.#now();
    try {
      const found = await look();
      this.#note(ref, fromMs, found.kind);
      return found;
    } catch (error) {
      this.#note(ref, fromMs, String(error));
      throw error;
    } finally {
      this.underWay -= 1;
    }
  }

  #note({ id, prepared }: OrderRef, fromMs: number, what: string): void {
    const sec = (ms: number) => ((ms - (prepared?.arrivesBy.getTime() ?? 0)) / 1_000).toFixed(1);
    const made = this.#made.get(id) ?? [];
    made.push(`${sec(fromMs)} to ${sec(this.#now())}: ${what}`);
    this.#made.set(id, made);
  }
}

/** Dollars of whatever kind at a venue. */
export const moneyOf = ({ account }: VenueSetup): Decimal =>
  [...account.holdings()]
    .filter(([asset]) => /^(USD\/\d|pUSD|USDT)$/.test(asset))
    .reduce((sum, [, amount]) => sum.plus(amount), new Decimal(0));
