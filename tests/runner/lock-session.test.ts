import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { LOCKS, LockSession } from '../../server/kernel/rounds/lock-session.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { openedForEachTest } from '../support/opened.ts';
import { openRunnerWorld } from './support.ts';

const CHILD = fileURLToPath(new URL('./lock-child.ts', import.meta.url));
const LEASE_MS = 1_000;

const world = openedForEachTest(openRunnerWorld);
let child: ChildProcess;
let gone: Promise<unknown>;
let session: LockSession;
let childHolds: boolean;

beforeEach(async () => {
  child = fork(CHILD, [JSON.stringify(world.database.connection), String(LEASE_MS)]);
  gone = once(child, 'exit');
  child.on('message', (holds: boolean) => {
    childHolds = holds;
  });
  await once(child, 'message');
  session = new LockSession(world.pool, 'crypto', LEASE_MS);
});
afterEach(async () => {
  child.kill('SIGKILL');
  await gone;
  await session.close();
});

const isHeldHere = () => session.hold();
const SOON = { interval: 100 };

describe('the lock of a venue', () => {
  test('stays with a live holder, however little there is to write', {
    tags: ['long'],
  }, async () => {
    await sleep(3 * LEASE_MS);
    expect([childHolds, await isHeldHere()]).toEqual([true, false]);
  });

  test('passes on when its holder dies', { tags: ['long'] }, async () => {
    child.kill('SIGKILL');
    await expect.poll(isHeldHere, SOON).toBe(true);
  });

  test('passes to another process when its holder freezes, and the resumed holder knows that it lost the lock', {
    tags: ['long'],
  }, async () => {
    child.kill('SIGSTOP');
    await expect.poll(isHeldHere, SOON).toBe(true);
    child.kill('SIGCONT');
    await expect.poll(() => childHolds, SOON).toBe(false);
    await sleep(2 * LEASE_MS);
    expect([childHolds, await isHeldHere()]).toEqual([false, true]);
  });

  test('stays with a holder whose transaction takes longer than that', { tags: ['long'] }, async () => {
    await session.close();
    child.kill('SIGKILL');
    await expect.poll(isHeldHere, SOON).toBe(true);
    const other = new LockSession(world.pool, 'crypto', LEASE_MS);
    try {
      await session.transaction(async (client) => {
        await client.query('select 1');
        await sleep(2 * LEASE_MS);
      });
      // A holder that is alive keeps it all the while.
      expect(await other.hold()).toBe(false);
    } finally {
      await other.close();
    }
  });

  test('passes on when its connection goes dead, and the holder knows', { tags: ['long'] }, async () => {
    child.kill('SIGKILL');
    const wire = await DatabaseProxy.open(world.database.connection);
    const pool = await openPool(wire.carry(world.database.connection), { poolMax: 2 });
    const distant = new LockSession(pool, 'crypto', LEASE_MS);
    try {
      await expect.poll(() => distant.hold(), SOON).toBe(true);
      wire.silence();
      await expect.poll(isHeldHere, SOON).toBe(true);
      await expect(distant.transaction(async () => {})).rejects.toThrow();
      // It has a new connection and no lock.
      await expect.poll(() => distant.hold().catch(() => null), SOON).toBe(false);
    } finally {
      await distant.close();
      await pool.close();
      await wire.close();
    }
  });

  test('runs one statement at a time on its connection, heartbeats included', {
    tags: ['long'],
  }, async () => {
    child.kill('SIGKILL');
    await expect.poll(isHeldHere, SOON).toBe(true);
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    await session.transaction(async (statements) => {
      for (let attempt = 0; attempt < 8; attempt++) await statements.query('select pg_sleep(0.2)');
    });
    process.off('warning', onWarning);
    expect(warnings.map(({ message }) => message)).toEqual([]);
  });
});

test('no two tasks share a lock: one would block the other', () => {
  const numbers = Object.values(LOCKS);
  expect(new Set(numbers).size).toBe(numbers.length);
});
