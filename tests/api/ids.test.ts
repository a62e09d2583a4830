import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RestRoute, restRoutes } from '../../openapi/routes.ts';
import {
  bearer,
  exampleBody,
  expectNothingStored,
  expectOk,
  expectRefusal,
  pathOf,
  titleOf,
  withoutRequestId,
} from '../support/api.ts';
import { addBacktest } from '../support/backtests.ts';
import { dealer } from '../support/deal.ts';
import { addChannel, addDelivery } from '../support/notifications.ts';
import { openedForFile } from '../support/opened.ts';
import { addSweep } from '../support/sweeps.ts';
import { addBlueprint, addConnection, addImport, hold, pendingBuy, TOKEN } from '../support/trading.ts';
import { type Account, type Answer, ORIGIN, openWorld } from '../support/world.ts';

const withId = restRoutes
  .filter(({ pathParameters }) => pathParameters.includes('id'))
  .map((route) => [titleOf(route), route] as const);

const world = openedForFile(openWorld);
let me: Account;
let session: string;
/** Ids of another account's resources, by the first part of the path. */
let theirs: Record<string, string>;
let stranger: Account;

beforeAll(async () => {
  me = await world.account();
  session = (await world.signUp()).cookie;
  stranger = await world.account();
  const blueprintId = await addBlueprint(stranger, 'Theirs');
  await hold(world, stranger, { blueprintId, amount: '0.001' });
  const order = await pendingBuy(world, stranger, { blueprintId, amount: '0.002' });
  expectOk(await stranger.http('POST', `/api/blueprints/${blueprintId}/deploy`));
  theirs = {
    backtests: await addBacktest(world.pool, stranger.work),
    sweeps: await addSweep(world.pool, stranger.work),
    blueprints: blueprintId,
    orders: order.id,
    'api-keys': stranger.keyId,
    'venue-connections': await addConnection(stranger),
    history: await addImport(stranger),
    'notification-channels': await addChannel(stranger),
    'notification-deliveries': await addDelivery(stranger),
  };
});

/** Calls by key if the route accepts one, else by session. */
function call(route: RestRoute, id: string, more: Record<string, string> = {}): Promise<Answer> {
  const bySession = route.meta.access?.kind === 'session';
  const headers = bySession ? { cookie: session, origin: ORIGIN, ...more } : { ...bearer(me.key), ...more };
  return world.send(route.method, pathOf(route, id), { headers, ...exampleBody(route) });
}

const idOfTheirs = ({ path }: RestRoute): string => theirs[path.split('/')[2] ?? ''] ?? '';

/** Headers that describe the resource: none may differ between foreign and missing. */
function tellingHeaders({ headers }: Answer): Record<string, string> {
  const { date: _date, 'x-request-id': _id, ...rest } = Object.fromEntries(headers);
  return rest;
}

describe('another account’s resources, untouched', () => {
  expectNothingStored(world);

  test.each(withId)(
    '404: %s answers another account’s id exactly as a missing one',
    async (_title, route) => {
      const id = idOfTheirs(route);
      expect(id).not.toBe('');
      const foreign = await call(route, id);
      const missing = await call(route, randomUUID());
      expectRefusal(foreign, 404, 'not_found');
      expect(withoutRequestId(foreign)).toBe(withoutRequestId(missing));
      expect(tellingHeaders(foreign)).toEqual(tellingHeaders(missing));
    },
  );
});

describe('another account’s resources', () => {
  test.each(withId)(
    '404: %s with If-Match or Idempotency-Key still reveals nothing',
    async (_title, route) => {
      const withHeaders = (id: string) =>
        call(route, id, { 'if-match': '"v1"', 'idempotency-key': randomUUID() });
      const foreign = await withHeaders(idOfTheirs(route));
      expectRefusal(foreign, 404, 'not_found');
      expect(withoutRequestId(foreign)).toBe(withoutRequestId(await withHeaders(randomUUID())));
    },
  );

  test("404: the console's queries of runs, sweeps, curves and trades answer another account’s ids as missing ones", async () => {
    const read = (name: string, input: object) =>
      world.send('GET', `/trpc/console.${name}?input=${encodeURIComponent(JSON.stringify(input))}`, {
        headers: bearer(me.key),
      });
    const at = '2026-01-02T00:00:00.000Z';
    for (const [name, kind, more] of [
      ['backtestPicture', 'backtests', {}],
      ['backtestTrades', 'backtests', { from: 0, limit: 1 }],
      ['backtestStep', 'backtests', { at }],
      ['sweepDrawing', 'sweeps', {}],
      ['sweepGrid', 'sweeps', { x: 0, y: 1, metric: 'score' }],
      ['sweepChange', 'sweeps', { number: 0 }],
      ['closedTrades', 'blueprints', {}],
      ['fills', 'blueprints', {}],
      ['firings', 'blueprints', {}],
    ] as const) {
      const foreign = await read(name, { id: theirs[kind], ...more });
      const missing = await read(name, { id: randomUUID(), ...more });
      expect(foreign.status, name).toBe(404);
      expect(withoutRequestId(foreign), name).toBe(withoutRequestId(missing));
    }
    const foreign = await read('curve', { blueprintId: theirs['blueprints'], range: 'all' });
    expect(foreign.status).toBe(404);
    expect(withoutRequestId(foreign)).toBe(
      withoutRequestId(await read('curve', { blueprintId: randomUUID(), range: 'all' })),
    );
  });

  test('404: closing a position another account holds, in any instrument and by its blueprint', async () => {
    const close = (body: object) => me.http('POST', '/api/portfolio/positions/close', body);
    expectRefusal(await close({ tokenId: TOKEN, amount: 0.001 }), 404, 'not_found');
    const narrowed = { tokenId: TOKEN, amount: 0.001, blueprintId: theirs['blueprints'] };
    expectRefusal(await close(narrowed), 404, 'not_found');
    expectRefusal(await close({ tokenId: 'NO-SUCH:yes', amount: 1 }), 404, 'not_found');
  });

  test('filters with another account’s ids find nothing', async () => {
    expect(expectOk(await me.http('GET', `/api/orders?blueprintId=${theirs['blueprints']}`))).toEqual([]);
    expect(expectOk(await me.http('GET', '/api/orders'))).toEqual([]);
    expect(expectOk(await me.http('GET', '/api/portfolio/positions'))).toEqual([]);
    expect(expectOk(await me.http('GET', '/api/portfolio'))).toEqual({
      runningBlueprints: 0,
      openPositions: 0,
      pendingOrders: 0,
      totalPnl: 0,
    });
  });
});

/** All ids have one form, which each route is tried with in part. */
const notUuids = dealer([
  'abc',
  '1',
  'null',
  '019a9f3e2c417d0e9a535b1d2f7c8e01',
  '{019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01}',
  'urn:uuid:019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01',
  '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e0',
  '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01%20',
  '%3019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01',
  '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8eg1',
  '%00',
  '..%2fhealth',
  '%',
  "';drop%20table%20blueprint",
]);

describe('the form of an id', () => {
  test.each(withId)('400: %s with an id that is not a UUID', async (_title, route) => {
    for (const id of notUuids()) {
      const { issues } = expectRefusal(await call(route, id), 400, 'validation_failed');
      expect(issues).toContainEqual(expect.objectContaining({ path: '/id', message: 'is not a UUID' }));
    }
  });

  test.each(withId)('404: %s with a UUID of any version, none of ours', async (_title, route) => {
    for (const id of ['00000000-0000-0000-0000-000000000000', '11111111-1111-1111-1111-111111111111']) {
      expectRefusal(await call(route, id), 404, 'not_found');
    }
  });

  test('an id in upper case is the same resource and is returned in lower case', async () => {
    const id = await addBlueprint(me, 'Mine');
    const path = `/api/blueprints/${id.toUpperCase()}`;
    for (const [method, suffix, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'Mine still' }],
      ['POST', '/deploy'],
      ['POST', '/stop'],
    ] as const) {
      expect(expectOk(await me.http(method, path + suffix, body))).toMatchObject({ id });
    }
    const order = await pendingBuy(world, me, { blueprintId: id, amount: '0.001' });
    const orderPath = `/api/orders/${order.id.toUpperCase()}`;
    expect(expectOk(await me.http('GET', orderPath))).toMatchObject({ id: order.id });
    expect(expectOk(await me.http('POST', `${orderPath}/approve`))).toEqual({ ok: true, id: order.id });
    const filtered = await me.http('GET', `/api/orders?blueprintId=${id.toUpperCase()}`);
    expect(expectOk(filtered)).toHaveLength(1);
  });
});
