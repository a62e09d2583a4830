import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { claimFreeShards } from '../../server/workers/trading/shards/leases.ts';
import { openedForEachTest } from '../support/opened.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, type Nodes, openRunnerWorld } from './support.ts';

/** Has a candle clock, so that a broken memory makes its evaluation throw. */
const CANDLES: Nodes = {
  close: { type: 'crypto.candle', config: { symbol: BTC, interval: '5m', field: 'close' } },
  level: { type: 'constant', config: { value: 1 } },
  above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'close', b: 'level' } },
  say: { type: 'notify', config: { text: 'above' }, inputs: { when: 'above' } },
};

const world = openedForEachTest(() => openRunnerWorld({ shardCount: 1 }));

describe('a blueprint that throws', () => {
  test('is put in error with the remedy, and disturbs no neighbour', { tags: ['long'] }, async () => {
    const accountId = await world.account();
    const broken = await world.deploy(CANDLES, accountId);
    const neighbour = await world.deploy(buyAbove(100), accountId);
    await sql`update deployment_state set memory = '{}' where deployment_id = ${broken.deploymentId}`.execute(
      world.db,
    );
    await world.price('101');
    const runner = world.runner();
    await runner.tick();

    const failed = await world.blueprint(broken);
    expect(failed.status).toBe('error');
    expect(failed.error).toContain('deploy it again');
    expect((await world.blueprint(neighbour)).status).toBe('running');
    expect(await world.orders(neighbour)).toHaveLength(1);
    await runner.tick();
    expect((await world.blueprint(broken)).version).toBe(failed.version);
  });

  test('keeps guarding its holdings', async () => {
    const exit = { type: 'exit', config: { instrument: BTC, stopLoss: 0.2 } };
    const deployed = await world.deploy({ ...CANDLES, ...buyAbove(100), exit });
    const runner = world.runner();
    await world.price('101');
    await runner.tick();
    await world.fillQueued();
    await runner.stop();
    await sql`update deployment_state set memory = '{}' where deployment_id = ${deployed.deploymentId}`.execute(
      world.db,
    );

    const second = world.runner();
    await second.tick();
    expect((await world.blueprint(deployed)).status).toBe('error');
    await world.price('50');
    await second.tick();
    await world.fillQueued();
    await second.tick();
    expect((await world.orders(deployed)).map(({ node_id, status }) => [node_id, status])).toEqual([
      ['buy', 'filled'],
      ['exit', 'filled'],
    ]);
  });

  test('runs again after a deploy', async () => {
    const broken = await world.deploy(CANDLES);
    await sql`update deployment_state set memory = '{}' where deployment_id = ${broken.deploymentId}`.execute(
      world.db,
    );
    const runner = world.runner();
    await runner.tick();
    const again = await world.redeploy(broken);
    await runner.tick();
    expect(await world.blueprint(again)).toMatchObject({ status: 'running', error: null });
    expect((await world.state(again)).node_states).not.toBeNull();
  });
});

describe('a state the database refuses', () => {
  test('fails its own blueprint only; the others of the tick are stored', async () => {
    const accountId = await world.account();
    const refused = await world.deploy(buyAbove(100), accountId);
    const neighbour = await world.deploy(buyAbove(100), accountId);
    await sql`create function refuse_one() returns trigger language plpgsql as $$
      begin raise exception 'refused by a test'; end $$`.execute(world.db);
    await sql`create trigger refuse_one before update of memory on deployment_state for each row
      when (old.deployment_id = ${sql.lit(refused.deploymentId)}::uuid) execute function refuse_one()`.execute(
      world.db,
    );
    await world.price('101');
    const runner = world.runner();
    await runner.tick();
    await runner.tick();

    expect(await world.blueprint(refused)).toMatchObject({ status: 'error' });
    expect((await world.blueprint(refused)).error).toContain('refused by a test');
    expect(await world.orders(refused)).toEqual([]);
    expect((await world.blueprint(neighbour)).status).toBe('running');
    expect(await world.orders(neighbour)).toHaveLength(1);
    expect((await world.state(neighbour)).memory).not.toBeNull();
  });
});

describe('rows of another account', () => {
  test('under the same ids are never a strategy’s own: it sells nothing of theirs', async () => {
    const exit = { type: 'exit', config: { instrument: BTC, stopLoss: 0.2 } };
    const guard = await world.deploy({ ...buyAbove(1_000), exit });
    const other = await world.deploy(buyAbove(100));
    const runner = world.runner();
    await world.price('101');
    await runner.tick();
    await world.fillQueued();
    const holdAs = (blueprintId: string) =>
      world.db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx);
        await sql`update position set blueprint_id = ${blueprintId} where account_id = ${other.accountId}`.execute(
          tx,
        );
      });
    await holdAs(guard.blueprintId);
    await runner.stop();
    await world.price('50');
    await world.runner().tick();
    expect(await world.requests()).toEqual([]);
    expect((await world.state(guard)).node_states).toMatchObject({ exit: { status: 'idle', firedCount: 0 } });
    await holdAs(other.blueprintId);
  });
});

describe('a runner that lost its lease', () => {
  test('writes nothing, and releases the shard', async () => {
    const deployed = await world.deploy(buyAbove(100));
    const runner = world.runner();
    await world.price('99');
    await runner.tick();
    const before = await world.state(deployed);

    await sql`update shard set lease_until = null`.execute(world.db);
    const [taken] = await claimFreeShards(world.db, '00000000-0000-7000-8000-000000000001', 8_000);
    await world.price('101');
    await runner.tick();
    expect(await world.state(deployed)).toEqual(before);
    expect(await world.orders(deployed)).toEqual([]);
    expect(await world.requests()).toEqual([]);
    expect(runner.shards).not.toContain(taken?.shard);
  });

  test('resumes from the state its successor stored when it has the shard again', async () => {
    const deployed = await world.deploy(buyAbove(100));
    const first = world.runner();
    const second = world.runner();
    await world.price('99');
    await first.tick();
    await sql`update shard set lease_until = null`.execute(world.db);
    await world.price('101');
    await second.tick();
    expect(await world.orders(deployed)).toHaveLength(1);

    await sql`update shard set lease_until = null`.execute(world.db);
    await first.tick();
    await first.tick();
    expect(await world.orders(deployed)).toHaveLength(1);
  });
});

describe('a replayed step', () => {
  test('makes no second order', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.price('99');
    const runner = world.runner();
    await runner.tick();
    const before = await world.state(deployed);
    await world.price('101');
    const stepAt = Date.now();
    await runner.tick(stepAt, stepAt);
    expect(await world.orders(deployed)).toHaveLength(1);

    await sql`update deployment_state set memory = ${JSON.stringify(before.memory)}::jsonb
      where deployment_id = ${deployed.deploymentId}`.execute(world.db);
    await runner.stop();
    await world.runner().tick(stepAt, stepAt);
    expect(await world.orders(deployed)).toHaveLength(1);
    expect(await world.requests()).toEqual([]);
  });
});
