import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { openedForEachTest } from '../support/opened.ts';
import { buyAbove, type Nodes, openRunnerWorld, until } from './support.ts';

const world = openedForEachTest(openRunnerWorld);

describe('a tick', () => {
  test('turns a rising edge into one order, with its cause', { tags: ['long'] }, async () => {
    const deployed = await world.deploy(buyAbove(100));
    const runner = world.runner();
    await world.price('99');
    await runner.tick();
    expect(await world.orders(deployed)).toEqual([]);

    await world.price('101');
    await runner.tick();
    await runner.tick();
    const orders = await world.orders(deployed);
    expect(orders).toHaveLength(1);
    expect(orders[0]).toMatchObject({
      node_id: 'buy',
      origin: 'order',
      side: 'buy',
      status: 'queued',
      amount: '1.000000000000',
      release_number: 1,
    });
    expect(JSON.stringify(orders[0]?.inputs)).toContain('price');
    expect(await world.requests()).toEqual([]);
  });

  test('that changes nothing writes no row of the deployment', async () => {
    const deployed = await world.deploy(buyAbove(100));
    const runner = world.runner();
    await world.price('99');
    await runner.tick();
    const before = await rowVersion(deployed.deploymentId);
    await world.price('98');
    for (let tick = 0; tick < 5; tick++) await runner.tick();
    expect(await rowVersion(deployed.deploymentId)).toBe(before);
  });
});

describe('a condition that has to last', () => {
  const SHORT = { config: { seconds: 1 }, type: 'hold', inputs: { in: 'above' } };
  const lasting = (): Nodes => ({
    ...buyAbove(100),
    lasting: SHORT,
    buy: { ...(buyAbove(100)['buy'] as Nodes[string]), inputs: { when: 'lasting', amount: 'amount' } },
  });
  const SECOND_MS = 1_000;

  test.each([
    ['continues to count while another process takes over within ten seconds', 9, 1],
    ['restarts when it was not evaluated for longer', 11, 0],
  ])('%s', async (_promise, awaySec, orders) => {
    const deployed = await world.deploy(lasting());
    await world.price('101');
    const start = Date.now();
    const first = world.runner();
    await first.tick(start, start);
    await first.stop();
    const later = start + awaySec * SECOND_MS;
    await world.runner().tick(later, later);
    expect(await world.orders(deployed)).toHaveLength(orders);
  });
});

describe('a tick whose commit is not answered', () => {
  test('raises nothing a second time, though it commits after the next has begun', {
    tags: ['long'],
  }, async () => {
    const deployed = await world.deploy(buyAbove(100));
    const pool = await openPool(world.database.connection, { answerWithinMs: 1_000 });
    await world.price('99');
    const runner = world.runner({ pool });
    runner.start();
    await until(async () => (await world.state(deployed)).memory !== null, PATIENT);
    const release = await holdCommits();
    await world.price('101');
    await until(() => isWaiting('commit'), PATIENT);
    await until(() => isWaiting('update shard'), PATIENT);
    await release();
    const isDecided = async () =>
      (await world.orders(deployed)).length > 0 && (await world.requests()).length === 0;
    await until(isDecided, PATIENT);
    expect(await world.orders(deployed)).toHaveLength(1);
    expect(await world.state(deployed)).toMatchObject({ memory: { nodes: { buy: { n: 1 } } } });
    await runner.stop();
    await pool.close();
  });

  const PATIENT = { timeoutMs: 30_000 };

  /** Lets no transaction that raised an intent commit until it is released. */
  async function holdCommits(): Promise<() => Promise<void>> {
    await sql`create function wait_at_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(7); return null; end $$`.execute(world.db);
    await sql`create constraint trigger gate after insert on intent_request deferrable initially deferred
      for each row execute function wait_at_gate()`.execute(world.db);
    const gate = await world.db.startTransaction().execute();
    await sql`select pg_advisory_xact_lock(7)`.execute(gate);
    return () => gate.rollback().execute();
  }

  const isWaiting = async (statement: string): Promise<boolean> => {
    await world.pollOnce(); // quotes stay fresh, however slow the machine
    const { rows } = await sql`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and position(${statement}::text in query) > 0`.execute(
      world.db,
    );
    return rows.length > 0;
  };
});

async function rowVersion(deploymentId: string): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select xmin::text || '/' || ctid::text as version from deployment_state where deployment_id = ${deploymentId}`.execute(
    world.db,
  );
  return rows[0]?.version ?? '';
}
