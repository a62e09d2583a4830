/**
 * The pause of writes while `npm run account:move` moves an account, by the number of its rows. Two databases of one PostgreSQL are
 * the cells. A buy and its sell are decided and traded, then copied in the database, so that every copy agrees.
 *
 *   node bench/account-move.ts [--rows 1000,20000,100000]
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
import type { Db } from '../db/tables.ts';
import { ACCOUNT_TABLES } from '../engine/usecases/personal-data/tables.ts';
import { moveAccount } from '../server/cli/moving/move.ts';
import { openCopiedTrades } from './support/ledger-copies.ts';

const TARGETS = { pauseSec: 2 };
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000,20000,100000' } } });
const sizes = values.rows.split(',').map(Number);
const ROWS_PER_PAIR = 19;
/** Covers copying, and sorting the copies. */
const ANSWER_WITHIN_MS = 30 * 60_000;

await using opened = new AsyncDisposableStack();
const dir = mkdtempSync(path.join(tmpdir(), 'move-bench-'));
chmodSync(dir, 0o711);
opened.defer(() => rmSync(dir, { recursive: true, force: true }));
const { host, port, user, password, app, stop } = await startEmbeddedPostgres({ dir: path.join(dir, 'db') });
opened.defer(() => stop());
const login = { host, port, user, password };
const cells = [await openCell(0), await openCell(1)] as const;
const trades = await openCopiedTrades(cells[0].pool);
const figures: Record<string, { rows: number; pauseSec: number; totalSec: number }> = {};
let from = 0;
for (const rows of sizes) {
  await trades.copy(Math.ceil(rows / ROWS_PER_PAIR));
  figures[`${rows} rows`] = await move();
  if (from === 1) await move();
}
report();

async function openCell(number: 0 | 1) {
  const owner = { ...login, dbName: `cell_${number}` };
  await prepareDatabase({ owner, app: { login: app } });
  const pool = await openPool(owner, {
    poolMax: 3,
    statementTimeoutMs: 0,
    answerWithinMs: ANSWER_WITHIN_MS,
  });
  opened.defer(() => pool.close());
  const db = systemDb(pool);
  await sql`insert into cell (id, number) values (1, ${number}) on conflict do nothing`.execute(db);
  // Copies have no digests: a later baseline makes them count as steps of the previous version.
  await sql`update schema_migration set executed_at = '2200-01-01' where name like '%_baseline'`.execute(db);
  return { pool, db };
}

/** Moves the account to the other cell. */
async function move(): Promise<{ rows: number; pauseSec: number; totalSec: number }> {
  const [here, there] = from === 0 ? [cells[0], cells[1]] : [cells[1], cells[0]];
  const rows = await countRows(here.db);
  const startedMs = performance.now();
  const said: string[] = [];
  await moveAccount({
    from: here.db,
    to: there.db,
    keys: null,
    archive: null,
    accountId: trades.accountId,
    signal: new AbortController().signal,
    report: (message) => void said.push(message),
    route: async () => {},
  });
  from = 1 - from;
  const totalSec = Number(((performance.now() - startedMs) / 1_000).toFixed(1));
  return { rows, pauseSec: Number(/for ([\d.]+) s/.exec(said.join('\n'))?.[1]), totalSec };
}

async function countRows(db: Db): Promise<number> {
  const counts = Object.keys(ACCOUNT_TABLES).map(
    (name) => sql`select count(*) as count from ${sql.table(name)} where account_id = ${trades.accountId}`,
  );
  const { rows } = await sql<{ count: string }>`
    select sum(count) as count from (${sql.join(counts, sql` union all `)}) as counted`.execute(db);
  return Number(rows[0]?.count);
}

function report(): void {
  console.table(figures);
  const ok = Object.values(figures).every(({ pauseSec }) => pauseSec <= TARGETS.pauseSec);
  console.log(JSON.stringify({ bench: 'account-move', figures, targets: TARGETS, ok }));
  if (!ok) process.exitCode = 1;
}
