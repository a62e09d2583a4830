import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/api.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const ready = () => world.send('GET', '/health/ready');

/** Makes the service's new connections only read, or write again, and ends those it has. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const { dbName, user } = world.database.connection;
  const set = `alter database "${dbName}" set default_transaction_read_only = ${value}`;
  await sql`set default_transaction_read_only = off`.execute(world.db);
  await sql.raw(set).execute(world.db);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${dbName} and usename = ${user}`.execute(world.db);
}

describe('readiness', () => {
  test('the database is asked once a second at most, whoever asks and however often', async () => {
    await sleep(1_100);
    let asked = 0;
    const count = () => asked++;
    world.pool.native.on('acquire', count);
    const input = JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index, {}])));
    const batch = `/trpc/${Array(20).fill('system.ready').join(',')}?batch=1&input=${encodeURIComponent(input)}`;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? ready() : world.send('GET', batch))),
    );
    world.pool.native.off('acquire', count);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(3);
  });

  test('503 while the database can only be read, as after a fail-over; 200 once it can be written', async () => {
    expect((await ready()).status).toBe(200);
    await setReadOnly('on');
    while ((await ready()).status === 200) await sleep(100);
    const { message } = expectRefusal(await ready(), 503, 'database_unavailable');
    expect(message).toMatch(/^The database (cannot be written to|does not answer)/);
    await setReadOnly('off');
    while ((await ready()).status !== 200) await sleep(100);
  });
});
