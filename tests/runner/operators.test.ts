/** Running strategies under a process that an operator drains. */

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unscopedDb } from '../../db/pool.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { resumeAccount, suspendAccount } from '../../engine/usecases/operator/suspend.ts';
import { openLogger } from '../../server/kernel/logger.ts';
import { Heartbeat, isAlive } from '../../server/process/heartbeat.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, openRunnerWorld, type RunnerWorld, until } from './support.ts';

let world: RunnerWorld;
beforeEach(async () => {
  world = await openRunnerWorld();
});
afterEach(() => world.close());

const sent = async (deployed: Parameters<RunnerWorld['orders']>[0]) =>
  (await world.orders(deployed)).map(({ side, status }) => `${side} ${status}`);

test('a strategy of a suspended account buys nothing, in a runner that runs already and in the next, and still sells', async () => {
  const deployed = await world.deploy(buyAbove(100));
  const work = world.workOf(deployed.accountId);
  const runner = world.runner();
  await world.price('99');
  await runner.tick();
  await world.price('101');
  await runner.tick();
  await world.fillQueued();
  expect(await sent(deployed)).toEqual(['buy filled']);

  await suspendAccount(work, 'Unpaid since May');
  for (const next of [runner, world.runner()]) {
    await world.price('99');
    await next.tick();
    await world.price('101');
    await next.tick();
    await next.stop();
  }
  expect(await sent(deployed)).toEqual(['buy filled']);
  const notices = (await world.events(deployed.accountId)).map(({ payload }) => JSON.stringify(payload));
  expect(notices.join()).toContain('An operator has suspended the account');
  expect(await closePosition(work, { tokenId: BTC, amount: '1' })).toMatchObject({ status: 'queued' });

  await resumeAccount(work, 'Paid in June');
  const last = world.runner();
  await world.price('99');
  await last.tick();
  await world.price('101');
  await last.tick();
  expect(await sent(deployed)).toContain('buy queued');
});

test('a runner that drains gives its shards to the other, takes none, and takes some once it works again', async () => {
  await world.deploy(buyAbove(1_000_000));
  const holder = { id: randomUUID(), isDraining: false };
  const drained = world.runner({ holder, leaseMs: 1_000 });
  drained.start();
  await until(() => drained.shards.length === 1);
  holder.isDraining = true;
  await until(() => drained.shards.length === 0);
  const { rows } = await sql<{ free: boolean }>`select bool_and(owner is null) as free from shard`.execute(
    world.db,
  );
  expect(rows[0]?.free).toBe(true);
  const other = world.runner({ leaseMs: 1_000 });
  other.start();
  await until(() => other.shards.length === 1);
  expect(drained.shards).toEqual([]);
  await other.stop();
  holder.isDraining = false;
  await until(() => drained.shards.length === 1);
});

test('a process that was seen in this millisecond is alive', async () => {
  const { rows } = await sql<{ areAlive: boolean }>`
    with seen as materialized (select clock_timestamp()::timestamptz(3) as at from generate_series(1, 1000))
    select bool_and(is_alive) as "areAlive" from seen, lateral (select ${isAlive('at')} as is_alive) a`.execute(
    world.db,
  );
  expect(rows).toEqual([{ areAlive: true }]);
});

test('a process drains as asked while another works, and the last one never does', async () => {
  const options = { pool: world.pool, version: '1', log: openLogger('silent', process.stdout) };
  const [first, second, page] = [
    new Heartbeat({ ...options, role: 'runner' }),
    new Heartbeat({ ...options, role: 'all' }),
    new Heartbeat({ ...options, role: 'api' }),
  ];
  for (const heartbeat of [first, second, page]) await heartbeat.beat();
  const drain = (ids: readonly string[]) =>
    sql`update process set drains_since = case when id = any(${[...ids]}::uuid[]) then now() end`.execute(
      unscopedDb(world.pool),
    );
  const draining = async () => {
    for (const heartbeat of [first, second, page]) await heartbeat.beat();
    return [first, second].map(({ isDraining }) => isDraining);
  };
  expect(await draining()).toEqual([false, false]);
  await drain([first.id]);
  expect(await draining()).toEqual([true, false]);
  await drain([first.id, second.id]);
  expect(await draining()).toEqual([false, false]);
  await drain([first.id]);
  expect(await draining()).toEqual([true, false]);
  // After the clock is set back, a process that died is dated ahead.
  await sql`update process set seen_at = seen_at + interval '1 hour' where id = ${second.id}`.execute(
    unscopedDb(world.pool),
  );
  await first.beat();
  expect(first.isDraining).toBe(false);
  await second.beat();
  expect(await draining()).toEqual([true, false]);
  await second.stop();
  await first.beat();
  expect(first.isDraining).toBe(false);
  await first.stop();
  await page.stop();
  expect((await sql`select from process`.execute(world.db)).rows).toEqual([]);
});
