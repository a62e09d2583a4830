import { beforeAll, expect, test } from 'vitest';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, openWorld } from '../support/world.ts';

const PATH = '/api/risk-rules/optional';

const world = openedForFile(openWorld);
let account: Account;

beforeAll(async () => {
  account = await world.account();
});

test('the documented object keeps exactly its six fields, on or off, in answers and in requests', async () => {
  const six = expectOk(await account.http('GET', '/api/risk-rules'));
  expectOk(await account.http('PUT', PATH, { maxPositionSize: 80 }));
  expect(expectOk(await account.http('GET', '/api/risk-rules'))).toEqual(six);
  expect(expectOk(await account.http('PUT', '/api/risk-rules', {}))).toEqual(six);
  expectRefusal(
    await account.http('PUT', '/api/risk-rules', { maxPositionSize: 1 }),
    400,
    'validation_failed',
  );
  expectRefusal(await account.http('PUT', PATH, { maxOrderSize: 1 }), 400, 'validation_failed');
});

test.each([-1, '5', 0.0000000000001, true])('a limit of %j is refused', async (limit) => {
  expectRefusal(await account.http('PUT', PATH, { maxPositionSize: limit }), 400, 'validation_failed');
});

test('`If-Match` binds a change to what was reviewed: a change of the six is one as well', async () => {
  const etag = (await account.http('GET', PATH)).headers.get('etag') ?? '';
  expectOk(await account.http('PUT', '/api/risk-rules', { maxOrderSize: 77 }));
  const stale = await account.http('PUT', PATH, { maxPositionSize: 1 }, { 'if-match': etag });
  expectRefusal(stale, 412, 'precondition_failed');
  const fresh = (await account.http('GET', PATH)).headers.get('etag') ?? '';
  expectOk(await account.http('PUT', PATH, { maxPositionSize: null }, { 'if-match': fresh }));
  expect(expectOk(await account.http('GET', PATH))).toMatchObject({ maxPositionSize: null });
});
