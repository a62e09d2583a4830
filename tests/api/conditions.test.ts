import { beforeAll, describe, expect, test } from 'vitest';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, pendingBuy } from '../support/trading.ts';
import { type Account, type Answer, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let account: Account;

beforeAll(async () => {
  account = await world.account();
});

const etagOf = (answer: Answer): string => {
  expectOk(answer);
  const etag = answer.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/);
  return etag;
};

const match = (etag: string) => ({ 'if-match': etag });
const WRONG = ['"v0"', '"v999"', 'W/"v1"', 'v1', '"', '""', '"nonsense"', '"v1', 'x'.repeat(500)];

describe('ETag', () => {
  test('one blueprint, one order and the risk rules have a strong one; lists have none', async () => {
    const id = await addBlueprint(account);
    const order = await pendingBuy(world, account, { blueprintId: id, amount: '0.001' });
    for (const path of [`/api/blueprints/${id}`, `/api/orders/${order.id}`, '/api/risk-rules']) {
      etagOf(await account.http('GET', path));
    }
    for (const path of ['/api/blueprints', '/api/orders', '/api/portfolio', '/health']) {
      expect((await account.http('GET', path)).headers.get('etag')).toBeNull();
    }
  });

  test('it changes with every change, and stays with every call that changes nothing', async () => {
    const id = await addBlueprint(account);
    const path = `/api/blueprints/${id}`;
    const seen = [etagOf(await account.http('GET', path))];
    for (const [method, at, body] of [
      ['PUT', path, { name: 'a' }],
      ['PUT', path, { visual: { nodes: [] } }],
      ['POST', `${path}/deploy`],
      ['POST', `${path}/stop`],
    ] as const) {
      seen.push(etagOf(await account.http(method, at, body)));
    }
    expect(new Set(seen).size).toBe(5);
    for (const [method, at, body] of [
      ['PUT', path, {}],
      ['POST', `${path}/stop`],
      ['GET', path],
    ] as const) {
      expect(etagOf(await account.http(method, at, body))).toBe(seen.at(-1));
    }
  });
});

describe('If-Match binds a change to what was reviewed', () => {
  test('update: passes with the ETag of the version seen, 412 once it is another', async () => {
    const path = `/api/blueprints/${await addBlueprint(account, 'Reviewed')}`;
    const seen = etagOf(await account.http('GET', path));
    const visual = { z: 1e-7, nodes: [], a: { bb: 1.1, a: 2 }, edges: [] };
    const changed = await account.http('PUT', path, { name: 'Mine', visual }, match(seen));
    const mine = etagOf(changed);
    const { message } = expectRefusal(
      await account.http('PUT', path, { name: 'Late' }, match(seen)),
      412,
      'precondition_failed',
    );
    expect(message).toContain('Read it again');
    expect(expectOk(await account.http('GET', path))).toMatchObject({ name: 'Mine' });
    const read = await account.http('GET', path);
    expect(etagOf(read)).toBe(mine);
    expect(read.body).toEqual(changed.body);
  });

  test('deploy: the reviewed version is deployed, or nothing', async () => {
    const path = `/api/blueprints/${await addBlueprint(account)}`;
    const seen = etagOf(await account.http('GET', path));
    expectOk(await account.http('PUT', path, { visual: { nodes: [], edges: [] } }));
    expectRefusal(
      await account.http('POST', `${path}/deploy`, undefined, match(seen)),
      412,
      'precondition_failed',
    );
    expect(expectOk(await account.http('GET', path))).toMatchObject({ status: 'draft', deploymentId: null });
    const now = etagOf(await account.http('GET', path));
    expect(expectOk(await account.http('POST', `${path}/deploy`, undefined, match(now)))).toMatchObject({
      status: 'running',
    });
  });

  test('risk rules: of two people who read the same version, only one can change it', async () => {
    const other = await world.account();
    const seen = etagOf(await other.http('GET', '/api/risk-rules'));
    const answers = await Promise.all(
      [1, 2, 3, 4].map((maxOpenPositions) =>
        other.http('PUT', '/api/risk-rules', { maxOpenPositions }, match(seen)),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  test('approve: an order that changed since its review is not approved', async () => {
    const blueprintId = await addBlueprint(account);
    const order = await pendingBuy(world, account, { blueprintId, amount: '0.001' });
    const path = `/api/orders/${order.id}`;
    const seen = etagOf(await account.http('GET', path));
    expectRefusal(
      await account.http('POST', `${path}/approve`, undefined, match('"v77"')),
      412,
      'precondition_failed',
    );
    expect(expectOk(await account.http('GET', path))).toMatchObject({ status: 'pending' });
    expectOk(await account.http('POST', `${path}/approve`, undefined, match(seen)));
  });

  test('* matches any version', async () => {
    const path = `/api/blueprints/${await addBlueprint(account)}`;
    etagOf(await account.http('PUT', path, { name: 'a' }, match('*')));
  });

  test('412: an ETag of another form matches nothing, a weak one neither', async () => {
    const path = `/api/blueprints/${await addBlueprint(account, 'Kept')}`;
    for (const etag of WRONG) {
      expectRefusal(await account.http('PUT', path, { name: 'x' }, match(etag)), 412, 'precondition_failed');
    }
    expect(expectOk(await account.http('GET', path))).toMatchObject({ name: 'Kept' });
  });

  test('400 and 403 for scope come before it, 404 too', async () => {
    const path = `/api/blueprints/${await addBlueprint(account)}`;
    expectRefusal(await account.http('PUT', path, { name: '' }, match('"v0"')), 400);
    const reader = await world.account('blueprints:read');
    expectRefusal(await reader.http('PUT', path, { name: 'x' }, match('"v0"')), 403, 'insufficient_scope');
    const stranger = await world.account();
    expectRefusal(await stranger.http('PUT', path, { name: 'x' }, match('"v1"')), 404, 'not_found');
  });
});
