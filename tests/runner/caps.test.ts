import { expect, test } from 'vitest';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { openedForEachTest } from '../support/opened.ts';
import { BTC } from './fake-market.ts';
import type { Nodes } from './support.ts';
import { openTimedWorld } from './timed.ts';

const world = openedForEachTest(openTimedWorld);

const buyBehind = (name: string, level: number): Nodes => ({
  [`${name}Level`]: { type: 'constant', config: { value: level } },
  [`${name}Above`]: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'price', b: `${name}Level` } },
  [`${name}Guard`]: {
    type: 'guard',
    config: { instrument: BTC, maxPosition: 1 },
    inputs: { in: `${name}Above` },
  },
  [name]: {
    type: 'order',
    config: { instrument: BTC, side: 'buy', type: 'limit', timeInForce: 'gtc', priceOffset: -10 },
    inputs: { when: `${name}Guard`, amount: 'amount' },
  },
});
const common: Nodes = {
  price: { type: 'crypto.price', config: { symbol: BTC, field: 'last' } },
  amount: { type: 'constant', config: { value: 1 } },
};

test('limit orders with a position cap of one unit never rest for more than it together', async () => {
  const deployed = await world.deploy({
    ...common,
    ...buyBehind('first', 100),
    ...buyBehind('twin', 100),
    ...buyBehind('late', 105),
  });
  await world.at('101');
  expect(await world.made(deployed)).toEqual([['first', 'queued']]);
  await world.fill({ amount: '0.4' });
  await world.at('106');
  await world.at('106');
  expect(await world.made(deployed)).toEqual([['first', 'partially_filled']]);
  expect(await world.node(deployed, 'lateGuard')).toMatchObject({
    status: 'blocked',
    reason: { code: 'position_too_large' },
  });
  await world.restart();
  await world.at('107');
  expect(await world.made(deployed)).toHaveLength(1);
});

test('resting orders of a stopped deployment count for the next one of its blueprint', async () => {
  const nodes = { ...common, ...buyBehind('first', 100) };
  const before = await world.deploy(nodes);
  await world.at('101');
  await world.fill({ amount: '0.4' });
  await world.stop(before);
  const after = await world.redeploy(before);
  await world.at('101');
  expect(await world.made(after)).toEqual([]);
});

test('a canceled buy frees its amount', async () => {
  const deployed = await world.deploy({
    ...common,
    ...buyBehind('first', 100),
    ...buyBehind('twin', 100),
  });
  await world.at('101');
  const [first] = await world.orders(deployed);
  await cancelOrder(world.workOf(deployed.accountId), first?.id ?? '');
  await world.at('101');
  expect(await world.made(deployed)).toEqual([
    ['first', 'canceled'],
    ['twin', 'queued'],
  ]);
});
