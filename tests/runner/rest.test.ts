import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { committedEvents } from '../../engine/platform/events/events.ts';
import { openLive } from '../../server/http/live.ts';
import { openLogger } from '../../server/kernel/logger.ts';
import { LOCK_SPACE, RUNNER_LOCK } from '../../server/kernel/rounds/lock-session.ts';
import { type Look, looks } from '../../server/kernel/rounds/observed.ts';
import { RoundsRest } from '../../server/workers/trading/rounds-rest.ts';
import { addBlueprint } from '../support/trading.ts';
import { openWorld, type World } from '../support/world.ts';

const log = openLogger('silent', 'stdout');
const NEVER_MS = 3_600_000;
const signal = new AbortController().signal;

let world: World;
beforeAll(async () => {
  world = await openWorld({ settings: { ROLE: 'all' } });
});
afterAll(() => world.close());

/** Resolves with the next look of a process of this test for which this holds. */
function nextLook(isIt: (look: Look) => boolean = () => true): Promise<Look> {
  const { promise, resolve } = Promise.withResolvers<Look>();
  const onLook = (look: Look) => {
    if (!isIt(look)) return;
    looks.unsubscribe(onLook as never);
    resolve(look);
  };
  looks.subscribe(onLook as never);
  return promise;
}

/** Opens a process that has looked once, found nothing, and looks no second time. */
async function openAtRest() {
  const pool = await openPool(world.database.connection, { poolMax: 2 });
  const rest = new RoundsRest({ pool, clock: databaseClock, log, lookMs: NEVER_MS, awakeMs: 0 });
  const listening = Promise.withResolvers<void>();
  const live = openLive({
    connection: world.database.connection,
    pool,
    log,
    onHeard: () => rest.wake(),
    onListening: (isListening) => {
      rest.listens(isListening);
      listening.resolve();
    },
  });
  await listening.promise;
  const looked = nextLook();
  rest.start();
  await looked;
  expect(rest.isAwake('jobs')).toBe(false);
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
  test('sends one statement a look, and no other', async () => {
    await nextLook(({ awake }) => awake.length === 0);
    // Rounds that were awake until then finish.
    await nextLook();
    let statements = 0;
    const count = () => statements++;
    world.pool.native.on('acquire', count);
    await nextLook();
    await nextLook();
    world.pool.native.off('acquire', count);
    expect(statements).toBe(2);
  });

  test('holds the lock by which others see it, again where it was lost', async () => {
    const holders = async () => {
      const { rows } = await sql<{ pid: number }>`
        select l.pid from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
        where l.locktype = 'advisory' and l.classid = ${LOCK_SPACE}::int8::oid and l.objid = ${RUNNER_LOCK}::int8::oid`.execute(
        world.db,
      );
      return rows.map(({ pid }) => pid);
    };
    await nextLook(({ awake }) => awake.length === 0);
    const [before] = await holders();
    const wakes: Look[] = [];
    const onLook = (look: Look) => void wakes.push(look);
    looks.subscribe(onLook as never);
    await sql`select pg_terminate_backend(${before}::int)`.execute(world.db);
    await expect.poll(holders, { timeout: 15_000 }).not.toEqual([before]);
    await expect.poll(holders, { timeout: 15_000 }).toHaveLength(1);
    looks.unsubscribe(onLook as never);
    expect(wakes.flatMap(({ awake }) => awake)).toEqual([]);
  });

  test('is awake at once when another process has committed, before any look', async () => {
    await using resting = await openAtRest();
    const awake = resting.rest.over('jobs', signal);
    committedEvents(world.pool).emit('work');
    await awake;
    expect(resting.rest.isAwake('orders')).toBe(true);
  });

  test('is awake at once when a caller has changed something, whatever it was', async () => {
    await using resting = await openAtRest();
    const { http } = await world.account();
    const awake = resting.rest.over('imports', signal);
    expect((await http('POST', '/api/blueprints', { name: 'One' })).status).toBe(200);
    await awake;
  });

  test('stays awake while it cannot hear of others', async () => {
    await using resting = await openAtRest();
    const { rest } = resting;
    rest.listens(false);
    expect(rest.isAwake('orders')).toBe(true);
    const looking = new RoundsRest({ pool: resting.pool, clock: databaseClock, log, lookMs: 1, awakeMs: 0 });
    looking.start();
    await sleep(50);
    await looking.stop();
    expect(looking.isAwake('orders')).toBe(true);
  });

  test('stays awake for what there is to do, and rests from the rest', async () => {
    await using resting = await openAtRest();
    const looking = new RoundsRest({ pool: resting.pool, clock: databaseClock, log, lookMs: 1, awakeMs: 0 });
    looking.listens(true);
    const account = await world.account();
    const id = await addBlueprint(account);
    expect((await account.http('POST', `/api/blueprints/${id}/deploy`)).status).toBe(200);
    const looked = nextLook(({ awake }) => awake.includes('shards') && !awake.includes('jobs'));
    looking.start();
    const { awake } = await looked;
    await looking.stop();
    expect(awake).toEqual(expect.arrayContaining(['market', 'shards', 'ledger']));
    for (const kind of ['connections', 'jobs', 'imports']) expect(awake).not.toContain(kind);
    expect((await account.http('POST', `/api/blueprints/${id}/stop`)).status).toBe(200);
  });
});
