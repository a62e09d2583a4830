import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientConfig } from '../../db/migrating/migrate.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint } from '../support/trading.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let account: Account;
beforeAll(async () => {
  account = await world.account();
});

/** Holds the lock on the account's row until the task has its responses. */
async function whileItIsKept<Result>(task: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client(clientConfig(world.database.owner));
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from account where id = $1 for update', [account.accountId]);
  try {
    return await task();
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

describe("while another process holds an account's lock", () => {
  test('all waiting requests are refused as overloaded, not one after the other', {
    tags: ['long'],
  }, async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => addBlueprint(account)));
    const keyed = () => ({ 'idempotency-key': randomUUID() });
    const answers = await whileItIsKept(() =>
      Promise.all([
        ...ids.map((id) => account.http('POST', `/api/blueprints/${id}/deploy`)),
        ...ids.map((id) => account.http('POST', `/api/blueprints/${id}/deploy`, undefined, keyed())),
        ...Array.from({ length: 20 }, () => account.http('PUT', '/api/risk-rules', { maxOpenPositions: 3 })),
        account.http('POST', '/api/blueprints/stop'),
        account.http('POST', '/api/blueprints/stop', undefined, keyed()),
      ]),
    );
    for (const { status, body, headers } of answers) {
      expect({ status, body }).toMatchObject({ status: 503, body: { error: { code: 'overloaded' } } });
      expect(headers.get('retry-after')).toMatch(/^[1-9]/);
    }
  });

  test('an idempotency key whose first attempt was refused as overloaded is free for the next', {
    tags: ['long'],
  }, async () => {
    const id = await addBlueprint(account);
    const key = { 'idempotency-key': randomUUID() };
    const deploy = () => account.http('POST', `/api/blueprints/${id}/deploy`, undefined, key);
    expect((await whileItIsKept(deploy)).status).toBe(503);
    expect((await deploy()).status).toBe(200);
  });

  test('other accounts and reads continue', async () => {
    const other = await world.account();
    await whileItIsKept(async () => {
      expect((await other.http('PUT', '/api/risk-rules', { maxOpenPositions: 3 })).status).toBe(200);
      expect((await account.http('GET', '/api/portfolio')).status).toBe(200);
    });
  });
});
