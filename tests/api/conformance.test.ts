/** Every operation, called with its own example, responds as described. */

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemWork } from '../../engine/platform/context.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import { createSignal } from '../../engine/usecases/signals/signals.ts';
import { restRoutes } from '../../openapi/routes.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import { expectFile, expectOk, expectRefusal, titleOf } from '../support/api.ts';
import { addBacktest, queueBacktest } from '../support/backtests.ts';
import {
  type DescribedOperation,
  jsonOf,
  mediaOf,
  operationsOf,
  readerOf,
  responseOf,
} from '../support/document.ts';
import { addChannel, addDelivery } from '../support/notifications.ts';
import { openedForFile } from '../support/opened.ts';
import { addSweep, queueSweep } from '../support/sweeps.ts';
import { addBlueprint, addConnection, addImport, hold, openMarket, pendingBuy } from '../support/trading.ts';
import { description as document, undescribedParts } from '../support/undescribed-parts.ts';
import { type Account, type Answer, ORIGIN, openWorld } from '../support/world.ts';

const operations = operationsOf(document).map((described) => [described.title, described] as const);

const world = openedForFile(openWorld);

/** Sends all reads, which change nothing. */
let reader: Member;

beforeAll(async () => {
  reader = await openMember();
  for (const resource of Object.keys(THINGS)) await reader.idOf(resource);
});

/** `idOf` returns the id of a thing of the member's own, which is created at the first call. */
type Member = { account: Account; cookie: string; idOf: (resource: string) => Promise<string> };

const GONE = 'KXELONMARS-99:yes';
const delisted = (since: Date | null) =>
  world.db.updateTable('instrument').set({ delisted_at: since }).where('token_id', '=', GONE).execute();

/** One thing of each kind: a stopped blueprint with a release, an intent, a key, a connection. */
const THINGS: Readonly<Record<string, (account: Account) => Promise<string>>> = {
  backtests: (account) => addBacktest(world.pool, account.work),
  'backtests/{id}/cancel': (account) => queueBacktest(account.work),
  sweeps: async (account) => addSweep(world.pool, account.work, await addBlueprint(account, 'Swept')),
  'sweeps/{id}/cancel': (account) => queueSweep(account.work),
  blueprints: addReleased,
  orders: async (account) =>
    (await pendingBuy(world, account, { blueprintId: await trade(account), amount: '0.001' })).id,
  portfolio: trade,
  'api-keys': spareKey,
  'venue-connections': addConnection,
  history: addImport,
  'notification-channels': proven(addChannel),
  signals: async ({ work }) => (await createSignal(work, 'tradingview-btc')).row.name,
  'notification-deliveries': proven(addDelivery),
};

/** Replays need a proven webhook. */
function proven(add: (account: Account) => Promise<string>) {
  return async (account: Account): Promise<string> => {
    const id = await add(account);
    await world.db
      .updateTable('notification_channel')
      .set({ is_proven: true })
      .where('account_id', '=', account.accountId)
      .execute();
    return id;
  };
}

async function addReleased(account: Account): Promise<string> {
  const id = await addBlueprint(account, 'Released', { nodes: [], edges: [] });
  for (const action of ['deploy', 'stop'])
    expectOk(await account.http('POST', `/api/blueprints/${id}/${action}`));
  return id;
}

/** Holds a position, and one of a delisted instrument. */
async function trade(account: Account): Promise<string> {
  const blueprintId = await addBlueprint(account, 'Trading');
  await hold(world, account, { blueprintId, amount: '0.001' });
  await delisted(null);
  await hold(world, account, { blueprintId, amount: '10', tokenId: GONE });
  await delisted(new Date());
  await openMarket(world);
  return blueprintId;
}

/** A user with a session and a key. */
async function openMember(): Promise<Member> {
  const { cookie } = await world.signUp();
  const session = { cookie, origin: ORIGIN };
  const created = await world.send('POST', '/api/api-keys', {
    headers: session,
    body: { name: 'Own', scopes: SCOPE_NAMES },
  });
  const { id: keyId, key } = expectOk(created) as { id: string; key: string };
  const row = await world.db
    .selectFrom('api_key')
    .select('account_id')
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow();
  const account: Account = {
    accountId: row.account_id,
    key,
    keyId,
    work: systemWork(world.pool, { accountId: row.account_id, mode: 'paper' }),
    http: (method, path, body, headers = {}) =>
      world.send(method, path, {
        headers: { authorization: `Bearer ${key}`, ...headers },
        ...(body !== undefined && { body }),
      }),
  };
  const made = new Map<string, Promise<string>>();
  const idOf = (resource: string): Promise<string> => {
    const thing = made.get(resource) ?? THINGS[resource]?.(account) ?? Promise.resolve('');
    made.set(resource, thing);
    return thing;
  };
  return { account, cookie, idOf };
}

async function spareKey({ work }: Account): Promise<string> {
  const { id } = await createKey(work, { name: 'Spare', scopes: ['risk:read'], createdBy: null });
  return id;
}

/** The parts of a request that differ from its example. */
type Otherwise = { id?: string; search?: string; body?: unknown; headers?: Record<string, string> };

/** Sends the request of an operation's examples, with ids of the member's own. */
async function ask(
  { method, path, operation }: DescribedOperation,
  { cookie, idOf }: Pick<Member, 'cookie' | 'idOf'>,
  otherwise: Otherwise = {},
): Promise<Answer> {
  const [resource = ''] = [path.replace('/api/', ''), path.split('/')[2] ?? ''].filter(
    (name) => name in THINGS,
  );
  const own = otherwise.id ?? (await idOf(resource));
  const parameters = operation.parameters ?? [];
  const query = new URLSearchParams(otherwise.search);
  for (const { name, in: place, example } of parameters) {
    if (place !== 'query' || example === undefined) continue;
    query.set(name, name === 'ids' ? `${own},${own}` : String(example));
  }
  const filled = parameters
    .filter(({ in: place }) => place === 'path')
    .reduce(
      (url, { name, example }) =>
        url.replace(`{${name}}`, name === 'id' || name === 'name' ? own : String(example)),
      path,
    );
  const body = otherwise.body ?? (operation.requestBody && jsonOf(operation.requestBody)?.example);
  const session: Record<string, string> = operation.security.length > 0 ? { cookie, origin: ORIGIN } : {};
  return world.send(method, `${filled}${query.size > 0 ? `?${query}` : ''}`, {
    headers: { ...session, ...otherwise.headers },
    ...(body !== undefined && { body }),
  });
}

/** The headers that a route promises, by the description's title. */
const promised = new Map(restRoutes.map((route) => [titleOf(route), route.promises]));

describe('every operation behaves as described', () => {
  test.each(operations)('200: %s, with its example, in the described shape', async (_title, described) => {
    const answer = await ask(described, described.method === 'GET' ? reader : await openMember());
    const response = responseOf(document, described.operation, 200);
    const { type, media } = mediaOf(response ?? {}) ?? { type: 'application/json', media: { schema: {} } };
    const body = type === 'application/json' ? expectOk(answer) : expectFile(answer, type);
    expect(readerOf(document, media.schema).safeParse(body).error).toBeUndefined();
    for (const header of Object.keys(response?.headers ?? {})) {
      const onlySometimes = /^(Link|RateLimit|RateLimit-Policy|Idempotent-Replayed)$/.test(header);
      if (!onlySometimes)
        expect({ header, there: answer.headers.has(header) }).toEqual({ header, there: true });
    }
  });

  test.each(operations.filter(([title]) => promised.get(title)?.idempotent))(
    '%s, repeated with its key, returns the first answer, marked as a replay; without an effect it runs again',
    async (title, described) => {
      const member = await openMember();
      const headers = { 'idempotency-key': randomUUID() };
      const first = await ask(described, member, { headers });
      expectOk(first);
      expect(first.headers.has('idempotent-replayed')).toBe(false);
      const again = await ask(described, member, { headers });
      const isKept = promised.get(title)?.idempotent === 'kept';
      expect(again.headers.get('idempotent-replayed')).toBe(isKept ? 'true' : null);
      if (again.status === 422) expectRefusal(again, 422, 'idempotency_replay_unavailable');
      else expect(expectOk(again)).toEqual(isKept ? first.body : expect.anything());
    },
  );

  test('there is an example for each of them', () => {
    expect(operations.length).toBeGreaterThanOrEqual(restRoutes.length);
  });

  test('a refusal is of the described shape too', async () => {
    const errors = readerOf(document, { $ref: '#/components/schemas/Error' });
    for (const [status, method, path, body] of [
      [400, 'POST', '/api/blueprints', {}],
      [403, 'POST', '/api/api-keys', {}],
      [404, 'GET', '/api/nope'],
    ] as const) {
      const answer = await reader.account.http(method, path, body);
      expectRefusal(answer, status);
      expect(errors.safeParse(answer.body).error).toBeUndefined();
    }
  });
});

/** `world.send` fails on an undescribed response, so a call is most of the check. */
describe('every operation refuses as described', () => {
  let member: Member;
  beforeAll(async () => {
    member = await openMember();
    expectOk(await member.account.http('POST', '/api/blueprints/stop', {}, { 'idempotency-key': 'spent' }));
  });

  const statusesOf = ({ operation }: DescribedOperation) => Object.keys(operation.responses).map(Number);

  const otherwise: Record<number, Otherwise> = {
    400: { search: 'nope=1' },
    401: { headers: { cookie: '' } },
    404: { id: randomUUID() },
    412: { headers: { 'if-match': '"v999"' } },
    422: { headers: { 'idempotency-key': 'spent' } },
  };

  test.each(operations)('%s: every status that a request can provoke', async (title, described) => {
    for (const status of statusesOf(described)) {
      const request = otherwise[status];
      const isById = described.path.includes('{');
      if (request === undefined || (status === 404 && !isById)) continue;
      // If no answer is stored, the key is ignored, and a second stop is the same request.
      if (status === 422 && (promised.get(title)?.idempotent !== 'kept' || title.endsWith('blueprints/stop')))
        continue;
      expectRefusal(await ask(described, member, request), status);
    }
  });

  test.each(operations.filter(([, described]) => statusesOf(described).includes(403)))(
    '403: %s, with a key that lacks its scope',
    async (_title, described) => {
      const scopes = SCOPE_NAMES.filter(
        (scope) => ![described.operation.security[0]?.['Authorization']].flat().includes(scope),
      );
      const { key } = await world.account(...scopes);
      const headers = { cookie: '', authorization: `Bearer ${key}` };
      expectRefusal(await ask(described, member, { headers }), 403);
    },
  );
});

describe('an undescribed response', () => {
  const served = { method: 'GET', path: '/api/risk-rules', status: 200 };
  const headers = { 'x-request-id': 'x', ratelimit: 'x', etag: '"v1"', 'content-type': 'application/json' };

  test('has an undescribed header or status, and fails the test that received it', () => {
    const of = (more: object, over = {}) =>
      undescribedParts({ ...served, ...over, headers: new Headers({ ...headers, ...more }) });
    expect(of({})).toEqual([]);
    expect(of({ link: 'x' })).toEqual(['GET /api/risk-rules answers 200 with link, which is not described']);
    expect(of({}, { status: 404 })).toEqual(['GET /api/risk-rules answers 404, which is not described']);
    expect(of({ link: 'x' }, { path: '/docs' })).toEqual([]);
  });
});
