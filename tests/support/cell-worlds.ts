import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import { collectDifferences, walkBooks, walkChains } from '../../engine/ledger/verify-ledger.ts';
import { databaseClock, systemWork } from '../../engine/platform/context.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import { bearer } from './api.ts';
import { openedForFile } from './opened.ts';
import { addBlueprint, hold, openMarket, pendingBuy } from './trading.ts';
import { type Account, openWorld, type World } from './world.ts';

/** Opens two cells with one archive for a file of tests, and closes them. An account moves from `home` to `other`. */
export function openedTwoCells(more: NodeJS.ProcessEnv = {}) {
  const archiveDir = mkdtempSync(path.join(tmpdir(), 'archive-of-cells-'));
  afterAll(() => rmSync(archiveDir, { recursive: true }));
  const ARCHIVE_URL = `file://${archiveDir}`;
  const home = openedForFile(() => openWorld({ settings: { ...more, ARCHIVE_URL } }));
  const other = openedForFile(() => openWorld({ settings: { ...more, ARCHIVE_URL, CELL: '1' } }));
  beforeAll(async () => {
    await openMarket(home);
  });
  const moving = (accountId: string, [from, to]: readonly [World, World] = [home, other]) => ({
    from: from.db,
    to: to.db,
    keys: null,
    archive: null,
    accountId,
    signal: new AbortController().signal,
    report: () => {},
    route: async () => {},
  });
  return { archiveDir, home, other, moving, newPerson: () => newPerson(home) };
}

/** A signed-up person with a key, a position and an order that waits for approval. */
async function newPerson(home: World) {
  const { cookie, email, password } = await home.signUp();
  await home.send('GET', '/api/portfolio', { headers: { cookie } });
  const { rows } = await sql<{ id: string }>`
    select account_id as id from membership join auth."user" u on u.id = user_id where email = ${email}`.execute(
    home.db,
  );
  const accountId = rows[0]?.id ?? '';
  const work = systemWork(home.pool, { accountId, mode: 'paper' });
  const { key, id: keyId } = await createKey(work, { name: 'Bot', scopes: SCOPE_NAMES, createdBy: null });
  const http = httpOf(home, key);
  const account = { accountId, key, keyId, work, http };
  const blueprintId = await addBlueprint(account);
  await hold(home, account, { blueprintId, amount: '0.01' });
  const { id: orderId } = await pendingBuy(home, account, { blueprintId, amount: '0.02' });
  return { ...account, cookie, email, password, blueprintId, orderId };
}

export const httpOf =
  (world: World, key: string): Account['http'] =>
  (method, path, body, headers = {}) =>
    world.send(method, path, {
      headers: { ...bearer(key), ...headers },
      ...(body !== undefined && { body }),
    });

/** Every row of the account, by table, as text; without the last use of a key, which is written each minute. */
export async function rowsOf({ db }: World, accountId: string): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`.execute(db);
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(t) - 'last_used_at')::text as row from ${sql.table(name)} t where account_id = ${accountId} order by 1`.execute(
      db,
    );
    if (rows.length > 0) found[name] = rows.map(({ row }) => row);
  }
  return found;
}

export const differencesIn = async ({ db }: World, accountId: string) => [
  ...(await collectDifferences(walkBooks(db, databaseClock, { accountId, mode: 'paper' }))),
  ...(await collectDifferences(walkChains(db, [accountId]))),
];

/** Waits until a statement of the database waits for a lock. */
export const untilWaiting = ({ db }: World, isIt: RawBuilder<boolean>) =>
  expect
    .poll(
      async () =>
        (
          await sql`select from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database() and ${isIt}`.execute(db)
        ).rows.length,
      { timeout: 20_000 },
    )
    .toBe(1);
