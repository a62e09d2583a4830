import { setTimeout as sleep } from 'node:timers/promises';
/** A person stops live trading, of one strategy or of the whole account, and sells the holdings. */
import { expect, test } from 'vitest';
import { isOpen } from '../../simulator/trading/orders.ts';
import { expectOk } from '../support/api.ts';
import {
  approve,
  connectReady,
  type LiveTrader,
  openLiveTrader,
  openLiveWorld,
  propose,
  waitForState,
  waitForStatus,
  waitUntil,
} from '../support/live.ts';

import { openedForFile } from '../support/opened.ts';

const world = openedForFile(openLiveWorld);

const AT_A = 'KXELONMARS-99:yes';
const AT_CRYPTO = 'BTCUSDT';

/** Buys that rest far from the market, at two venues. */
const RESTING = {
  nodes: [
    { id: 'price', type: 'crypto.price', data: { config: { symbol: AT_CRYPTO, field: 'ask' } } },
    { id: 'always', type: 'compare', data: { config: { op: 'gt' } } },
    { id: 'none', type: 'constant', data: { config: { value: 0 } } },
    { id: 'units', type: 'constant', data: { config: { value: 10 } } },
    { id: 'coins', type: 'constant', data: { config: { value: 0.0002 } } },
    {
      id: 'a',
      type: 'order',
      data: { config: { instrument: AT_A, side: 'buy', type: 'limit', priceOffset: -0.02 } },
    },
    {
      id: 'c',
      type: 'order',
      data: { config: { instrument: AT_CRYPTO, side: 'buy', type: 'limit', priceOffset: -2_000 } },
    },
  ],
  edges: [
    { source: 'price', target: 'always', targetHandle: 'a' },
    { source: 'none', target: 'always', targetHandle: 'b' },
    { source: 'always', target: 'a', targetHandle: 'when' },
    { source: 'units', target: 'a', targetHandle: 'amount' },
    { source: 'always', target: 'c', targetHandle: 'when' },
    { source: 'coins', target: 'c', targetHandle: 'amount' },
  ],
};

const answerOf = (answer: unknown) => (answer as { result: { data: unknown } }).result.data;

async function deployed(trader: LiveTrader, name: string): Promise<string> {
  const blueprint = answerOf(expectOk(await trader.call('blueprints.create', { name, visual: RESTING }))) as {
    id: string;
  };
  expectOk(await trader.call('blueprints.deploy', { id: blueprint.id }));
  return blueprint.id;
}

/** The orders of a strategy, approved and resting at their venues. */
async function resting(blueprintId: string, trader: LiveTrader): Promise<string[]> {
  const orders = () =>
    world.db
      .selectFrom('trade_order')
      .select(['id', 'status', 'venue'])
      .where('blueprint_id', '=', blueprintId)
      .orderBy('venue')
      .execute();
  const raised = await waitUntil(
    orders,
    (found) => found.filter(({ status }) => status === 'pending').length === 2,
  );
  expect(raised.map(({ venue }) => venue)).toEqual(['crypto', 'venue-a']);
  for (const { id } of raised) expectOk(await approve(trader, id));
  for (const { id } of raised) await waitForStatus(world, id, 'open');
  return raised.map(({ id }) => id);
}

const openAtVenues = (ids: readonly string[]): string[] =>
  [...(world.market.simulator?.simulatedVenues.values() ?? [])].flatMap(({ venue }) =>
    [...venue.exchange.orders.values()]
      .filter((order) => isOpen(order) && ids.includes(order.clientOrderId))
      .map(({ clientOrderId }) => clientOrderId),
  );

test('stopping one strategy ends its orders at every venue and no others; stopping everything ends them all', {
  tags: ['long'],
}, async () => {
  const trader = await openLiveTrader(world);
  await connectReady(world, trader, 'venue-a');
  await connectReady(world, trader, 'crypto');
  const [first, second] = [await deployed(trader, 'First'), await deployed(trader, 'Second')];
  const [ofFirst, ofSecond] = [await resting(first, trader), await resting(second, trader)];
  expect(openAtVenues([...ofFirst, ...ofSecond])).toHaveLength(4);
  expectOk(await trader.call('blueprints.stop', { id: first }));
  for (const id of ofFirst) await waitForStatus(world, id, 'canceled');
  expect(openAtVenues([...ofFirst, ...ofSecond]).sort()).toEqual([...ofSecond].sort());
  expect(answerOf(expectOk(await trader.call('blueprints.stopAll', {})))).toEqual({ stopped: 1 });
  for (const id of ofSecond) await waitForStatus(world, id, 'canceled');
  expect(openAtVenues([...ofFirst, ...ofSecond])).toEqual([]);
});

type Reviewed = { tokenId: string; amount: number };
type Flattened = { tokenId: string; intentId: string; refusal: { code: string } | null };

/** Sells holdings; those without a new quote again, as a person would. */
async function flattened(trader: LiveTrader, positions: readonly Reviewed[]): Promise<string[]> {
  const results = answerOf(expectOk(await trader.call('console.flatten', { positions }))) as Flattened[];
  const refused = results.filter(({ refusal }) => refusal !== null);
  expect(refused.filter(({ refusal }) => refusal?.code !== 'quote_unavailable')).toEqual([]);
  const sold = results.filter(({ refusal }) => refusal === null).map(({ intentId }) => intentId);
  if (refused.length === 0) return sold;
  await sleep(1_000);
  const left = positions.filter(({ tokenId }) => refused.some((each) => each.tokenId === tokenId));
  return [...sold, ...(await flattened(trader, left))];
}

test('everything held is sold at its venues in one reviewed request, by a person only, also while entries are stopped', async () => {
  const trader = await openLiveTrader(world);
  const ids = [await connectReady(world, trader, 'venue-a'), await connectReady(world, trader, 'crypto')];
  for (const wish of [
    { tokenId: AT_A, amount: '10' },
    { tokenId: AT_CRYPTO, amount: '0.0002' },
  ]) {
    const { id } = await propose(world, trader, wish);
    expectOk(await approve(trader, id));
    await waitForStatus(world, id, 'filled');
  }
  for (const { id } of ids) {
    expectOk(await trader.send('POST', `/api/venue-connections/${id}/halt`, { to: 'reduce_only' }));
    await waitForState(trader, id, 'reduce_only');
  }
  const toFlatten = async () =>
    answerOf(expectOk(await trader.send('GET', '/live/trpc/console.toFlatten?input=%7B%7D'))) as {
      tokenId: string;
      free: number;
      stuck: string | null;
    }[];
  const reviewed = await toFlatten();
  expect(reviewed).toMatchObject([
    { tokenId: AT_CRYPTO, stuck: null },
    { tokenId: AT_A, free: 10, stuck: null },
  ]);
  const positions = reviewed.map(({ tokenId, free }) => ({ tokenId, amount: free }));
  for (const intentId of await flattened(trader, positions)) await waitForStatus(world, intentId, 'filled');
  // A rest of the coin below the venue's step may stay after the fee.
  expect((await toFlatten()).filter(({ stuck }) => stuck === null)).toEqual([]);
}, 90_000);
