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
import { startEmbeddedPostgres } from '../db/embedded.ts';
import { openPool, systemDb } from '../db/pool.ts';
import { prepareDatabase } from '../db/prepare.ts';
import { walkLedger } from '../engine/ledger/verify-ledger.ts';
import { openCopiedTrades } from './support/ledger-copies.ts';

const TARGETS = { entriesPerSec: 5_000, growthMib: 40 };
const MIB = 2 ** 20;
/** Covers copying, and sorting the copies. */
const ANSWER_WITHIN_MS = 30 * 60_000;
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
const trades = await openCopiedTrades(pool);
const figures: Record<string, { entriesPerSec: number; peakMib: number }> = {};
for (const orders of sizes) {
  await trades.copy(orders / 2);
  figures[`${orders} orders`] = await verify();
}
report();

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
