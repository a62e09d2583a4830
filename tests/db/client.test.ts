import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BoundedClient } from '../../db/client.ts';
import { clientConfig } from '../../db/migrating/migrate.ts';
import { openPool, type Pool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { keptByEach } from '../support/kept-bytes.ts';

const ANSWER_WITHIN_MS = 300;

let database: TestDatabase;
let wire: DatabaseProxy;
beforeEach(async () => {
  database = await createTestDatabase();
  wire = await DatabaseProxy.open(database.connection);
});
afterEach(async () => {
  await wire.close();
  await database.drop();
});

const openClient = async () => {
  const client = new BoundedClient(clientConfig(wire.carry(database.connection)), ANSWER_WITHIN_MS);
  client.on('error', () => {});
  await client.connect();
  return client;
};

test('a collection of young objects frees the rows of each statement', async () => {
  const client = await openClient();
  const select = () => client.query("select repeat('x', 1000) || n as text from generate_series(1, 100) n");
  expect(await keptByEach(100, select)).toBeLessThan(10_000);
  await client.end();
});

test('a statement that is refused has the trace of its caller', async () => {
  const client = await openClient();
  const callerOfThis = async () => void (await client.query('select no_column'));
  await expect(callerOfThis()).rejects.toMatchObject({ stack: expect.stringContaining('callerOfThis') });
  await client.end();
});

describe('a connection that has gone silent', () => {
  test('ends the statement that waits for it, and is not used again', { tags: ['long'] }, async () => {
    const client = await openClient();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    wire.silence();
    const ended = new Promise((resolve) => client.once('end', resolve));
    await expect(client.query('select 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await ended;
    await expect(client.query('select 1')).rejects.toThrow();
  });

  test('ends every queued statement as well', { tags: ['long'] }, async () => {
    const client = await openClient();
    wire.silence();
    const results = await Promise.allSettled(
      ['begin', 'select 1', 'commit'].map((text) => client.query(text)),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  test('is closed without waiting for its terminate message', { tags: ['long'] }, async () => {
    const client = await openClient();
    wire.silence();
    await client.end();
  });
});

test('a connection that is cut between its opening and its first statement is refused, and ends nothing else', async () => {
  const config = clientConfig(database.connection);
  const client = new BoundedClient({ ...config, session: { application_name: 'cut' } } as typeof config);
  client.connection.once('readyForQuery', () => client.connection.stream.destroy());
  await expect(client.connect()).rejects.toThrow('Connection terminated');
});

test('a connection that answers stays open, however long it is idle between statements', {
  tags: ['long'],
}, async () => {
  const client = await openClient();
  await client.query('select 1');
  await sleep(2 * ANSWER_WITHIN_MS);
  expect((await client.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  await client.end();
});

test('a connection to a read-only server is closed, so that the next one finds the primary', async () => {
  const pool = await openPool(database.owner, { poolMax: 1 });
  const db = systemDb(pool);
  await sql`set default_transaction_read_only = on`.execute(db);
  const write = () => sql`insert into schema_migration (name) values ('none')`.execute(db);
  await expect(write()).rejects.toMatchObject({ code: '25006' });
  await write();
  await pool.close();
});

describe('a pool whose connections have all gone silent', () => {
  let pool: Pool;
  let db: Db;
  beforeEach(async () => {
    pool = await openPool(wire.carry(database.connection), {
      poolMax: 6,
      answerWithinMs: ANSWER_WITHIN_MS,
    });
    db = systemDb(pool);
  });
  afterEach(() => pool.close());
  const ask = () => sql`select pg_sleep(0.05)`.execute(db);

  test('costs one timeout in total, and no connection is used again', {
    tags: ['long'],
  }, async () => {
    await Promise.all(Array.from({ length: 6 }, ask));
    wire.silence();
    await expect(ask()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    for (let attempt = 0; attempt < 12; attempt++) await ask();
  });

  test('returns its slot in the pool inside a transaction too', { tags: ['long'] }, async () => {
    for (let round = 0; round < 8; round++) {
      const lost = db.transaction().execute(async (transaction) => {
        wire.silence();
        await sql`select 1`.execute(transaction);
      });
      await expect(lost).rejects.toThrow();
    }
    await ask();
  });
});
