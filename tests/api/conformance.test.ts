/** Every operation, asked as its own example asks, answers as it is described. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../engine/keys/create.ts';
import { restRoutes } from '../../openapi/routes.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import {
  type Described,
  type Document,
  jsonOf,
  operationsOf,
  readerOf,
  responseOf,
} from '../support/document.ts';
import { addBlueprint, hold, openMarket, pendingBuy } from '../support/trading.ts';
import { type Account, type Answer, ORIGIN, openWorld, type World } from '../support/world.ts';

const document = JSON.parse(
  readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'),
) as Document;
const operations = operationsOf(document).map((described) => [described.title, described] as const);

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Member = { account: Account; cookie: string; ids: Record<string, string> };

const GONE = 'KXELONMARS-99:yes';
const delisted = (since: Date | null) =>
  world.db.updateTable('instrument').set({ delisted_at: since }).where('token_id', '=', GONE).execute();

/**
 * Somebody signed in, with one of everything: a stopped blueprint with a release, a position, one of an instrument that is
 * listed no more, an intent, a key.
 */
async function openMember(): Promise<Member> {
  const { cookie } = await world.signUp();
  const session = { cookie, origin: ORIGIN };
  const made = await world.send('POST', '/api/api-keys', {
    headers: session,
    body: { name: 'Own', scopes: SCOPE_NAMES },
  });
  const { id: keyId, key } = expectOk(made) as { id: string; key: string };
  const row = await world.db
    .selectFrom('api_key')
    .select('account_id')
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow();
  const stranger = await world.account();
  const account: Account = {
    ...stranger,
    accountId: row.account_id,
    key,
    keyId,
    work: { ...stranger.work, accountId: row.account_id },
    http: (method, path, body, headers = {}) =>
      world.send(method, path, {
        headers: { authorization: `Bearer ${key}`, ...headers },
        ...(body !== undefined && { body }),
      }),
  };
  const blueprints = await addBlueprint(account, 'Released', { nodes: [], edges: [] });
  for (const action of ['deploy', 'stop'])
    expectOk(await account.http('POST', `/api/blueprints/${blueprints}/${action}`));
  const trading = await addBlueprint(account, 'Trading');
  await hold(world, account, { blueprintId: trading, amount: '0.001' });
  await delisted(null);
  await hold(world, account, { blueprintId: trading, amount: '10', tokenId: GONE });
  await delisted(new Date());
  const { id: orders } = await pendingBuy(world, account, { blueprintId: trading, amount: '0.001' });
  await openMarket(world);
  return { account, cookie, ids: { blueprints, orders, 'api-keys': await spareKey(account) } };
}

async function spareKey({ work }: Account): Promise<string> {
  const { id } = await createKey(work, { name: 'Spare', scopes: ['risk:read'], createdBy: null });
  return id;
}

/** The request its examples describe, with ids of the member's own. */
function ask({ method, path, operation }: Described, { cookie, ids }: Member): Promise<Answer> {
  const own = ids[path.split('/')[2] ?? ''] ?? '';
  const parameters = operation.parameters ?? [];
  const query = new URLSearchParams(
    parameters
      .filter(({ in: place, example }) => place === 'query' && example !== undefined)
      .map(({ name, example }) => [name, String(example)]),
  );
  const filled = parameters
    .filter(({ in: place }) => place === 'path')
    .reduce(
      (url, { name, example }) => url.replace(`{${name}}`, name === 'id' ? own : String(example)),
      path,
    );
  const body = operation.requestBody && jsonOf(operation.requestBody)?.example;
  return world.send(method, `${filled}${query.size > 0 ? `?${query}` : ''}`, {
    headers: operation.security.length > 0 ? { cookie, origin: ORIGIN } : {},
    ...(body !== undefined && { body }),
  });
}

describe('every operation does what it says', () => {
  test.each(operations)('200: %s, as its example asks, in the described shape', async (_title, described) => {
    const answer = await ask(described, await openMember());
    const body = expectOk(answer);
    const response = responseOf(document, described.operation, 200);
    const schema = response && jsonOf(response)?.schema;
    expect(readerOf(document, schema ?? {}).safeParse(body).error).toBeUndefined();
    for (const header of Object.keys(response?.headers ?? {})) {
      const onlySometimes = /^(Link|RateLimit|RateLimit-Policy)$/.test(header);
      if (!onlySometimes)
        expect({ header, there: answer.headers.has(header) }).toEqual({ header, there: true });
    }
  });

  test('there is an example to ask for each of them', () => {
    expect(operations.length).toBeGreaterThanOrEqual(restRoutes.length);
  });

  test('a refusal is of the described shape too', async () => {
    const { account } = await openMember();
    const reader = readerOf(document, { $ref: '#/components/schemas/Error' });
    for (const [status, method, path, body] of [
      [400, 'POST', '/api/blueprints', {}],
      [403, 'POST', '/api/api-keys', {}],
      [404, 'GET', '/api/nope'],
    ] as const) {
      const answer = await account.http(method, path, body);
      expectRefusal(answer, status);
      expect(reader.safeParse(answer.body).error).toBeUndefined();
    }
  });
});
