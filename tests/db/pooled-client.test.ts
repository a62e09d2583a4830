import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientConfig } from '../../db/migrating/migrate.ts';
import { openPool, type Pool, systemDb, unscopedDb } from '../../db/pool.ts';
import { keepsSession } from '../../db/pooling/find-pooler.ts';
import { keyRecheckQuery, verifyKey } from '../../engine/trading/keys/verify.ts';
import { addBlueprint } from '../support/trading.ts';
import { type Account, openWorld, type World } from '../support/world.ts';

/** The service's statements as it sends them to a pooler, to one session of PostgreSQL: nothing may remain in it. */
let world: World;
let pool: Pool;
let mine: Account;
let theirs: Account;
beforeAll(async () => {
  world = await openWorld();
  const { pooler: _none, ...direct } = world.database.connection;
  pool = await openPool({ ...direct, pooler: direct }, { poolMax: 1 });
  [mine, theirs] = [await world.account(), await world.account()];
  for (const account of [mine, theirs]) await addBlueprint(account);
});
afterAll(async () => {
  await pool.close();
  await world.close();
});

/** The state of the session behind the only connection, between two transactions of the service. */
async function sessionState() {
  const client = await pool.native.connect();
  try {
    const [, state] = (await client.query(
      `commit; select coalesce(current_setting('app.account_id', true), '') as scope, current_setting('statement_timeout') as timeout,
        (select count(*)::int from pg_prepared_statements) as prepared`,
    )) as unknown as { rows: unknown[] }[];
    return state?.rows[0];
  } finally {
    client.release();
  }
}

const owners = async (db: ReturnType<typeof systemDb>): Promise<string[]> =>
  (await db.selectFrom('blueprint').select('account_id').distinct().execute()).map((row) => row.account_id);

test('a statement has its account and its limits, and leaves neither in the session', async () => {
  const db = pool.handle(mine.accountId);
  expect(await owners(db)).toEqual([mine.accountId]);
  const { rows } = await sql`select current_setting('statement_timeout') as timeout`.execute(db);
  expect(rows).toEqual([{ timeout: '10s' }]);
  await db.transaction().execute(async (tx) => expect(await owners(tx)).toEqual([mine.accountId]));
  expect(await sessionState()).toEqual({ scope: '', timeout: '0', prepared: 0 });
});

test('a key that is looked up leaves no account behind', async () => {
  expect(await verifyKey(unscopedDb(pool), theirs.key)).toMatchObject({ accountId: theirs.accountId });
  expect(await sessionState()).toMatchObject({ scope: '' });
  expect(await owners(pool.handle(mine.accountId))).toEqual([mine.accountId]);
});

test('a key is checked in the flight of the account’s statement, and refused inside a transaction', async () => {
  const share = pool.share(1);
  const key = await verifyKey(unscopedDb(pool), mine.key);
  if (key === null) throw new Error('The key is valid.');
  const rider = keyRecheckQuery('no such key', key);
  share.piggyback(mine.accountId, rider);
  expect(await owners(share.handle(mine.accountId))).toEqual([mine.accountId]);
  expect((await rider.answer)?.rows[0]).toMatchObject({ id: null });
  expect(await sessionState()).toMatchObject({ scope: '', prepared: 0 });
  const looked = systemDb(pool)
    .transaction()
    .execute((tx) => verifyKey(tx, theirs.key));
  await expect(looked).rejects.toThrow('outside transactions');
  expect(await sessionState()).toMatchObject({ scope: '' });
});

test('a statement that fails reports its own error, changes nothing, and the connection serves the next one', async () => {
  const db = pool.handle(mine.accountId);
  await expect(sql`select 1 / 0`.execute(db)).rejects.toThrow('division by zero');
  const refused = sql`with renamed as (update blueprint set name = 'lost' returning 1) select 1 / (count(*) - 1) from renamed`;
  await expect(refused.execute(db)).rejects.toThrow('division by zero');
  const names = await db.selectFrom('blueprint').select('name').execute();
  expect(names).toEqual([expect.not.objectContaining({ name: 'lost' })]);
});

test('a pool without a session of its own opens those of locks past the pooler', async () => {
  expect(pool.session).toMatchObject({ host: world.database.owner.host, port: world.database.owner.port });
  expect(await keepsSession(clientConfig(world.database.connection))).toBe(true);
});
