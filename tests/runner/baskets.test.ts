import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findToCancel } from '../../engine/trading/orders/execution/queue.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { BASKET, ETH, killBetweenLegs } from '../support/basket-kills.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';

import type { Deployed } from './support.ts';
import { openTimedWorld, type TimedWorld } from './timed.ts';

let world: TimedWorld;
let broker: ScriptedBroker;
beforeEach(async () => {
  world = await openTimedWorld();
  world.market.list(ETH);
  broker = new ScriptedBroker(() => new Date(world.market.now()));
});
afterEach(() => world.close());

const all = async (deployed: Deployed) =>
  (await world.orders(deployed)).map(
    ({ node_id, side, status, amount, filled_amount, limit_price }) =>
      `${node_id}: ${side} ${Number(amount)} at ${Number(limit_price)}, ${status} ${Number(filled_amount)}`,
  );
/** Sends the order of a leg, which rests. Returns its id. */
async function send(deployed: Deployed, node: string): Promise<string> {
  const order = (await world.orders(deployed)).findLast(({ node_id }) => node_id === node);
  await sendOrder(world.workOf(deployed.accountId), broker, String(order?.id));
  return String(order?.id);
}
async function fill(deployed: Deployed, id: string, amount = '5', price = '101'): Promise<void> {
  broker.fill(id, { amount, price, fee: '0' });
  await syncOrder(world.workOf(deployed.accountId), broker, id);
}
async function confirm({ accountId }: Deployed): Promise<void> {
  for (const { id } of await findToCancel(world.db, 100))
    await cancelAtVenue(world.workOf(accountId), broker, id);
}
/** Another process takes over after this time, and evaluates once. */
async function pass(ms = 3_000, price = '101'): Promise<void> {
  await world.wait(ms);
  await world.at(price);
}

/** A basket of which the first leg is filled, and the process has died since. */
async function halfFilled(): Promise<Deployed> {
  const deployed = await world.deploy(BASKET);
  await world.at('101');
  expect(await all(deployed)).toEqual(['one: buy 5 at 101, queued 0', 'two: buy 5 at 101, queued 0']);
  await fill(deployed, await send(deployed, 'one'));
  return deployed;
}

describe('a basket whose process dies between its legs', () => {
  test('is completed if the other leg fills', async () => {
    const deployed = await halfFilled();
    await pass();
    await fill(deployed, await send(deployed, 'two'));
    for (let count = 0; count < 3; count++) await pass();
    expect(await all(deployed)).toEqual(['one: buy 5 at 101, filled 5', 'two: buy 5 at 101, filled 5']);
    expect((await world.node(deployed, 'one'))?.reason?.code).toBe('basket_complete');
  });

  test('is undone if the order of the other leg never left', async () => {
    const deployed = await halfFilled();
    await pass(25_000);
    await pass();
    expect(await all(deployed)).toEqual([
      'one: buy 5 at 101, filled 5',
      'two: buy 5 at 101, canceled 0',
      'one: sell 5 at 95.95, queued 0',
    ]);
    await fill(deployed, await send(deployed, 'one'), '5', '100');
    await pass();
    expect(await world.held(deployed)).toBe(0);
    expect((await world.node(deployed, 'one'))?.reason?.code).toBe('undone');
  });

  test('is undone with what the other leg fills before its cancel is confirmed', async () => {
    const deployed = await halfFilled();
    const two = await send(deployed, 'two');
    await pass(25_000);
    await pass();
    expect(await all(deployed)).toHaveLength(2);
    await fill(deployed, two, '2');
    await confirm(deployed);
    await pass();
    expect((await all(deployed)).slice(2).sort()).toEqual([
      'one: sell 5 at 95.95, queued 0',
      'two: sell 2 at 95.95, queued 0',
    ]);
  });
});

test('a basket that cannot be sold back puts its blueprint into error, and its owner is notified', async () => {
  const deployed = await halfFilled();
  await pass(25_000, '90');
  for (let count = 0; count < 25; count++) await pass(3_000, '90');
  expect(await world.blueprint(deployed)).toMatchObject({
    status: 'error',
    error: expect.stringContaining('It could not be sold back within 60 s'),
  });
  expect((await all(deployed)).slice(2)).toEqual([]);
  expect(await world.node(deployed, 'one')).toMatchObject({
    status: 'error',
    reason: { code: 'undo_failed' },
  });
  const events = await world.events(deployed.accountId);
  expect(JSON.stringify(events)).toContain('could not be sold back');
});

test('a stop ends an undo too: what is held stays, as after any stop', async () => {
  const deployed = await halfFilled();
  await pass(25_000);
  await pass();
  await world.stop(deployed);
  await pass();
  expect((await all(deployed)).slice(1)).toEqual([
    'two: buy 5 at 101, canceled 0',
    'one: sell 5 at 95.95, canceled 0',
  ]);
  expect(await world.held(deployed)).toBe(5);
});

test('a basket whose process is killed between its legs is completed or undone, nothing twice', {
  tags: ['long'],
  timeout: 240_000,
}, async () => {
  const ends = await killBetweenLegs(45);
  expect(ends.complete).toBeGreaterThan(0);
  expect(ends.undone).toBeGreaterThan(0);
});
