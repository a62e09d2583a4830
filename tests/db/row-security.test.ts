import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientConfig } from '../../db/migrating/migrate.ts';
import { accountDb, systemDb, unscopedDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { transact } from '../../engine/platform/transact.ts';
import { verifyKey } from '../../engine/trading/keys/verify.ts';
import { openedForFile } from '../support/opened.ts';
import { openTestPool } from '../support/pool.ts';
import { addBlueprint, hold, pendingBuy } from '../support/trading.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let mine: Account;
let theirs: Account;
/** Every table whose rows belong to accounts, and the column that names the account. */
let tables: { table: string; column: string }[];

beforeAll(async () => {
  [mine, theirs] = [await world.account(), await world.account()];
  for (const account of [mine, theirs]) {
    const blueprintId = await addBlueprint(account);
    await hold(world, account, { blueprintId, amount: '0.001' });
    await pendingBuy(world, account, { blueprintId, amount: '0.001' });
    await account.http('POST', `/api/blueprints/${blueprintId}/deploy`);
  }
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not a.attisdropped
      and a.attname = case when c.relname = 'account' then 'id' else 'account_id' end`.execute(world.db);
  tables = rows;
});

const BLUEPRINTS = { table: 'blueprint', column: 'account_id' };

/** Expects that a connection without an account sees no rows. */
async function expectNoAccount(pool = world.pool): Promise<void> {
  const bare = await pool.native.connect();
  expect((await bare.query('select 1 from blueprint')).rows).toEqual([]);
  bare.release();
}

/** The accounts whose rows a statement without any condition sees. */
async function ownersSeen(db: Db, { table, column }: { table: string; column: string }): Promise<string[]> {
  const { rows } = await sql<{ owner: string }>`
    select distinct ${sql.ref(column)}::text as owner from ${sql.table(table)}`.execute(db);
  return rows.map(({ owner }) => owner);
}

describe('row-level security', () => {
  test('protects every table that has an account column, and the directory of venue accounts', async () => {
    const { rows } = await sql<{ table: string }>`
      select c.relname as table from pg_class c join pg_policy p on p.polrelid = c.oid
      where c.relrowsecurity and p.polcmd = '*' and p.polpermissive`.execute(world.db);
    expect(rows.map(({ table }) => table).sort()).toEqual(
      [...tables.map(({ table }) => table), 'venue_account_claim'].sort(),
    );
    expect(tables.length).toBeGreaterThan(20);
  });

  test('returns only the account’s own rows of each table, whatever a statement requests', async () => {
    const filled: string[] = [];
    for (const place of tables) {
      const seen = await ownersSeen(accountDb(world.pool, mine.accountId), place);
      expect(
        seen.filter((owner) => owner !== mine.accountId),
        place.table,
      ).toEqual([]);
      const [row] = (await ownersSeen(world.db, place)).filter((owner) => owner === theirs.accountId);
      if (row !== undefined) filled.push(place.table);
    }
    // The promise above needs rows of the other account in the table.
    expect(filled).toEqual(
      expect.arrayContaining([
        'account',
        'api_key',
        'blueprint',
        'deployment',
        'fill',
        'position',
        'trade_order',
      ]),
    );
  });

  test('returns nothing where no account is set', async () => {
    const client = new pg.Client(clientConfig(world.database.connection));
    await client.connect();
    try {
      for (const { table } of tables)
        expect((await client.query(`select * from ${pg.escapeIdentifier(table)}`)).rows, table).toEqual([]);
    } finally {
      await client.end();
    }
  });

  test('rejects a row written for another account, in every table', async () => {
    for (const { table, column } of tables) {
      const [row] = (
        await sql<{ row: object }>`
        select to_jsonb(t) as row from ${sql.table(table)} t
        where ${sql.ref(column)} = ${theirs.accountId} limit 1`.execute(world.db)
      ).rows;
      if (row === undefined) continue;
      const copied = sql`insert into ${sql.table(table)}
        select * from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row.row)}::jsonb)`;
      // Only the database writes links and heads of the chain, for every account.
      await expect(copied.execute(accountDb(world.pool, mine.accountId)), table).rejects.toThrow(
        /violates row-level security policy|permission denied for table ledger_(?:head|link)$/,
      );
    }
  });

  test('changes and deletes nothing of another account, also where the condition was forgotten', async () => {
    const db = accountDb(world.pool, mine.accountId);
    await sql`update blueprint set name = 'taken'`.execute(db);
    await sql`delete from deployment_state`.execute(db);
    const their = (table: 'blueprint' | 'deployment_state') =>
      world.db.selectFrom(table).selectAll().where('account_id', '=', theirs.accountId).execute();
    expect(await their('blueprint')).toEqual([expect.not.objectContaining({ name: 'taken' })]);
    expect(await their('deployment_state')).toHaveLength(1);
    await expect(sql`update blueprint set account_id = ${theirs.accountId}`.execute(db)).rejects.toThrow(
      'violates row-level security policy',
    );
  });

  test('a use case whose statement names no account, or the wrong one, reaches only its own', async () => {
    const { work } = mine;
    const names = await work.db.selectFrom('blueprint').select('account_id').execute();
    expect(new Set(names.map(({ account_id }) => account_id))).toEqual(new Set([mine.accountId]));
    const reached = await transact(work, (tx) =>
      ({ ...tx, accountId: theirs.accountId }).db.selectFrom('trade_order').select('account_id').execute(),
    );
    expect(new Set(reached.map(({ account_id }) => account_id))).toEqual(new Set([mine.accountId]));
  });

  test('work of the service itself declares it, and sees all accounts', async () => {
    for (const place of tables)
      expect((await ownersSeen(systemDb(world.pool), place)).sort(), place.table).toEqual(
        (await ownersSeen(world.db, place)).sort(),
      );
  });

  test('a connection never keeps its account between uses, whatever their order', async () => {
    const pool = await openTestPool(world.database.connection);
    const uses = Array.from(
      { length: 300 },
      (_, index) => [mine.accountId, theirs.accountId, '*'][index % 3],
    );
    await Promise.all(
      uses.map(async (use, index) => {
        const db = use === '*' ? systemDb(pool) : accountDb(pool, use ?? '');
        const readOwners = () => ownersSeen(db, BLUEPRINTS);
        const inTransaction = () =>
          db.transaction().execute(async (trx) => {
            const seen = await ownersSeen(trx, BLUEPRINTS);
            if (index % 2 === 0) await sql`select 1 / 0`.execute(trx);
            return seen;
          });
        const seen = index % 4 < 2 ? await inTransaction().catch(readOwners) : await readOwners();
        expect(seen.sort()).toEqual(use === '*' ? [mine.accountId, theirs.accountId].sort() : [use]);
      }),
    );
    // A connection used without any handle has no account.
    await expectNoAccount(pool);
    await pool.close();
  });

  test('an account is an id, and nothing else gets into the statement that sets it', async () => {
    for (const name of ["x' or true --", '**', ' ', `${mine.accountId}'`])
      await expect(
        accountDb(world.pool, name).selectFrom('blueprint').select('id').execute(),
      ).rejects.toThrow('A scope is the id of an account.');
  });

  test('keys and users are looked up before an account is known, and only the answer is returned', async () => {
    const db = unscopedDb(world.pool);
    const { rows } = await sql`select account_of_user(${theirs.accountId}::uuid) as account`.execute(db);
    expect(rows).toEqual([{ account: null }]);
    expect((await sql`select * from live_key(${Buffer.alloc(32)})`.execute(db)).rows).toEqual([]);
  });

  test('a connection that looked a key up stays with its account until the next use', async () => {
    const db = unscopedDb(world.pool);
    expect(await verifyKey(db, theirs.key)).toMatchObject({ accountId: theirs.accountId });
    const { rows } = await sql<{
      whose: string;
    }>`select current_setting('app.account_id', true) as whose`.execute(db);
    // Behind a pooler the next statement may meet another session.
    const hasSession = world.database.connection.pooler === undefined;
    expect(rows).toEqual([{ whose: hasSession ? theirs.accountId : '' }]);
    expect(await ownersSeen(accountDb(world.pool, mine.accountId), BLUEPRINTS)).toEqual([mine.accountId]);
    expect(await verifyKey(db, theirs.key)).not.toBeNull();
    await expectNoAccount();
    expect(await verifyKey(db, mine.key)).not.toBeNull();
    expect((await ownersSeen(systemDb(world.pool), BLUEPRINTS)).length).toBe(2);
  });

  test('no key is looked up inside a transaction, which would continue as another account', async () => {
    const looked = accountDb(world.pool, mine.accountId)
      .transaction()
      .execute(async (tx) => verifyKey(tx, theirs.key));
    await expect(looked).rejects.toThrow('outside transactions');
    for (let use = 0; use < 30; use++)
      expect(await ownersSeen(accountDb(world.pool, mine.accountId), BLUEPRINTS)).toEqual([mine.accountId]);
  });

  test('costs no index: an account’s orders are found as before', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select id from trade_order where account_id = ${mine.accountId}
      order by created_at desc, id desc limit 50`.execute(accountDb(world.pool, mine.accountId));
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('InitPlan');
    expect(plan).toContain('Index Cond: (account_id =');
  });
});
