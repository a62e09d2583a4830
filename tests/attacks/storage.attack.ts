import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientConfig } from '../../db/migrating/migrate.ts';
import { addBlueprint, pendingBuy } from '../support/trading.ts';
import type { Account } from '../support/world.ts';
import { type Fortress, openFortress, shortOrFull } from './support/fortress.ts';

let fortress: Fortress;
let mine: Account;
let theirs: Account;
beforeAll(async () => {
  fortress = await openFortress({ RATE_LIMITS: 'off' });
  [mine, theirs] = [await fortress.account(), await fortress.account()];
  for (const account of [mine, theirs]) {
    const blueprintId = await addBlueprint(account, "Somebody's");
    await pendingBuy(fortress, account, { blueprintId, amount: '0.001' });
  }
});
afterAll(() => fortress.close());

const ACCOUNT_TABLES = ['blueprint', 'trade_order', 'api_key', 'risk_rules', 'cash_entry', 'audit_event'];

test('S3: the database returns to the service’s role the rows of one account at a time, or none', async () => {
  const client = new pg.Client(clientConfig(fortress.database.connection));
  await client.connect();
  const owners = async (table: string): Promise<string[]> => {
    const { rows } = await client.query(`select distinct account_id::text as owner from ${table}`);
    return rows.map(({ owner }) => owner);
  };
  try {
    for (const table of ACCOUNT_TABLES) expect(await owners(table), table).toEqual([]);
    await client.query(`select set_config('app.account_id', $1, false)`, [mine.accountId]);
    for (const table of ACCOUNT_TABLES) expect(await owners(table), table).toEqual([mine.accountId]);
    const taken = await client.query('update blueprint set name = $1 where account_id = $2', [
      'Taken',
      theirs.accountId,
    ]);
    expect(taken.rowCount).toBe(0);
    for (const statement of [
      'drop table blueprint',
      'alter table fill disable trigger all',
      'set role postgres',
    ])
      await expect(client.query(statement), statement).rejects.toThrow();
  } finally {
    await client.end();
  }
});

/** Bytes left behind for an account: graphs and stored answers. */
async function stored({ accountId }: Account): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (select coalesce(sum(octet_length(visual::text)), 0) from blueprint where account_id = ${accountId})::int
      + (select coalesce(sum(octet_length(body::text)), 0) from idempotency_key where account_id = ${accountId})::int
      as bytes`.execute(fortress.db);
  return rows[0]?.bytes ?? 0;
}

test('X14: creating and deleting, and validating, leave almost nothing behind', async () => {
  const account = await fortress.account();
  const { id } = (await account.http('POST', '/api/blueprints', { name: 'Checked' })).body as { id: string };
  const keyed = () => ({ 'idempotency-key': randomUUID() });
  for (let n = 0; n < shortOrFull(15, 200); n++) {
    const visual = { nodes: [{ id: 'a', type: 'note', data: { text: `${n}${'x'.repeat(200_000)}` } }] };
    const made = await account.http('POST', '/api/blueprints', { name: 'x', visual }, keyed());
    expect(made.status).toBe(200);
    const blueprintId = (made.body as { id: string }).id;
    expect((await account.http('DELETE', `/api/blueprints/${blueprintId}`)).status).toBe(200);
    const checked = { visual: { nodes: Array(200).fill(n) } };
    await account.http('POST', `/api/blueprints/${id}/validate`, checked, keyed());
  }
  expect(await stored(account)).toBeLessThan(shortOrFull(20_000, 200_000));
});

test('X14: the stored data of an account are limited in bytes and in number', async () => {
  const account = await fortress.account();
  const visual = 'x'.repeat(250 * 1024);
  const statuses: number[] = [];
  for (let n = 0; n < 70; n++)
    statuses.push((await account.http('POST', '/api/blueprints', { name: 'x', visual })).status);
  expect(new Set(statuses)).toEqual(new Set([200, 403]));
  expect(await stored(account)).toBeLessThanOrEqual(16 * 1024 * 1024);
});
