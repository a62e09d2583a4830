import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { findToCancel } from '../../engine/trading/orders/execution/queue.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelNodeOrders } from '../../engine/trading/orders/lifecycle/cancel-orders.ts';
import { failDeployment } from '../../engine/usecases/blueprints/running/fail.ts';
import { redeployCompiled } from '../../engine/usecases/blueprints/running/redeploy.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, type Deployed, draw, type Nodes } from './support.ts';
import { openTimedWorld, type TimedWorld } from './timed.ts';

/** Bids `amount` a dollar below the last price while that is above 100. */
const bidding = (amount = 5): Nodes => ({
  last: { type: 'crypto.price', config: { symbol: BTC, field: 'last' } },
  level: { type: 'constant', config: { value: 100 } },
  one: { type: 'constant', config: { value: 1 } },
  amount: { type: 'constant', config: { value: amount } },
  above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'last', b: 'level' } },
  price: { type: 'math', config: { op: 'subtract' }, inputs: { a: 'last', b: 'one' } },
  bid: {
    type: 'quote',
    config: { instrument: BTC, side: 'buy', refreshMinSec: 2 },
    inputs: { when: 'above', amount: 'amount', price: 'price' },
  },
});

let world: TimedWorld;
let broker: ScriptedBroker;
beforeEach(async () => {
  world = await openTimedWorld();
  broker = new ScriptedBroker(() => new Date(world.market.now()));
});
afterEach(() => world.close());

/** Sends queued orders, which rest. */
async function send({ accountId }: Deployed): Promise<void> {
  const queued = await world.db
    .selectFrom('trade_order')
    .select('id')
    .where('status', '=', 'queued')
    .execute();
  for (const { id } of queued) await sendOrder(world.workOf(accountId), broker, id);
}
/** Has the venue confirm the requested cancels, and returns of which orders. */
async function confirm({ accountId }: Deployed): Promise<string[]> {
  const keys = await findToCancel(world.db, 100);
  for (const { id } of keys) await cancelAtVenue(world.workOf(accountId), broker, id);
  return keys.map(({ id }) => id);
}
async function fill({ accountId }: Deployed, id: string, amount: string, price = '110'): Promise<void> {
  broker.fill(id, { amount, price, fee: '0' });
  await syncOrder(world.workOf(accountId), broker, id);
}
const all = async ({ accountId }: Deployed) =>
  (
    await world.db
      .selectFrom('trade_order')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute()
  ).map(({ id, status, amount, limit_price, cancel_requested_at, reason }) => ({
    id,
    is: `${status}${cancel_requested_at === null || status === 'canceled' ? '' : ', cancel requested'}`,
    terms: `${Number(amount)} at ${Number(limit_price)}`,
    reason,
  }));
const states = async (deployed: Deployed) => (await all(deployed)).map(({ is, terms }) => `${is}: ${terms}`);
const pass = async (price: string): Promise<void> => {
  await world.wait(3_000);
  await world.at(price);
};

async function resting(): Promise<Deployed> {
  const deployed = await world.deploy(bidding());
  await world.at('111');
  await send(deployed);
  expect(await states(deployed)).toEqual(['open: 5 at 110']);
  return deployed;
}

describe('the order of a quote', () => {
  test('is canceled in the tick in which its condition turns false, and says why', async () => {
    const deployed = await resting();
    await world.at('99');
    expect(await all(deployed)).toMatchObject([
      { is: 'open, cancel requested', reason: 'The condition of its quote no longer holds.' },
    ]);
    await confirm(deployed);
    await world.at('99');
    expect(await states(deployed)).toEqual(['canceled: 5 at 110']);
    expect(await world.node(deployed, 'bid')).toMatchObject({ status: 'idle' });
  });

  test('is replaced by one of the rest, once the venue has confirmed the cancel: a fill meanwhile counts', async () => {
    const deployed = await resting();
    const [order] = await all(deployed);
    await pass('121');
    expect(await states(deployed)).toEqual(['open, cancel requested: 5 at 110']);
    await fill(deployed, order?.id ?? '', '2');
    await pass('122');
    expect(await world.node(deployed, 'bid')).toMatchObject({
      status: 'waiting',
      reason: { code: 'canceling' },
    });
    await confirm(deployed);
    await pass('122');
    expect(await states(deployed)).toEqual(['canceled: 5 at 110', 'queued: 3 at 121']);
  });

  test('is found again after a restart', async () => {
    const deployed = await resting();
    await world.restart();
    await pass('111');
    expect(await states(deployed)).toEqual(['open: 5 at 110']);
    await pass('121');
    expect(await states(deployed)).toEqual(['open, cancel requested: 5 at 110']);
  });

  test('that was not sent yet is canceled at once', async () => {
    const deployed = await world.deploy(bidding());
    await world.at('111');
    await world.at('99');
    expect(await states(deployed)).toEqual(['canceled: 5 at 110']);
  });
});

describe('no order of a quote is left alone', () => {
  test('a stop cancels it', async () => {
    const deployed = await resting();
    await world.stop(deployed);
    expect(await states(deployed)).toEqual(['open, cancel requested: 5 at 110']);
    expect(await confirm(deployed)).toHaveLength(1);
    expect(await states(deployed)).toEqual(['canceled: 5 at 110']);
  });

  test('the next deployment waits until it has ended', async () => {
    const deployed = await resting();
    await world.stop(deployed);
    await world.redeploy(deployed);
    await pass('131');
    expect(await states(deployed)).toEqual(['open, cancel requested: 5 at 110']);
    await confirm(deployed);
    await pass('131');
    expect(await states(deployed)).toEqual(['canceled: 5 at 110', 'queued: 5 at 130']);
  });

  test('a replaced deployment hands over what is filled, also what is filled during the change', async () => {
    const deployed = await resting();
    const [order] = await all(deployed);
    await fill(deployed, order?.id ?? '', '1');
    const { market } = world;
    const change = {
      visual: draw({ ...bidding(), other: { type: 'constant', config: { value: 1 } } }),
      tokenIds: [BTC],
      members: null,
      basis: undefined,
    };
    await redeployCompiled(world.workOf(deployed.accountId), deployed.blueprintId, change, {
      market,
      shardCount: 4,
    });
    await fill(deployed, order?.id ?? '', '1');
    await pass('111');
    await confirm(deployed);
    await pass('111');
    expect(await states(deployed)).toEqual(['canceled: 5 at 110', 'queued: 3 at 110']);
  });

  test('an order that is still being canceled is waited for, however many deployments ago', async () => {
    const deployed = await resting();
    for (let count = 0; count < 7; count++) {
      await world.stop(deployed);
      await world.redeploy(deployed);
    }
    await pass('131');
    expect(await states(deployed)).toEqual(['open, cancel requested: 5 at 110']);
  });

  test('is canceled when its strategy ends in error, a sell too, because exits need its units', async () => {
    const deployed = await world.deploy(bidding());
    await world.at('111');
    await world.fillQueued();
    const offering: Nodes = {
      ...bidding(),
      bid: {
        type: 'quote',
        config: { instrument: BTC, side: 'sell', refreshMinSec: 2 },
        inputs: { when: 'above', amount: 'amount', price: 'last' },
      },
    };
    await world.stop(deployed);
    const next = await world.deployOver(deployed, offering);
    await pass('131');
    await send(next);
    expect(await states(next)).toEqual(['filled: 5 at 110', 'open: 5 at 131']);
    await failDeployment(world.workOf(next.accountId), next.deploymentId, 'A test said so.');
    expect(await states(next)).toEqual(['filled: 5 at 110', 'open, cancel requested: 5 at 131']);
  });

  test('a cancel reaches orders of its own node and blueprint only', async () => {
    const deployed = await resting();
    const other = await world.deploy(bidding());
    const [order] = await all(deployed);
    const wish = { nodeId: 'bid', orderId: order?.id ?? '', reason: 'Not mine.' };
    await cancelNodeOrders(world.workOf(deployed.accountId), deployed.blueprintId, [
      { ...wish, nodeId: 'ask' },
    ]);
    await cancelNodeOrders(world.workOf(deployed.accountId), other.blueprintId, [wish]);
    await cancelNodeOrders(world.workOf(other.accountId), deployed.blueprintId, [wish]);
    expect(await states(deployed)).toEqual(['open: 5 at 110']);
    const doing = () => cancelNodeOrders(world.workOf(deployed.accountId), deployed.blueprintId, [wish]);
    await doing();
    const [canceled] = await all(deployed);
    await doing();
    expect(await all(deployed)).toEqual([{ ...canceled, is: 'open, cancel requested' }]);
  });
});

/** Buys four units above 100, and sells half of them at 10 %, half at 20 % more; a stop guards them. */
const BRACKET: Nodes = {
  ...buyAbove(100, 4),
  near: { type: 'target', config: { instrument: BTC, takeProfit: 0.1, part: 0.5 } },
  far: { type: 'target', config: { instrument: BTC, takeProfit: 0.2, part: 0.5 } },
  stop: { type: 'exit', config: { instrument: BTC, stopLoss: 0.2 } },
};

async function bracketed(): Promise<Deployed> {
  const deployed = await world.deploy(BRACKET);
  await world.at('101');
  await world.fillQueued({ price: '100' });
  await pass('101');
  await send(deployed);
  expect(await states(deployed)).toEqual(['filled: 4 at 101.51', 'open: 2 at 110', 'open: 2 at 120']);
  return deployed;
}

describe('the targets of a bracket', () => {
  const [BOUGHT, NEAR, FAR] = ['filled: 4 at 101.51', 'open: 2 at 110', 'open: 2 at 120'];

  test('rest once each, also after restarts', async () => {
    const deployed = await bracketed();
    const before = await all(deployed);
    for (const price of ['101', '102']) {
      await world.restart();
      await pass(price);
    }
    expect(await all(deployed)).toEqual(before);
  });

  test('follow a larger position only once the venue has confirmed the cancels', async () => {
    const deployed = await bracketed();
    await pass('99');
    await world.wait(10_000);
    await world.at('101');
    await world.fillQueued({ price: '100' });
    for (let count = 0; count < 2; count++) {
      await pass('101');
      expect((await states(deployed)).slice(1)).toEqual([
        'open, cancel requested: 2 at 110',
        'open, cancel requested: 2 at 120',
        BOUGHT,
      ]);
    }
    expect(await confirm(deployed)).toHaveLength(2);
    await pass('101');
    expect((await states(deployed)).slice(4)).toEqual(['queued: 4 at 110', 'queued: 4 at 120']);
  });

  test('end with the position: the stop cancels them, waits for the venue, and sells what they left', async () => {
    const deployed = await bracketed();
    const near = (await all(deployed))[1]?.id ?? '';
    await pass('79');
    await fill(deployed, near, '1');
    expect(await confirm(deployed)).toHaveLength(2);
    await pass('79');
    expect(await states(deployed)).toMatchObject([
      BOUGHT,
      'canceled: 2 at 110',
      'canceled: 2 at 120',
      expect.stringMatching(/^queued: 3 at /),
    ]);
    await world.fillQueued({ price: '79' });
    for (const price of ['79', '99']) await pass(price);
    expect(await world.held(deployed)).toBe(0);
    expect(await all(deployed)).toHaveLength(4);
    expect(await world.node(deployed, 'near')).toMatchObject({ status: 'idle' });
  });

  test('that are decided just as the blueprint ends in error never rest', async () => {
    const deployed = await world.deploy(BRACKET);
    await world.at('101');
    await world.fillQueued({ price: '100' });
    await failDeployment(world.workOf(deployed.accountId), deployed.deploymentId, 'A test said so.');
    const raised = { nodeId: 'near', stepAt: 0, origin: 'exit', side: 'sell', tokenId: BTC, type: 'limit' };
    const terms = { amount: '2', limitPrice: '110', slippage: null, timeInForce: 'gtc', isKept: true };
    const intent = JSON.stringify({ ...raised, ...terms, reason: {}, inputs: [] });
    await sql`insert into intent_request (account_id, deployment_id, node_id, step_at, position, intent, created_at)
      values (${deployed.accountId}, ${deployed.deploymentId}, 'near', ${new Date(0)}, 0, ${intent}::jsonb,
        clock_timestamp() - interval '2 seconds')`.execute(world.db);
    await world.at('101');
    await world.runner().sweep();
    expect(await states(deployed)).toEqual([BOUGHT]);
    expect(await world.requests()).toEqual([]);
  });

  test('end no sell that waits for a person, and both sell no unit twice', async () => {
    const deployed = await world.deploy(BRACKET);
    await world.at('101');
    await world.fillQueued({ price: '100' });
    await sql`update risk_rules set require_approval_above = 0`.execute(world.db);
    const key = { ...world.workOf(deployed.accountId), actor: 'key:bot' };
    const { intentId } = await closePosition(key, { tokenId: BTC, amount: '4' });
    await world.at('101');
    await send(deployed);
    expect((await states(deployed)).slice(1)).toEqual([expect.stringMatching(/^pending: 4 at /), NEAR, FAR]);
    const approve = () => approveOrder(world.workOf(deployed.accountId), intentId);
    await expect(approve()).rejects.toThrow('0 are held and free');
    await world.stop(deployed);
    await confirm(deployed);
    await approve();
    await world.fillQueued({ price: '101' });
    expect(await world.held(deployed)).toBe(0);
  });
});
