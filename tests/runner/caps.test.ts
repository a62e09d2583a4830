import { expect, test } from 'vitest';
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
