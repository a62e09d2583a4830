import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fill, onCandles } from '../../bench/support/runner-world.ts';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { shardOfAccount } from '../../engine/usecases/blueprints/running/account-shard.ts';
import { moveToShard } from '../../engine/usecases/blueprints/running/move-shards.ts';
import { claimFreeShards, ensureShards } from '../../server/workers/trading/shards/leases.ts';
import { readAccounts } from '../../server/workers/trading/shards/load-shard.ts';
import { storeTick } from '../../server/workers/trading/shards/store-tick.ts';
import { tickInstantAt, tickPhaseOf, ticksBetween } from '../../server/workers/trading/shards/tick-times.ts';
import { buyAbove, openRunnerWorld, type RunnerWorld, until } from './support.ts';

const CHILD = fileURLToPath(new URL('./runner-child.ts', import.meta.url));
const SHARDS = 8;

describe('the grid of tick instants', () => {
  test('has multiples of the period, shifted per shard to spread the work', () => {
    expect(tickInstantAt(10_499, 2_000, 500)).toBe(8_500);
    expect(tickInstantAt(10_500, 2_000, 500)).toBe(10_500);
    expect([0, 1, 2, 3].map((shard) => tickPhaseOf(shard, 4, 2_000))).toEqual([0, 500, 1_000, 1_500]);
  });

  test('counts missed instants', () => {
    expect(ticksBetween(2_000, 4_000, 2_000)).toBe(0);
    expect(ticksBetween(2_000, 12_000, 2_000)).toBe(4);
    expect(ticksBetween(4_000, 2_000, 2_000)).toBe(0);
  });
});

describe('the accounts of a shard', () => {
  const STRATEGIES = 800;

  test('are read with their watched strategies, and no strategy of another shard is read', async () => {
    const world = await openRunnerWorld({ shardCount: SHARDS });
    onTestFinished(() => world.close());
    await fill(world.db, STRATEGIES, { shardCount: SHARDS, draw: onCandles });
    await sql`vacuum analyze deployment, deployment_state, account`.execute(world.db);
    const { rows } = await sql<{ account_id: string; id: string }>`
      select account_id, id from deployment where shard = 3 order by id limit 1`.execute(world.db);
    const [watched] = rows;
    await sql`update deployment_state set watched_until = clock_timestamp() + interval '1 minute'
      where deployment_id = ${watched?.id}`.execute(world.db);

    const { accounts, read } = await inTransaction(systemDb(world.pool), async (tx) => ({
      accounts: await readAccounts(tx, 3),
      read: await rowsRead(tx),
    }));
    expect(accounts).toHaveLength(STRATEGIES / 10 / SHARDS);
    expect(accounts.filter((account) => account.watched.length > 0)).toEqual([
      { accountId: watched?.account_id, eventSeq: '0', watched: [watched?.id] },
    ]);
    expect(read).toBeLessThanOrEqual(STRATEGIES / SHARDS + 1);
  });

  test('leave out an account that moves to another cell', async () => {
    const world = await openRunnerWorld({ shardCount: 1 });
    onTestFinished(() => world.close());
    const { accountId } = await world.deploy(buyAbove(1_000_000));
    expect(await readAccounts(world.db, 0)).toMatchObject([{ accountId, watched: [] }]);
    await sql`update account set moving_to = 2`.execute(world.db);
    expect(await readAccounts(world.db, 0)).toEqual([]);
  });

  /** Rows of strategies that this transaction has read so far. */
  async function rowsRead(tx: Db): Promise<number> {
    const { rows } = await sql<{ read: number }>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
      where relname in ('deployment', 'deployment_state')`.execute(tx);
    return rows[0]?.read ?? Number.NaN;
  }
});

describe('shards', () => {
  let world: RunnerWorld;
  beforeEach(async () => {
    world = await openRunnerWorld({ shardCount: SHARDS });
    const accountId = await world.account();
    for (let shard = 0; shard < SHARDS; shard++) {
      const { deploymentId } = await world.deploy(buyAbove(1_000_000), accountId);
      await sql`update deployment set shard = ${shard} where id = ${deploymentId}`.execute(world.db);
    }
  });
  afterEach(() => world.close());

  const owned = async () => {
    const { rows } = await sql<{ owner: string; shards: number }>`
      select owner, count(*)::int as shards from shard where lease_until > clock_timestamp() group by owner
      order by shards`.execute(world.db);
    return rows.map(({ shards }) => shards);
  };

  test('are shared evenly by two runners that start one after the other', { tags: ['long'] }, async () => {
    const first = world.runner({ leaseMs: 1_000 });
    await first.start();
    await until(async () => (await owned()).join() === '8');
    const second = world.runner({ leaseMs: 1_000 });
    await second.start();
    await until(async () => (await owned()).join() === '4,4');
    await until(() => first.shards.length === 4 && second.shards.length === 4);
    expect([...first.shards, ...second.shards].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('stay with their runner through periods longer than a lease', { tags: ['long'] }, async () => {
    const runner = world.runner({ leaseMs: 1_000, periodMs: 60_000 });
    runner.start();
    await until(() => runner.shards.length === SHARDS);
    const fences = () => world.db.selectFrom('shard').select(['id', 'fence']).orderBy('id').execute();
    const before = await fences();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await fences()).toEqual(before);
    expect(await owned()).toEqual([SHARDS]);
  });

  test('of a runner that stops in order go to the others at once', async () => {
    const first = world.runner({ leaseMs: 60_000 });
    await first.start();
    await until(() => first.shards.length === SHARDS);
    await first.stop();
    expect(await owned()).toEqual([]);
    await world.runner().tick();
    expect(await owned()).toEqual([8]);
  });

  test('of a killed runner are ticked by another once the lease is over', { tags: ['long'] }, async () => {
    const child = fork(CHILD, [JSON.stringify(world.database.connection), String(SHARDS)], {
      stdio: 'inherit',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'message');
    await until(async () => (await owned()).join() === '8');
    child.kill('SIGKILL');
    const heir = world.runner({ leaseMs: 1_000 });
    await heir.start();
    await until(() => heir.shards.length === SHARDS);
    const accounts = await world.db.selectFrom('deployment').select('id').execute();
    await until(async () => {
      const { rows } = await sql<{ seen: number }>`
        select count(*)::int as seen from deployment_nodes`.execute(world.db);
      return rows[0]?.seen === accounts.length;
    });
  });

  test('can be changed under a running account: the runner of the old shard stores nothing more of it', async () => {
    const { account_id: accountId } = await world.db
      .selectFrom('deployment')
      .select('account_id')
      .executeTakeFirstOrThrow();
    const target = shardOfAccount(accountId, 3);
    await ensureShards(world.db, SHARDS);
    const leases = await claimFreeShards(world.db, randomUUID(), 8_000);
    const lease = leases.find(({ shard }) => shard !== target);
    if (lease === undefined) throw new Error('No shard was free.');
    const { id: deploymentId } = await world.db
      .selectFrom('deployment')
      .select('id')
      .where('shard', '=', lease.shard)
      .executeTakeFirstOrThrow();
    const store = (memory: string) =>
      storeTick(
        {
          db: world.db,
          lease,
          mark: { instantMs: 1, lagMs: 0, skipped: 0 },
          leaseMs: 8_000,
          now: new Date(),
        },
        [{ accountId, deploymentId, memory, nodeStates: '{}', intents: [] }],
      );
    expect(await store('{"step":1}')).toBe(true);
    expect(await moveToShard(world.workOf(accountId), 3)).toBe(SHARDS - 1);
    expect(await store('{"step":2}')).toBe(true);
    expect(await world.state({ deploymentId })).toMatchObject({ memory: { step: 1 } });
    expect(await moveToShard(world.workOf(accountId), 3)).toBe(0);
    const shards = await world.db.selectFrom('deployment').select('shard').distinct().execute();
    expect(shards).toEqual([{ shard: target }]);
  });

  test('without live deployments have no owner', async () => {
    const runner = world.runner();
    await runner.tick();
    expect(runner.shards).toHaveLength(SHARDS);
    const blueprints = await world.db.selectFrom('blueprint').select(['id', 'account_id']).execute();
    for (const { id, account_id } of blueprints) {
      await world.stop({ accountId: account_id, blueprintId: id });
    }
    await runner.tick();
    expect(runner.shards).toEqual([]);
    expect(await owned()).toEqual([]);
    await runner.tick();
    expect(await owned()).toEqual([]);
  });

  test('report how late their tick was and how many instants were skipped', { tags: ['long'] }, async () => {
    const runner = world.runner({ periodMs: 50 });
    runner.start();
    await until(() => runner.shards.length === SHARDS);
    // WhatToStore is delayed for longer than the period, as under overload.
    await world.db.transaction().execute(async (tx) => {
      await sql`select id from shard for update`.execute(tx);
      await new Promise((resolve) => setTimeout(resolve, 400));
    });
    const late = await until(async () => {
      const row = await world.db
        .selectFrom('shard')
        .selectAll()
        .where('skipped_ticks', '>', '1')
        .executeTakeFirst();
      return row;
    });
    expect(Number(late.skipped_ticks)).toBeGreaterThanOrEqual(2);
    expect(late.lag_ms).toBeGreaterThanOrEqual(0);
    expect(late.last_tick_at).not.toBeNull();
  });

  test('with an impossibly long lease are free: the clock was ahead when it was given', async () => {
    await sql`insert into shard (id, owner, fence, lease_until)
      select id, gen_random_uuid(), 1, clock_timestamp() + interval '1 hour' from generate_series(0, ${SHARDS - 1}::int) as id`.execute(
      world.db,
    );
    const runner = world.runner();
    await runner.tick();
    expect(runner.shards).toHaveLength(SHARDS);
  });

  test('count instants whose tick failed as skipped', async () => {
    const runner = world.runner({ periodMs: 50 });
    runner.start();
    await until(() => runner.shards.length === SHARDS);
    const { rows } = await sql<{ role: string }>`
      select grantee as role from information_schema.role_table_grants
      where table_name = 'shard' and privilege_type = 'UPDATE' and grantee <> current_user limit 1`.execute(
      world.db,
    );
    const role = sql.id(rows[0]?.role ?? '');
    await sql`revoke update on shard from ${role}`.execute(world.db);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await sql`grant update on shard to ${role}`.execute(world.db);
    const skipped = async () =>
      (
        await world.db
          .selectFrom('shard')
          .select('skipped_ticks')
          .where('id', '=', 0)
          .executeTakeFirstOrThrow()
      ).skipped_ticks;
    await until(async () => Number(await skipped()) >= 5);
  });
});
