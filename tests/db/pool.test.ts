import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountDb, openPool, type Pool } from '../../db/pool.ts';
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
