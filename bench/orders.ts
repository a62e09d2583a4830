/**
 * Risk decisions per second over a hundred accounts, on one, and on one with thousands of live orders. Intents of ticks are
 * decided together, requests of keys one by one. The floor sends the same statements as one decision on bare prepared `pg`,
 * with no computation in between. Also measured: a user's cancel while intents are decided, and a close until its fill at the
 * paper venue. Rounds of all alternate in one run, on one database with production settings. An account may send 240 orders a
 * minute; the rest is denied, which takes the same statements.
 *
 *   node bench/orders.ts [--rounds 3] [--seconds 4] [--closes 300] [--share 1]
 *
 * `--share 0.1` has a tenth of the accounts, of their live orders and of the intents: figures of another load.
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { clientConfig } from '../db/migrating/migrate.ts';
import { openPool, systemDb } from '../db/pool.ts';
import { prepareDatabase } from '../db/prepare.ts';
import { verifyLedger } from '../engine/ledger/verify-ledger.ts';
import { databaseClock, systemWork } from '../engine/platform/context.ts';
import { closePosition } from '../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../engine/trading/orders/entry/propose.ts';
import { cancelOrder } from '../engine/trading/orders/lifecycle/end-order.ts';
import { openPaperVenue } from '../engine/trading/orders/paper/broker.ts';
import { LogOnce } from '../server/kernel/rounds/log-once.ts';
import { contextOf } from '../server/kernel/rounds/options.ts';
import { IntentProcessor } from '../server/workers/trading/orders/intents.ts';
import { startOrderWork } from '../server/workers/trading/orders/order-work.ts';
import {
  type Deployed,
  deploy,
  limitBuy,
  noMarket,
  openMarket,
  openTrader,
  queueIntents,
  SYMBOL,
  steadyMarket,
  type Trader,
} from './support/orders-world.ts';
import { quantileOf } from './support/quantile.ts';
import { recordStatements, replay } from './support/recorded-decision.ts';

const TARGETS = {
  'over 100 accounts': 3_000,
  'on one account': 1_500,
  'on one account with 3,000 live orders': 300,
  floor: 0.4,
  brakeP99Ms: 50,
};
/** `live` orders can already trade, and count in each decision. */
const CASES = {
  'over 100 accounts': { accounts: 100, clients: 16, live: 0 },
  'on one account': { accounts: 1, clients: 8, live: 0 },
  'on one account with 3,000 live orders': { accounts: 1, clients: 8, live: 3_000 },
};
type Case = (typeof CASES)[keyof typeof CASES];
/** Intents queued at once, and the interval of user cancels meanwhile. */
const WAITING = 6_000;
const CANCEL_PERIOD_MS = 25;
const ORDERS_PER_MINUTE = 240;
const UNBOUNDED = 1_000_000;
/** Live orders last 30 s: the decisions behind them must finish by then. */
const WAITING_BEHIND_LIVE = 600;
const POOL = 16;
const WARM_UP_SEC_MAX = 2;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    closes: { type: 'string', default: '300' },
    share: { type: 'string', default: '1' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const closes = Number(values.closes);
const shareOf = (count: number) => Math.round(count * Number(values.share));

await using opened = new AsyncDisposableStack();
const dir = mkdtempSync(path.join(tmpdir(), 'orders-bench-'));
chmodSync(dir, 0o711);
opened.defer(() => rmSync(dir, { recursive: true, force: true }));
const { host, port, user, password, app, stop } = await startEmbeddedPostgres({ dir: path.join(dir, 'db') });
opened.defer(() => stop());
const owner = { host, port, user, password, dbName: 'bench' };
const connection = await prepareDatabase({ owner, app: { login: app } });
const pool = await openPool(connection, { poolMax: POOL });
opened.defer(() => pool.close());
const bare = new pg.Pool({ ...clientConfig(owner), max: POOL });
opened.defer(() => bare.end());
opened.defer(await openMarket(pool));

const tell = (fields: object, message: string) => console.error(message, fields);
/** Accounts that only the floor wrote to. */
const undecidedAccounts = new Set<string>();
type Figures = {
  togetherPerSec: number;
  brakeP99Ms: number;
  oneByOnePerSec: number;
  floorPerSec: number;
  ratio: number;
};
const { statements, floor } = await recordFloor();
// Runs before the rounds leave thousands of orders at the venue, which would be matched first.
const latency = await closeToFilled();
const figures: Record<string, Figures> = {};
for (const [name, each] of Object.entries(CASES)) figures[name] = await compare(each);
await refuseWrongLedger();
report();

/** One decision that is denied, as bare statements. A denied order is stored like any other and never becomes live. */
async function recordFloor() {
  const trader = await openTrader(pool, 0);
  await proposeIntent(systemWork(pool, { accountId: trader.accountId, mode: 'paper' }), limitBuy(trader));
  let orderId = '';
  const recorded = await recordStatements(async () => {
    orderId = (
      await proposeIntent(systemWork(pool, { accountId: trader.accountId, mode: 'paper' }), limitBuy(trader))
    ).id;
  });
  return { statements: recorded.length, floor: replay(recorded, { ...trader, orderId }) };
}

/** Runs all in turn, each on its own accounts, after a short warm-up; the median round counts. */
async function compare({ accounts, clients, live }: Case): Promise<Figures> {
  const taken: { together: number[]; oneByOne: number[]; floor: number[] } = {
    together: [],
    oneByOne: [],
    floor: [],
  };
  const cancelsMs: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const lengthSec = round < 0 ? Math.min(WARM_UP_SEC_MAX, seconds) : seconds;
    const ordersPerMinute = live === 0 ? ORDERS_PER_MINUTE : UNBOUNDED;
    const openBusy = async () => {
      const traders = await openTraders(Math.max(1, shareOf(accounts)), ordersPerMinute);
      const deployed = await Promise.all(traders.map((trader) => deploy(pool, trader)));
      if (live > 0) await decideTogether(deployed, shareOf(live));
      return deployed;
    };
    const deciding = await openBusy();
    // A working server has table statistics within a minute; a bench is over sooner.
    await bare.query('analyze');
    const waiting = shareOf(live === 0 ? WAITING : WAITING_BEHIND_LIVE);
    const together = await decideTogether(deciding, round < 0 ? waiting / 4 : waiting);
    const oneByOne = await rate(await openBusy(), clients, lengthSec, decide);
    const undecided = await openBusy();
    for (const { accountId } of undecided) undecidedAccounts.add(accountId);
    const least = await rate(undecided, clients, lengthSec, onBareClient);
    if (round < 0) continue;
    taken.together.push(together.perSec);
    cancelsMs.push(...together.cancelsMs);
    taken.oneByOne.push(oneByOne);
    taken.floor.push(least);
  }
  const [oneByOnePerSec, floorPerSec] = [median(taken.oneByOne), median(taken.floor)];
  return {
    togetherPerSec: median(taken.together),
    brakeP99Ms: quantileOf(cancelsMs, 0.99, 1),
    oneByOnePerSec,
    floorPerSec,
    ratio: Math.round((oneByOnePerSec / floorPerSec) * 100) / 100,
  };
}

/** Decides all intents that ticks have left; users cancel some of the cleared orders meanwhile. */
async function decideTogether(traders: readonly Deployed[], count: number) {
  const keys = await queueIntents(pool, traders, count / traders.length);
  const processor = new IntentProcessor(
    contextOf({
      ...{ pool, market: noMarket, clock: databaseClock, shardCount: 1, wakeOrders: () => {} },
      log: { info: () => {}, warn: tell, error: tell },
    }),
    new LogOnce({ info: () => {}, warn: tell, error: tell }),
    () => {},
  );
  const decided = new AbortController();
  const canceling = cancelSome(traders, decided.signal);
  const start = performance.now();
  await processor.decide(keys);
  const tookSec = (performance.now() - start) / 1_000;
  decided.abort();
  return { perSec: Math.round(count / tookSec), cancelsMs: await canceling };
}

async function cancelSome(traders: readonly Deployed[], signal: AbortSignal): Promise<number[]> {
  const tookMs: number[] = [];
  for (let index = 0; !signal.aborted; index++) {
    await sleep(CANCEL_PERIOD_MS);
    const accountId = traders[index % traders.length]?.accountId ?? '';
    const order = await systemDb(pool)
      .selectFrom('trade_order')
      .select('id')
      .where('account_id', '=', accountId)
      .where('status', '=', 'queued')
      .where('expires_at', '>', new Date(Date.now() + 5_000).toISOString())
      .executeTakeFirst();
    if (order === undefined) continue;
    const start = performance.now();
    await cancelOrder(systemWork(pool, { accountId, mode: 'paper' }), order.id);
    tookMs.push(performance.now() - start);
  }
  return tookMs;
}

/** One after another: on a busy machine, a hundred at once wait longer for a connection than the pool allows. */
async function openTraders(count: number, ordersPerMinute: number): Promise<Trader[]> {
  const traders: Trader[] = [];
  while (traders.length < count) traders.push(await openTrader(pool, ordersPerMinute));
  return traders;
}

function decide(trader: Trader) {
  return proposeIntent(systemWork(pool, { accountId: trader.accountId, mode: 'paper' }), limitBuy(trader));
}

async function onBareClient(trader: Trader): Promise<void> {
  const client = await bare.connect();
  try {
    await floor(client, trader);
  } finally {
    client.release();
  }
}

async function rate(
  traders: Trader[],
  clients: number,
  lengthSec: number,
  task: (trader: Trader) => Promise<unknown>,
): Promise<number> {
  const end = performance.now() + lengthSec * 1_000;
  let made = 0;
  const client = async () => {
    while (performance.now() < end) {
      const trader = traders[made++ % traders.length];
      if (trader !== undefined) await task(trader);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return Math.round(made / lengthSec);
}

/** Measures one close after another, from the call to the fill on the books. Order work runs in this process. */
async function closeToFilled() {
  const trader = await openTrader(pool, 1_000_000);
  const db = systemDb(pool);
  const paper = openPaperVenue({ pool, marketData: steadyMarket, clock: databaseClock });
  const work = startOrderWork({
    pool,
    brokers: paper,
    paper,
    clock: databaseClock,
    log: { info: () => {}, warn: tell, error: tell },
  });
  const untilFilled = async (id: string) => {
    for (;;) {
      work.wake();
      const order = await db
        .selectFrom('trade_order')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (order.status === 'filled') return;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const bought = await proposeIntent(systemWork(pool, { accountId: trader.accountId, mode: 'paper' }), {
    ...limitBuy(trader),
    amount: '5',
    limitPrice: '90000',
  });
  await untilFilled(bought.id);
  const tookMs: number[] = [];
  for (let close = 0; close < closes; close++) {
    const start = performance.now();
    const { intentId } = await closePosition(
      systemWork(pool, { accountId: trader.accountId, mode: 'paper' }),
      {
        tokenId: SYMBOL,
        amount: '0.001',
      },
    );
    work.wake();
    await untilFilled(intentId);
    tookMs.push(performance.now() - start);
  }
  await work.stop();
  return { p50Ms: quantileOf(tookMs, 0.5, 1), p99Ms: quantileOf(tookMs, 0.99, 1) };
}

/** Speed counts only if every number is right. The floor's accounts are left out: their rows were never decided. */
async function refuseWrongLedger(): Promise<void> {
  const differences = (await verifyLedger(systemDb(pool))).filter(
    ({ accountId }) => !undecidedAccounts.has(accountId),
  );
  if (differences.length > 0)
    throw new Error(`The ledger differs: ${JSON.stringify(differences.slice(0, 3))}`);
}

function report(): void {
  console.table(figures);
  console.log(
    `${statements} statements a decision; close to filled: p50 ${latency.p50Ms} ms, p99 ${latency.p99Ms} ms`,
  );
  const ok = Object.entries(figures).every(
    ([name, { togetherPerSec, brakeP99Ms, ratio }]) =>
      togetherPerSec >= TARGETS[name as keyof typeof CASES] &&
      brakeP99Ms <= TARGETS.brakeP99Ms &&
      ratio >= TARGETS.floor,
  );
  console.log(
    JSON.stringify({
      bench: 'orders',
      figures: { ...figures, statements, closeToFilled: latency },
      targets: TARGETS,
      ok,
    }),
  );
  if (!ok) process.exitCode = 1;
}

function median(rates: number[]): number {
  return rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;
}
