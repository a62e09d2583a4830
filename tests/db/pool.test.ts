import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountDb, openPool, type Pool, systemDb } from '../../db/pool.ts';
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

test('an account has one handle as long as anything uses it, however many others come by', () => {
  const accountId = randomUUID();
  const used = accountDb(pool, accountId);
  for (let others = 0; others < 2_000; others++) accountDb(pool, randomUUID());
  expect(accountDb(pool, accountId)).toBe(used);
});

test('a pool that is closed has no connection left, and waits for those in use', async () => {
  const closed = await openPool(database.connection);
  await sql`select 1`.execute(systemDb(closed));
  const used = await closed.native.connect();
  const closing = closed.close();
  used.release();
  await closing;
  expect(closed.native.totalCount).toBe(0);
  expect(closed.native.ended).toBe(true);
});
