import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accountDb, openPool, type Pool, poolOf, systemDb } from '../../db/pool.ts';
import { begun } from '../support/begun.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool(database.connection);
});
afterAll(async () => {
  await pool.close();
  await database.drop();
});

test('an account has one handle while it is in use, however many other accounts appear', () => {
  const accountId = randomUUID();
  const used = accountDb(pool, accountId);
  for (let others = 0; others < 2_000; others++) accountDb(pool, randomUUID());
  expect(accountDb(pool, accountId)).toBe(used);
});

test('a closed pool has no connection left, and waits for those in use', async () => {
  const closed = await openPool(database.connection);
  await sql`select 1`.execute(systemDb(closed));
  const used = await closed.native.connect();
  const closing = closed.close();
  used.release();
  await closing;
  expect(closed.native.totalCount).toBe(0);
  expect(closed.native.ended).toBe(true);
});

test('an unused connection serves the next page for a minute, then ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await sql`select 1`.execute(systemDb(pool));
    vi.advanceTimersByTime(59_000);
    expect(pool.native.totalCount).toBeGreaterThan(0);
    vi.advanceTimersByTime(2_000);
    expect(pool.native.totalCount).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

/** The highest number of these connections that sleep at the same time under this load. */
async function mostAsleep(asks: readonly (() => Promise<unknown>)[], asleep: string): Promise<number> {
  const counted: number[] = [];
  let isDone = false;
  const done = begun(
    Promise.all(asks.map((ask) => ask())).finally(() => {
      isDone = true;
    }),
  );
  while (!isDone) {
    const { rows } = await sql<{ asleep: number }>`select count(*)::int as asleep from pg_stat_activity
      where query like ${`%${asleep}%`} and state = 'active' and pid <> pg_backend_pid()`.execute(
      systemDb(pool),
    );
    counted.push(rows[0]?.asleep ?? 0);
  }
  await done;
  return Math.max(...counted);
}

test('a share never uses more than its part of the connections, and returns those that fail', async () => {
  const share = pool.share(2);
  const mark = `/* ${randomUUID()} */`;
  const sleepy = () => sql`${sql.raw(mark)} select pg_sleep(0.05)`.execute(accountDb(share, randomUUID()));
  const failing = () =>
    expect(sql`select 1 / 0`.execute(accountDb(share, randomUUID()))).rejects.toThrow('division by zero');
  const asks = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? sleepy : failing));
  expect(await mostAsleep(asks, mark)).toBeLessThanOrEqual(2);
  await sleepy();
});

test('events committed by a handle of a share reach the listeners of the pool', () => {
  const share = pool.share(2);
  const accountId = randomUUID();
  const db = accountDb(share, accountId);
  expect(accountDb(share, accountId)).toBe(db);
  expect(db).not.toBe(accountDb(pool, accountId));
  expect(poolOf(db)).toBe(pool);
});

test('a statement that waits for a connection of a share is counted, though the pool has others', async () => {
  const share = pool.share(1);
  const asks = Array.from({ length: 3 }, () =>
    sql`select pg_sleep(0.2)`.execute(accountDb(share, randomUUID())),
  );
  await expect.poll(() => pool.load.waiting).toBe(2);
  await Promise.all(asks);
  expect(pool.load.waiting).toBe(0);
});
