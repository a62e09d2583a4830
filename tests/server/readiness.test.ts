import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import type { Pool } from '../../db/pool.ts';
import { TIMEOUTS } from '../../server/kernel/capacity.ts';
import { Readiness } from '../../server/kernel/readiness.ts';
import { expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const ready = () => world.send('GET', '/health/ready');

/** Makes the service's new connections read-only, or writable again, and ends those it has. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const { dbName, user } = world.database.connection;
  const set = `alter database "${dbName}" set default_transaction_read_only = ${value}`;
  await sql`set default_transaction_read_only = off`.execute(world.db);
  await sql.raw(set).execute(world.db);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = ${dbName} and usename = ${user}`.execute(world.db);
}

const readinessOver = (connect: () => Promise<never>): Readiness => {
  const dialect = new PostgresDialect({ pool: { connect, end: async () => {}, options: {} } });
  return new Readiness({ handle: () => new Kysely({ dialect }) } as unknown as Pool);
};

test('a database that hangs makes the process unready within two seconds, and holds one connection', async () => {
  const hanging = Promise.withResolvers<never>();
  let connections = 0;
  const connect = () => {
    connections += 1;
    return hanging.promise;
  };
  const readiness = readinessOver(connect);
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  try {
    for (let time = 0; time < 3; time++) {
      const problem = readiness.problem();
      await vi.advanceTimersByTimeAsync(TIMEOUTS.readinessAnswerMs);
      expect(await problem).toMatchObject({ code: 'database_unavailable' });
    }
  } finally {
    vi.useRealTimers();
  }
  expect(connections).toBe(1);
});

test('a database that is away is queried again after a quarter of a second, so that its return is soon seen', async () => {
  let connections = 0;
  const readiness = readinessOver(async () => {
    connections += 1;
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  });
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    for (let atMs = 0; atMs < 1_000; atMs += 50) {
      expect(await readiness.problem()).toMatchObject({ code: 'database_unavailable' });
      vi.advanceTimersByTime(50);
    }
  } finally {
    vi.useRealTimers();
  }
  expect(connections).toBe(1_000 / TIMEOUTS.unreadinessMs);
});

describe('readiness', () => {
  test('the database is queried once a second at most, for all callers together', async () => {
    await sleep(1_100);
    let queries = 0;
    const count = () => queries++;
    world.pool.native.on('acquire', count);
    const input = JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index, {}])));
    const batch = `/trpc/${Array(20).fill('system.ready').join(',')}?batch=1&input=${encodeURIComponent(input)}`;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? ready() : world.send('GET', batch))),
    );
    world.pool.native.off('acquire', count);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(queries).toBeGreaterThan(0);
    expect(queries).toBeLessThanOrEqual(3);
  });

  test('503 while the database is read-only, as after a fail-over; 200 once it can be written', {
    tags: ['long'],
  }, async () => {
    expect((await ready()).status).toBe(200);
    await setReadOnly('on');
    while ((await ready()).status === 200) await sleep(100);
    const { message } = expectRefusal(await ready(), 503, 'database_unavailable');
    expect(message).toMatch(/^The database (cannot be written to|does not answer)/);
    await setReadOnly('off');
    while ((await ready()).status !== 200) await sleep(100);
  });
});
