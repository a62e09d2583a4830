/** Walks through live trading as a new user does who has just started the service, over HTTP only. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoVenues, openDemoVenues } from '../../server/demo/demo-venues.ts';
import { expectOk } from '../support/api.ts';
import { openLiveWorld, waitUntil } from '../support/live.ts';
import { openedForFile } from '../support/opened.ts';
import { type Answer, ORIGIN } from '../support/world.ts';

const world = openedForFile(openLiveWorld);
let dataDir: string;
let demo: DemoVenues;
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'walk-'));
  // As `npm start` does.
  demo = await openDemoVenues({ simulatorUrl: world.market.simulatorUrl ?? '', dataDir });
});
afterAll(async () => {
  await demo.stop();
  rmSync(dataDir, { recursive: true });
});

type Connection = { id: string; state: string; reconciledAt: string | null; checks: { state: string }[] };
type Order = { id: string; status: string };

/** The graph of the README, for less money. */
const STRATEGY = {
  name: 'My first strategy',
  visual: {
    nodes: [
      {
        id: 'price',
        type: 'crypto.price',
        data: { config: { symbol: 'BTCUSDT', field: 'ask' } },
      },
      { id: 'level', type: 'constant', data: { config: { value: 1000 } } },
      { id: 'above', type: 'compare', data: { config: { op: 'gt' } } },
      { id: 'amount', type: 'size', data: { config: { mode: 'notional', notional: 20 } } },
      {
        id: 'buy',
        type: 'order',
        data: { config: { instrument: 'BTCUSDT', side: 'buy', type: 'market' } },
      },
    ],
    edges: [
      { source: 'price', target: 'above', targetHandle: 'a' },
      { source: 'level', target: 'above', targetHandle: 'b' },
      { source: 'price', target: 'amount', targetHandle: 'price' },
      { source: 'above', target: 'buy', targetHandle: 'when' },
      { source: 'amount', target: 'buy', targetHandle: 'amount' },
    ],
  },
};

const SCOPES = [
  'blueprints:read',
  'blueprints:write',
  'blueprints:deploy',
  'orders:read',
  'portfolio:read',
  'trade:live',
];

test('sign up, connect, wait until it is ready, deploy, approve, see it filled and agreed on, halt', {
  tags: ['long'],
}, async () => {
  const { cookie, password } = await world.signUp();
  const bySession = (method: string, address: string, body?: unknown): Promise<Answer> =>
    world.send(method, address, {
      headers: { cookie, origin: ORIGIN },
      ...(body !== undefined && { body }),
    });

  const file = readFileSync(path.join(dataDir, 'demo-connection-crypto'), 'utf8');
  const connected = await bySession('POST', '/api/venue-connections', { ...JSON.parse(file), password });
  const { id } = expectOk(connected) as Connection;
  const connection = async () =>
    expectOk(await bySession('GET', `/api/venue-connections/${id}`)) as Connection;
  const ready = await waitUntil(
    connection,
    ({ state, reconciledAt }) => state === 'ready' && reconciledAt !== null,
  );
  expect(ready.checks.filter(({ state }) => state === 'red')).toEqual([]);

  const created = await bySession('POST', '/api/agent-keys', {
    name: 'Live',
    mode: 'live',
    scopes: SCOPES,
    envelope: { maxOrder: 25 },
  });
  const { key } = expectOk(created) as { key: string };
  const live = (method: string, address: string, body?: unknown): Promise<Answer> =>
    world.send(method, address, {
      headers: { authorization: `Bearer ${key}` },
      ...(body !== undefined && { body }),
    });
  const cashIn = async (trpc: string): Promise<number> => {
    const answer = await bySession('GET', `${trpc}/console.account?input=%7B%7D`);
    return (expectOk(answer) as { result: { data: { cash: number } } }).result.data.cash;
  };
  const cash = () => cashIn('/live/trpc');
  expect(await waitUntil(cash, (usd) => usd > 0)).toBe(10_000);

  const blueprint = expectOk(await live('POST', '/api/blueprints', STRATEGY)) as { id: string };
  expectOk(await live('POST', `/api/blueprints/${blueprint.id}/deploy`));
  const orders = async () =>
    expectOk(await live('GET', `/api/orders?blueprintId=${blueprint.id}`)) as Order[];
  const [raised] = await waitUntil(orders, ([order]) => order !== undefined);
  expect(raised).toMatchObject({ status: 'pending' });

  expectOk(await bySession('POST', '/live/trpc/orders.approve', { id: raised?.id }));
  await waitUntil(orders, ([order]) => order?.status === 'filled');
  const positions = async () =>
    expectOk(await live('GET', '/api/portfolio/positions')) as { tokenId: string; amount: number }[];
  const [position] = await waitUntil(positions, (held) => held.length > 0);
  // The venue took its commission out of the coin.
  const exchange = world.market.simulator?.simulatedVenues.get('binance')?.venue.exchange;
  const held = [...(exchange?.accounts.values() ?? [])].map((account) => account.holds('BTC').toNumber());
  expect(held).toContain(position?.amount);
  expect(await cash()).toBeLessThan(10_000);

  // After a gap of its stream the account is reconciled again.
  const again = new Date().toISOString();
  world.market.simulator?.simulatedVenues.get('binance')?.streams.cut();
  await waitUntil(connection, ({ state, reconciledAt }) => state === 'ready' && (reconciledAt ?? '') > again);

  expectOk(await bySession('POST', `/api/venue-connections/${id}/halt`));
  await waitUntil(connection, ({ state }) => state === 'halted');
  expect(await cashIn('/trpc')).toBe(10_000);
});
