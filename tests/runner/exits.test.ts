import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findExpiredOrders } from '../../engine/trading/orders/execution/queue.ts';
import { expireOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { failDeployment } from '../../engine/usecases/blueprints/running/fail.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { failAfterRefusals } from '../../server/workers/trading/orders/fail-after-refusals.ts';
import type { Runner } from '../../server/workers/trading/runner.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, type Deployed, openRunnerWorld, type RunnerWorld } from './support.ts';

const SECOND = 1_000;

/** Buys one at 101 and guards it: at 80.8 or below the exit sells. */
const GUARDED = {
  ...buyAbove(100),
  exit: { type: 'exit', config: { instrument: BTC, stopLoss: 0.2 } },
};

let world: RunnerWorld;
let nowMs: number;
let runner: Runner;
let deployed: Deployed;

/** Feed and database share a clock that stands still until a test moves it. */
beforeEach(async () => {
  nowMs = Date.now();
  world = await openRunnerWorld({ clock: async () => new Date(nowMs) });
  world.market.clock = () => nowMs;
});
afterEach(() => world.close());

/** A tick after this time, with the venue's quote of that moment, once what is past its time has ended. */
async function tickAfter(seconds: number): Promise<void> {
  nowMs += seconds * SECOND;
  for (const { accountId, id } of await findExpiredOrders(world.db, new Date(nowMs), 10))
    await expireOrder(world.workOf(accountId), id);
  await world.pollOnce();
  await runner.tick(nowMs, nowMs);
}

async function openPosition(accountId?: string): Promise<void> {
  deployed = await world.deploy(GUARDED, accountId);
  runner = world.runner();
  await world.price('101');
  await tickAfter(0);
  await world.fillQueued();
  expect(await held()).toBe(1);
}

async function fall(): Promise<void> {
  world.market.quote(BTC, { bid: '70', ask: '70.01', last: '70' });
  await tickAfter(2);
}

/** Lets time pass and fills queued orders until nothing is held. Returns the seconds it took. */
async function passUntilFlat(): Promise<number> {
  for (let seconds = 0; seconds < 300; seconds += 2) {
    await world.fillQueued();
    if ((await held()) === 0) return seconds;
    await tickAfter(2);
  }
  throw new Error('The exit did not get out within five minutes.');
}

const held = async (): Promise<number> => {
  const { amount } = await world.db
    .selectFrom('position')
    .select('amount')
    .where('blueprint_id', '=', deployed.blueprintId)
    .executeTakeFirstOrThrow();
  return Number(amount);
};
const exits = async () => (await world.orders(deployed)).filter(({ origin }) => origin === 'exit');

describe('an exit ends flat', () => {
  test('when nothing blocks it, by one order that needs no approval', async () => {
    await openPosition();
    await updateRules(world.workOf(deployed.accountId), { requireApprovalAbove: 0 });
    await fall();
    await passUntilFlat();
    expect(await exits()).toMatchObject([{ status: 'filled', preapproved_release: 1 }]);
  });

  test('when the limit of orders a minute is used up: it does not count among them', async () => {
    await openPosition(await world.account({ maxOrdersPerMinute: 1 }));
    await fall();
    await passUntilFlat();
    expect(await exits()).toMatchObject([{ status: 'filled' }]);
  });

  test('when its order is not sent in time', { tags: ['long'] }, async () => {
    await openPosition();
    await fall();
    expect(await exits()).toMatchObject([{ status: 'queued' }]);
    for (let seconds = 0; seconds < 40; seconds += 2) await tickAfter(2);
    await passUntilFlat();
    expect((await exits()).length).toBeGreaterThan(1);
  });

  test('when the venue fills half of each order', async () => {
    await openPosition();
    await fall();
    await world.fillQueued({ amount: '0.5' });
    expect(await held()).toBe(0.5);
    await passUntilFlat();
  });

  test('after a restart in the middle', async () => {
    await openPosition();
    await fall();
    await world.fillQueued({ amount: '0.25' });
    await runner.stop();
    runner = world.runner();
    await passUntilFlat();
  });

  test('while its blueprint is in error', async () => {
    await openPosition();
    await failDeployment(world.workOf(deployed.accountId), deployed.deploymentId, 'A test said so.');
    await fall();
    await passUntilFlat();
    expect((await world.blueprint(deployed)).status).toBe('error');
  });

  test('after quotes were missing when it should have sold', async () => {
    await openPosition();
    world.market.isDown = true;
    world.market.quote(BTC, { bid: '70', ask: '70.01', last: '70' });
    for (let seconds = 0; seconds < 60; seconds += 2) await tickAfter(2);
    expect(await exits()).toEqual([]);
    world.market.isDown = false;
    await tickAfter(2);
    await passUntilFlat();
  });

  test('when a venue has refused its orders', async () => {
    await openPosition();
    const { accountId, deploymentId } = deployed;
    const refused = { accountId, mode: 'paper' as const, deploymentId, reason: 'No.' };
    await failAfterRefusals({ pool: world.pool, clock: async () => new Date(nowMs) })(refused);
    expect((await world.blueprint(deployed)).error).toContain('refused three orders');
    await fall();
    await passUntilFlat();
  });
});
