import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppRouter } from '../../routers/index.ts';
import { bearer } from '../support/api.ts';
import { addBlueprint, hold, openMarket, pendingBuy, TOKEN } from '../support/trading.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  await openMarket(world);
});
afterAll(() => world.close());

const clientOf = (key: string) =>
  createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${world.base}/trpc`, headers: bearer(key) })],
  });

describe('what the console reads in one call', () => {
  test('orders come with names, newest first, narrowed and in pages, and only one’s own', async () => {
    const account = await world.account();
    const { console: read } = clientOf(account.key);
    const blueprintId = await addBlueprint(account, 'Named', { nodes: [], edges: [] });
    await hold(world, account, { blueprintId, amount: '0.001' });
    const pending = await pendingBuy(world, account, { blueprintId, amount: '0.001' });

    const all = await read.orders.query({});
    expect(all[0]).toMatchObject({
      id: pending.id,
      status: 'pending',
      blueprintId,
      blueprintName: 'Named',
      tokenId: TOKEN,
      amount: 0.001,
      averagePrice: null,
    });
    expect(await read.orders.query({ status: 'pending' })).toEqual([all[0]]);
    const [newest] = all;
    if (!newest) throw new Error('There are no orders.');
    const { createdAt, id } = newest;
    expect(await read.orders.query({ before: { createdAt, id } })).toEqual(all.slice(1));

    const stranger = await world.account();
    expect(await clientOf(stranger.key).console.orders.query({})).toEqual([]);
  });

  test('one instrument comes with its book, best first; an unknown one is refused', async () => {
    const account = await world.account('market_data:read');
    const { console: read } = clientOf(account.key);
    const market = await read.market.query({ tokenId: TOKEN });
    expect(market).toMatchObject({ tokenId: TOKEN, venue: 'crypto', status: 'open', tradable: true });
    const prices = (levels: { price: number }[]) => levels.map(({ price }) => price);
    expect(prices(market.bids)).toEqual(prices(market.bids).sort((a, b) => b - a));
    expect(prices(market.asks)).toEqual(prices(market.asks).sort((a, b) => a - b));
    await expect(read.market.query({ tokenId: 'NOSUCHCOIN' })).rejects.toMatchObject({
      data: { error: { code: 'not_found' } },
    });
  });

  test('every example drawing is sound on the instruments it comes with', async () => {
    const account = await world.account();
    const client = clientOf(account.key);
    const templates = await client.console.templates.query({});
    expect(templates.length).toBeGreaterThan(3);
    const id = await addBlueprint(account, 'Template', { nodes: [], edges: [] });
    for (const { key, visual } of templates) {
      expect(await client.blueprints.validate.mutate({ id, visual }), key).toMatchObject({ valid: true });
    }
  });

  test('each needs its scope', async () => {
    const { key } = await world.account('risk:read');
    const { console: read } = clientOf(key);
    const refused = { data: { error: { code: 'insufficient_scope' } } };
    await expect(read.orders.query({})).rejects.toMatchObject(refused);
    await expect(read.market.query({ tokenId: TOKEN })).rejects.toMatchObject(refused);
    await expect(read.templates.query({})).rejects.toMatchObject(refused);
  });
});
