import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NodeStates } from '../../engine/strategy/graph/types.ts';
import { begun } from '../support/begun.ts';
import { BTC, YES } from './fake-market.ts';
import { buyAbove, type Deployed, type Nodes, openRunnerWorld, type RunnerWorld, until } from './support.ts';

let world: RunnerWorld;
beforeEach(async () => {
  world = await openRunnerWorld();
});
afterEach(() => world.close());

const statesOf = async (deployed: Deployed) =>
  (await world.state(deployed)).node_states as unknown as NodeStates;

/** The state left by a process that dies between storing the step and deciding it. */
async function leaveRequest({ accountId, deploymentId }: Deployed, changes: object = {}): Promise<void> {
  const intent = {
    nodeId: 'buy',
    stepAt: 1_700_000_000_000,
    origin: 'order',
    side: 'buy',
    tokenId: BTC,
    type: 'market',
    amount: '1',
    limitPrice: null,
    slippage: null,
    timeInForce: 'ioc',
    reason: { code: 'triggered', message: 'The condition turned true.' },
    inputs: [],
    ...changes,
  };
  await sql`
    insert into intent_request (account_id, deployment_id, node_id, step_at, position, intent, created_at)
    values (${accountId}, ${deploymentId}, ${intent.nodeId}, ${new Date(intent.stepAt)}, 0,
      ${JSON.stringify(intent)}::jsonb, clock_timestamp() - interval '2 seconds')`.execute(world.db);
}

const ageRequests = (seconds: number) =>
  sql`update intent_request set created_at = clock_timestamp() - ${seconds} * interval '1 second'`.execute(
    world.db,
  );

describe('an undecided intent', () => {
  test('is decided by the sweeper, once', async () => {
    const deployed = await world.deploy(buyAbove(1_000_000));
    await world.price('100');
    await leaveRequest(deployed);
    const runners = [world.runner(), world.runner()];
    await Promise.all(runners.map((runner) => runner.sweep()));
    expect(await world.orders(deployed)).toHaveLength(1);
    expect(await world.requests()).toEqual([]);
  });

  test('of a deployment that has ended is deleted and never becomes an order', async () => {
    const deployed = await world.deploy(buyAbove(1_000_000));
    await world.price('100');
    await world.stop(deployed);
    await leaveRequest(deployed);
    await world.runner().sweep();
    expect(await world.orders(deployed)).toEqual([]);
    expect(await world.requests()).toEqual([]);
  });

  test('counts as a live order of its node until it is decided', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.price('99');
    const runner = world.runner();
    await runner.tick();
    await runner.stop();
    await leaveRequest(deployed);
    await world.price('101');
    await world.runner().tick();
    expect((await statesOf(deployed))['buy']).toMatchObject({ reason: { code: 'order_live' } });
  });
});

describe('a limit order that may rest', () => {
  const limit = { type: 'limit', limitPrice: '90', timeInForce: 'gtc' };

  test.each([
    ['rests as long as its node said, counted from its creation', { ...limit, expireAfterSec: 600 }, 600_000],
    ['of a version that did not know of an end has none', limit, null],
  ])('%s', async (_what, intent, restsMs) => {
    const deployed = await world.deploy(buyAbove(1_000_000));
    await world.price('100');
    await leaveRequest(deployed, intent);
    await world.runner().sweep();
    const order = await world.db
      .selectFrom('trade_order')
      .select(['created_at', 'good_till'])
      .where('account_id', '=', deployed.accountId)
      .executeTakeFirstOrThrow();
    const { created_at, good_till } = order;
    expect(good_till === null ? null : Date.parse(good_till) - Date.parse(created_at)).toBe(restsMs);
  });
});

describe('an intent that cannot be decided now', () => {
  test('waits for a fresh quote', async () => {
    const deployed = await world.deploy(buyAbove(1_000_000));
    await leaveRequest(deployed);
    const runner = world.runner();
    await runner.sweep();
    expect(await world.requests()).toHaveLength(1);
    await world.price('100');
    await runner.sweep();
    expect(await world.orders(deployed)).toHaveLength(1);
  });

  test('expires after a minute, and Activity says so', async () => {
    const deployed = await world.deploy(buyAbove(1_000_000));
    await leaveRequest(deployed);
    await ageRequests(61);
    await world.runner().sweep();
    expect(await world.requests()).toEqual([]);
    expect(await world.orders(deployed)).toEqual([]);
    const events = await world.events(deployed.accountId);
    expect(events.at(-1)).toMatchObject({
      type: 'notification',
      payload: { kind: 'refused', nodeId: 'buy' },
    });
  });

  test('is decided however late if it sells: an exit stays possible while the position exists', async () => {
    const deployed = await world.deploy({
      ...buyAbove(100),
      exit: { type: 'exit', config: { instrument: BTC, stopLoss: 0.2 } },
    });
    await world.price('101');
    const runner = world.runner();
    await runner.tick();
    await world.fillQueued();
    await leaveRequest(deployed, { nodeId: 'exit', origin: 'exit', side: 'sell' });
    await ageRequests(7_200);
    await runner.sweep();
    expect(await world.orders(deployed)).toMatchObject([
      { node_id: 'buy' },
      { node_id: 'exit', side: 'sell' },
    ]);
  });

  test('expires after a minute if it buys, however well it could be decided then, and its node says so', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.price('99');
    const runner = world.runner();
    await runner.tick();
    await leaveRequest(deployed);
    await ageRequests(61);
    await world.price('99');
    await runner.sweep();
    expect(await world.requests()).toEqual([]);
    expect(await world.orders(deployed)).toEqual([]);
    const text =
      'No order was made: It waited longer than 60 s: the service was down, or busy. The signal is left out.';
    expect((await world.events(deployed.accountId)).at(-1)).toMatchObject({
      payload: { kind: 'refused', text },
    });
  });

  test('delays no other intent', async () => {
    const accountId = await world.account();
    const undecided = await world.deploy(buyAbove(1_000_000), accountId);
    const deployed = await world.deploy(buyAbove(1_000_000), accountId);
    await world.price('100');
    await leaveRequest(undecided, { tokenId: YES, nodeId: 'a' });
    await leaveRequest(undecided, { amount: 'poison', nodeId: 'b' });
    await leaveRequest(deployed, { nodeId: 'c' });
    await world.runner().sweep();
    expect(await world.orders(deployed)).toHaveLength(1);
  });
});

describe('an intent that is refused without an order', () => {
  const nodes: Nodes = {
    ...buyAbove(100),
    price: { type: 'crypto.price', config: { symbol: BTC, field: 'last', maxAgeSec: 60 } },
  };

  test('is reported to its node, as a denial would be', async () => {
    const deployed = await world.deploy(nodes);
    await world.price('99');
    const runner = world.runner();
    await runner.tick();
    await world.price('101');
    // The market closes between the step and its decision.
    await sql`update instrument set status = 'paused' where token_id = ${BTC}`.execute(world.db);
    await runner.tick();
    expect(await world.orders(deployed)).toEqual([]);
    await sql`update instrument set status = 'open' where token_id = ${BTC}`.execute(world.db);
    await world.price('99');
    await runner.tick();
    await world.price('101');
    await runner.tick();
    const state = (await statesOf(deployed))['buy'];
    expect(state).toMatchObject({ status: 'blocked', reason: { code: 'denied' } });
    expect(state?.reason?.message).toContain('paused');
  });
});

describe('the intents of one step', () => {
  test('are decided sells first', async () => {
    const accountId = await world.account({ maxOrdersPerMinute: 1 });
    const deployed = await world.deploy(
      {
        ...buyAbove(100),
        low: { type: 'constant', config: { value: 50 } },
        fall: { type: 'compare', config: { op: 'lt' }, inputs: { a: 'price', b: 'low' } },
        buyLow: {
          type: 'order',
          config: { instrument: YES, side: 'buy', type: 'limit', priceOffset: 0 },
          inputs: { when: 'fall', amount: 'amount' },
        },
        exit: { type: 'exit', config: { instrument: BTC, stopLoss: 0.2 } },
      },
      accountId,
    );
    world.market.quote(YES, { bid: '0.4', ask: '0.42', last: '0.41' });
    await world.feed('crypto').poll();
    await world.feed('venue-a').poll();
    await world.price('101');
    const runner = world.runner();
    await runner.tick();
    await world.fillQueued();
    await world.price('40');
    await runner.tick();
    const orders = await world.orders(deployed);
    expect(orders.map(({ node_id, status }) => [node_id, status])).toEqual([
      ['buy', 'filled'],
      ['exit', 'queued'],
      ['buyLow', 'denied'],
    ]);
    expect(orders[1]).toMatchObject({ origin: 'exit', preapproved_release: 1 });
  });
});

test('a runner that stops finishes its current decision and leaves the rest where they are stored', {
  tags: ['long'],
}, async () => {
  const accountId = await world.account();
  const deployed: Deployed[] = [];
  for (let count = 0; count < 12; count++) deployed.push(await world.deploy(buyAbove(100), accountId));
  await world.price('101');
  const runner = world.runner();
  await world.db.transaction().execute(async (tx) => {
    await sql`select id from account where id = ${accountId} for update`.execute(tx);
    const ticked = begun(runner.tick());
    await until(async () => (await world.requests()).length === deployed.length);
    // Each decision waits for the lock until its timeout: one does, not twelve after each other.
    await runner.stop();
    await ticked;
  });
  expect(await world.requests()).toHaveLength(deployed.length);
});

describe('a decision that takes long', () => {
  /** Holds the account's lock, as a slow decision of another process does. */
  async function holding<Result>(accountId: string, task: () => Promise<Result>): Promise<Result> {
    return world.db.transaction().execute(async (trx) => {
      await sql`select id from account where id = ${accountId} for no key update`.execute(trx);
      return task();
    });
  }
  async function isAnybodyWaiting(): Promise<boolean> {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      world.db,
    );
    return rows.length > 0;
  }
  const isTroubled = () => world.lines.some(({ message }) => /^intents? of|^intents:/.test(message));

  test('of one account delays no tick of the others, also of its own shard', { tags: ['long'] }, async () => {
    await world.close();
    world = await openRunnerWorld({ shardCount: 1 });
    const slow = await world.deploy(buyAbove(100));
    const other = await world.deploy(buyAbove(200));
    await world.price('99');
    const runner = world.runner();
    runner.start();
    await until(() => runner.shards.length > 0);
    await holding(slow.accountId, async () => {
      await world.price('101');
      await until(async () => (await world.requests()).length > 0);
      await world.price('201');
      await until(async () => (await world.orders(other)).length > 0);
      expect(isTroubled()).toBe(false);
      expect(await world.requests()).toMatchObject([{ account_id: slow.accountId }]);
    });
    await until(async () => (await world.orders(slow)).length > 0);
    expect(await world.orders(slow)).toHaveLength(1);
  });

  test('of one account delays no queued intent of another', { tags: ['long'] }, async () => {
    const slow = await world.deploy(buyAbove(1_000_000));
    const other = await world.deploy(buyAbove(1_000_000));
    await world.price('100');
    const runner = world.runner();
    runner.start();
    await holding(slow.accountId, async () => {
      await leaveRequest(slow);
      // The sweeper is deciding, and waits for the holder of the account's lock.
      await until(isAnybodyWaiting);
      await leaveRequest(other);
      await until(async () => (await world.orders(other)).length > 0);
      expect(isTroubled()).toBe(false);
    });
    await until(async () => (await world.orders(slow)).length > 0);
  });

  test('keeps the intents of its account in their order', async () => {
    const accountId = await world.account();
    const deployments = [];
    for (const level of [100, 110, 120]) deployments.push(await world.deploy(buyAbove(level), accountId));
    await world.price('99');
    const runner = world.runner();
    runner.start();
    await until(() => runner.shards.length > 0);
    await holding(accountId, async () => {
      for (const [index, price] of ['101', '111', '121'].entries()) {
        await world.price(price);
        await until(async () => (await world.requests()).length === index + 1);
      }
      expect(isTroubled()).toBe(false);
    });
    await until(async () => (await world.requests()).length === 0);
    const orders = await Promise.all(deployments.map((deployed) => world.orders(deployed)));
    expect(orders.map((own) => own.length)).toEqual([1, 1, 1]);
    const ids = orders.flat().map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
  });
});
