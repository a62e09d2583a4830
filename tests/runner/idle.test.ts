import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { committedEvents } from '../../engine/platform/events/events.ts';
import { openEventListener } from '../../server/http/event-listener.ts';
import { openLogger } from '../../server/kernel/logger.ts';
import { LOCK_SPACE, RUNNER_LOCK } from '../../server/kernel/rounds/lock-session.ts';
import { type WorkCheck, workChecks } from '../../server/kernel/rounds/runner-events.ts';
import { RoundsIdleGate } from '../../server/workers/trading/rounds-idle-gate.ts';
import { begun } from '../support/begun.ts';
import { addConnection } from '../support/connections.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint } from '../support/trading.ts';
import { openWorld } from '../support/world.ts';

const log = openLogger('silent', 'stdout');
const signal = new AbortController().signal;
const HEARTBEAT_MS = 5_000;

const world = openedForFile(() => openWorld({ settings: { ROLE: 'all' } }));

/** Resolves with the next check of a process of this test for which this holds. */
function nextCheck(isIt: (look: WorkCheck) => boolean = () => true): Promise<WorkCheck> {
  const { promise, resolve } = Promise.withResolvers<WorkCheck>();
  const onLook = (look: WorkCheck) => {
    if (!isIt(look)) return;
    workChecks.unsubscribe(onLook as never);
    resolve(look);
  };
  workChecks.subscribe(onLook as never);
  return promise;
}

/** Opens another process whose first announcement is lost with its connection. */
async function openInterrupted() {
  const pool = await openPool(world.database.connection, { poolMax: 1 });
  pool.native.once('acquire', (client) => void client.end());
  const live = openEventListener({ connection: world.database.connection, pool, log });
  return {
    pool,
    [Symbol.asyncDispose]: async () => {
      await live.stop();
      await pool.close();
    },
  };
}

/** Opens a process that has found no work. Its checks find none later either, so only an announcement wakes it. */
async function openAtRest() {
  const pool = await openPool(world.database.connection, { poolMax: 2 });
  const rest = new RoundsIdleGate({ pool, clock: databaseClock, log, checkMs: 100, awakeMs: 0 });
  const listening = Promise.withResolvers<void>();
  const live = openEventListener({
    connection: world.database.connection,
    pool,
    log,
    onCommit: () => rest.wake(),
    onListening: (isListening) => {
      rest.listens(isListening);
      listening.resolve();
    },
  });
  await listening.promise;
  // The service of this world checks too: its checks say nothing of this process.
  const rested = nextCheck(() => !rest.isAwake('jobs'));
  rest.start();
  await rested;
  return {
    rest,
    pool,
    [Symbol.asyncDispose]: async () => {
      live.endWaiting();
      await live.stop();
      await rest.stop();
      await pool.close();
    },
  };
}

describe('a process with nothing to do', () => {
  test('sends one statement a check and one each five seconds that it is there, and no other', async () => {
    await nextCheck(({ awake }) => awake.length === 0);
    // Rounds that were awake until then finish.
    await nextCheck();
    let statements = 0;
    const count = () => statements++;
    const startedMs = performance.now();
    world.pool.native.on('acquire', count);
    await nextCheck();
    await nextCheck();
    world.pool.native.off('acquire', count);
    const beatsMax = Math.ceil((performance.now() - startedMs) / HEARTBEAT_MS);
    expect(statements).toBeGreaterThanOrEqual(2);
    expect(statements).toBeLessThanOrEqual(2 + beatsMax);
  });

  test('holds the lock by which others see it, and takes it again if it was lost', async () => {
    const holders = async () => {
      const { rows } = await sql<{ pid: number }>`
        select l.pid from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
        where l.locktype = 'advisory' and l.classid = ${LOCK_SPACE}::int8::oid and l.objid = ${RUNNER_LOCK}::int8::oid`.execute(
        world.db,
      );
      return rows.map(({ pid }) => pid);
    };
    await nextCheck(({ awake }) => awake.length === 0);
    const [before] = await holders();
    const wakes: WorkCheck[] = [];
    const onLook = (look: WorkCheck) => void wakes.push(look);
    workChecks.subscribe(onLook as never);
    await sql`select pg_terminate_backend(${before}::int)`.execute(world.db);
    await expect.poll(holders, { timeout: 15_000 }).not.toEqual([before]);
    await expect.poll(holders, { timeout: 15_000 }).toHaveLength(1);
    workChecks.unsubscribe(onLook as never);
    expect(wakes.flatMap(({ awake }) => awake)).toEqual([]);
  });

  test('rests while the venue account of a removed connection cannot be released', async () => {
    const [{ accountId }, id] = [await world.account(), randomUUID()];
    await addConnection(world.db, accountId, 'crypto', id);
    await sql`update venue_connection set state = 'revoked' where id = ${id}`.execute(world.db);
    await using resting = await openAtRest();
    expect(resting.rest.isAwake('connections')).toBe(false);
  });

  test('wakes at once when another process has committed, before any check', async () => {
    await using resting = await openAtRest();
    const awake = resting.rest.over('jobs', signal);
    committedEvents(world.pool).emit('work');
    await awake;
    expect(resting.rest.isAwake('orders')).toBe(true);
  });

  test('wakes although the first announcement of a commit failed', async () => {
    await using resting = await openAtRest();
    await using other = await openInterrupted();
    const awake = resting.rest.over('jobs', signal);
    committedEvents(other.pool).emit('work');
    await awake;
  });

  test('wakes at once after any change by a caller', async () => {
    await using resting = await openAtRest();
    const { http } = await world.account();
    const awake = begun(resting.rest.over('imports', signal));
    expect((await http('POST', '/api/blueprints', { name: 'One' })).status).toBe(200);
    await awake;
  });

  test('stays awake while it cannot hear of others', async () => {
    await using resting = await openAtRest();
    const { rest } = resting;
    rest.listens(false);
    expect(rest.isAwake('orders')).toBe(true);
    const looking = new RoundsIdleGate({
      pool: resting.pool,
      clock: databaseClock,
      log,
      checkMs: 1,
      awakeMs: 0,
    });
    looking.start();
    await sleep(50);
    await looking.stop();
    expect(looking.isAwake('orders')).toBe(true);
  });

  test('stays awake for rounds with work, and rests the others', async () => {
    await using resting = await openAtRest();
    const looking = new RoundsIdleGate({
      pool: resting.pool,
      clock: databaseClock,
      log,
      checkMs: 1,
      awakeMs: 0,
    });
    looking.listens(true);
    const account = await world.account();
    const id = await addBlueprint(account);
    expect((await account.http('POST', `/api/blueprints/${id}/deploy`)).status).toBe(200);
    const looked = nextCheck(({ awake }) => awake.includes('shards') && !awake.includes('jobs'));
    looking.start();
    const { awake } = await looked;
    await looking.stop();
    expect(awake).toEqual(expect.arrayContaining(['market', 'shards', 'ledger']));
    for (const kind of ['connections', 'jobs', 'imports']) expect(awake).not.toContain(kind);
    expect((await account.http('POST', `/api/blueprints/${id}/stop`)).status).toBe(200);
  });
});
