/**
 * Steps and fills per second, and memory, of `npm run verify-ledger` on one large account. The account buys and sells the same
 * amount repeatedly. One pair is decided and traded, then copied in the database, so that every copy agrees.
 *
 *   node bench/ledger.ts [--orders 50000,200000]
 *
 * The last line is JSON: { bench, figures, targets, ok }.
 */

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { openPool, systemDb } from '../db/pool.ts';
import { prepareDatabase } from '../db/prepare.ts';
import { walkLedger } from '../engine/ledger/verify-ledger.ts';
import { systemWork } from '../engine/platform/context.ts';
import { proposeIntent } from '../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../engine/trading/orders/execution/send.ts';
import { openPaperVenue } from '../engine/trading/orders/paper/broker.ts';
import { rechain } from '../tests/support/rechain.ts';
import { copyStatements } from './support/ledger-copies.ts';
import { limitBuy, openMarket, openTrader, steadyMarket } from './support/orders-world.ts';

const TARGETS = { entriesPerSec: 5_000, growthMib: 40 };
const MIB = 2 ** 20;
/** Far enough apart that no per-minute rule counts two of them. */
const APART_MS = 61_000;
const PRICE = '86398.01';
/** The market at which each side trades at that price. */
const QUOTES = { buy: { bid: '86398', ask: PRICE }, sell: { bid: PRICE, ask: '86398.02' } };
/** Covers copying, and sorting the copies. */
const ANSWER_WITHIN_MS = 30 * 60_000;
const FREE = JSON.stringify({
  formula: 'notional',
  takerRate: '0',
  makerRate: '0',
  exponent: 1,
  roundUpTo: null,
});

const { values } = parseArgs({ options: { orders: { type: 'string', default: '50000,200000' } } });
const sizes = values.orders.split(',').map(Number);

await using opened = new AsyncDisposableStack();
const dir = mkdtempSync(path.join(tmpdir(), 'ledger-bench-'));
chmodSync(dir, 0o711);
opened.defer(() => rmSync(dir, { recursive: true, force: true }));
const { host, port, user, password, app, stop } = await startEmbeddedPostgres({ dir: path.join(dir, 'db') });
opened.defer(() => stop());
const owner = { host, port, user, password, dbName: 'bench' };
await prepareDatabase({ owner, app: { login: app } });
const pool = await openPool(owner, {
  poolMax: 2,
  statementTimeoutMs: 0,
  answerWithinMs: ANSWER_WITHIN_MS,
});
opened.defer(() => pool.close());
const db = systemDb(pool);
await (await openMarket(pool))();

let nowMs = Date.now();
const clock = async () => new Date(nowMs);
let topOfBook = QUOTES.buy;
const venue = openPaperVenue({
  pool,
  clock,
  marketData: {
    ...steadyMarket,
    now: () => nowMs,
    quotes: async (tokenIds) =>
      (await steadyMarket.quotes(tokenIds)).map((quote) => ({
        ...quote,
        ...topOfBook,
        asOf: new Date(nowMs).toISOString(),
      })),
  },
});
const trader = await openTrader(pool, 1_000);
await db.updateTable('instrument').set({ fee_schedule: FREE }).execute();
await trade('buy');
await trade('sell');
const orderIds = [await trade('buy'), await trade('sell')];
const figures: Record<string, { entriesPerSec: number; peakMib: number }> = {};
let copied = 0;
for (const orders of sizes) {
  await copy(orders / 2);
  figures[`${orders} orders`] = await verify();
}
report();

/** Buys or sells at one price without a fee, so that a buy and its sell cancel out. */
async function trade(side: 'buy' | 'sell'): Promise<string> {
  nowMs += APART_MS;
  topOfBook = QUOTES[side];
  await db
    .updateTable('quote')
    .set({ ...topOfBook, as_of: new Date(nowMs) })
    .execute();
  const work = systemWork(pool, { accountId: trader.accountId, mode: 'paper' }, clock);
  const { id } = await proposeIntent(work, { ...limitBuy(trader), side, limitPrice: PRICE });
  await sendOrder(work, venue, id);
  return id;
}

/** Copies the last pair of orders `pairs` times. */
async function copy(pairs: number): Promise<void> {
  const copies = {
    accountId: trader.accountId,
    orderIds,
    first: copied + 1,
    last: pairs,
    apartMs: 2 * APART_MS,
  };
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const statement of copyStatements(copies)) await statement.execute(trx);
    // Copies have no digests: a later baseline makes them count as steps of the previous version.
    await sql`update schema_migration set executed_at = '2200-01-01' where name like '%_baseline'`.execute(
      trx,
    );
    await sql`update position set fill_count = (select count(*) from fill),
      opened_at = (select max(applied_at) from fill where side = 'buy')`.execute(trx);
    await rechain(trx, copies.accountId);
  });
  await sql`analyze`.execute(db);
  copied = pairs;
}

async function verify(): Promise<{ entriesPerSec: number; peakMib: number }> {
  globalThis.gc?.();
  const start = performance.now();
  let peak = 0;
  let entries = 0;
  for await (const { done, differences } of walkLedger(db)) {
    if (differences.length > 0)
      throw new Error(`The ledger differs: ${JSON.stringify(differences.slice(0, 3))}`);
    peak = Math.max(peak, process.memoryUsage.rss());
    entries = done;
  }
  const seconds = (performance.now() - start) / 1_000;
  return { entriesPerSec: Math.round(entries / seconds), peakMib: Math.round(peak / MIB) };
}

function report(): void {
  console.table(figures);
  const all = Object.values(figures);
  const peaks = all.map(({ peakMib }) => peakMib);
  const growthMib = Math.max(...peaks) - (peaks[0] ?? 0);
  const isFast = all.every(({ entriesPerSec }) => entriesPerSec >= TARGETS.entriesPerSec);
  const ok = isFast && growthMib <= TARGETS.growthMib;
  console.log(JSON.stringify({ bench: 'ledger', figures: { ...figures, growthMib }, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
}
