import { beforeAll, expect, test } from 'vitest';
import { databaseClock } from '../../engine/platform/context.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { bearer } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, openMarket, TOKEN } from '../support/trading.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { type Account, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
beforeAll(async () => {
  await openMarket(world);
});

const readOf = ({ key }: Account) => trpcClient(world, bearer(key)).console;

/** A market order of a step, filled on paper. */
async function trade(
  account: Account,
  blueprintId: string,
  side: 'buy' | 'sell',
  amount: string,
  nodeId: string,
) {
  await updateRules(account.work, {
    requireApprovalAbove: 100_000,
    maxOrderSize: 100_000,
    cooldownAfterLossSec: 0,
    maxOrdersPerMinute: 1_000,
  });
  await openMarket(world);
  const order = await proposeIntent(account.work, {
    origin: side === 'buy' ? 'order' : 'close',
    blueprintId,
    nodeId,
    tokenId: TOKEN,
    side,
    type: 'market',
    timeInForce: 'ioc',
    amount,
    inputs: [],
  });
  const broker = openPaperVenue({ pool: world.pool, marketData: world.market, clock: databaseClock });
  const sent = await sendOrder(account.work, broker, order.id);
  expect(sent?.order.status, order.reason ?? '').toBe('filled');
  return order.id;
}

const refused = (code: string) => ({ data: { error: { code } } });

test('closed trades, fills and the log of steps are searched, filtered and paged over all rows, of one blueprint', async () => {
  const account = await world.account();
  const id = await addBlueprint(account, 'Trades');
  const other = await addBlueprint(account, 'Other');
  await trade(account, other, 'buy', '0.001', 'elsewhere');
  const orders: string[] = [];
  for (const amount of ['0.001', '0.002', '0.003']) {
    orders.push(await trade(account, id, 'buy', amount, 'in'));
    orders.push(await trade(account, id, 'sell', amount, 'out'));
  }
  const read = readOf(account);

  const { count, rows } = await read.closedTrades.query({ id });
  expect(count).toBe(3);
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({
    tokenId: TOKEN,
    venue: 'crypto',
    leaving: { kind: 'sold', nodeId: 'out', orderId: orders.at(-1) },
  });
  const [first, second] = rows;
  if (!first || !second) throw new Error('There are no trades.');
  const next = await read.closedTrades.query({ id, limit: 1, after: first.id });
  expect(next).toEqual({ count: 3, rows: [second] });
  const byResult = await read.closedTrades.query({ id, sort: 'result', isAscending: true });
  expect(byResult.rows.map(({ pnl }) => pnl)).toEqual(rows.map(({ pnl }) => pnl).toSorted((a, b) => a - b));
  expect(await read.closedTrades.query({ id, find: 'nothing' })).toEqual({ count: 0, rows: [] });
  expect((await read.closedTrades.query({ id, find: 'btc/' })).count).toBe(3);

  const fills = await read.fills.query({ id });
  expect(fills.map(({ side }) => side)).toEqual(['sell', 'buy', 'sell', 'buy', 'sell', 'buy']);
  expect(fills.map(({ orderId }) => orderId)).toEqual(orders.toReversed());
  expect(fills[0]).toMatchObject({ tokenId: TOKEN, kind: 'trade', amount: 0.003 });
  expect((await read.fills.query({ id, isAscending: true })).map((fill) => fill.id)).toEqual(
    fills.map((fill) => fill.id).toReversed(),
  );
  expect(await read.fills.query({ id, after: fills[3]?.id ?? '' })).toEqual(fills.slice(4));
  expect(await read.fills.query({ id, side: 'buy', find: orders[0] ?? '' })).toEqual(fills.slice(5));

  const firings = await read.firings.query({ id });
  expect(firings.map((row) => row.id)).toEqual(orders.toReversed());
  expect(await read.firings.query({ id, nodeId: 'in', limit: 1 })).toEqual([firings[1]]);
  expect(await read.firings.query({ id, find: 'out', isAscending: true, limit: 1 })).toEqual([firings[4]]);
  expect(await read.firings.query({ id, after: firings[4]?.id ?? '' })).toEqual(firings.slice(5));
  expect((await read.trading.query({ id })).steps).toEqual(['in', 'out']);

  const past = { to: '2020-01-01T00:00:00.000Z' };
  expect(await read.fills.query({ id, ...past })).toEqual([]);
  expect(await read.firings.query({ id, ...past })).toEqual([]);
  expect((await read.closedTrades.query({ id, ...past })).count).toBe(0);
});

test('400: invalid pages, words and orders, and markup in a search is no pattern', async () => {
  const account = await world.account();
  const id = await addBlueprint(account, 'Mine');
  await trade(account, id, 'buy', '0.001', 'in');
  const read = readOf(account);
  for (const wrong of [
    { limit: 0 },
    { limit: 201 },
    { find: '' },
    { find: 'x'.repeat(101) },
    { from: 'soon' },
  ]) {
    await expect(read.fills.query({ id, ...wrong })).rejects.toMatchObject(refused('validation_failed'));
    await expect(read.firings.query({ id, ...wrong })).rejects.toMatchObject(refused('validation_failed'));
    await expect(read.closedTrades.query({ id, ...wrong })).rejects.toMatchObject(
      refused('validation_failed'),
    );
  }
  for (const find of ['%', '_', '\\', "'"]) {
    expect(await read.fills.query({ id, find })).toEqual([]);
    expect(await read.firings.query({ id, find })).toEqual([]);
  }
});
