/** Whatever is sent, the response is one of the contract's, in one of its shapes. A failure prints the seed to replay it. */

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RestRoute, restRoutes } from '../../openapi/routes.ts';
import {
  type Credentials,
  credentialHeaders,
  expectRefusal,
  fieldsOf,
  pathOf,
  titleOf,
} from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint } from '../support/trading.ts';
import { openWorld } from '../support/world.ts';

const RUNS = 12;

const world = openedForFile(openWorld);
let credentials: Credentials;
let blueprintId: string;

beforeAll(async () => {
  const account = await world.account();
  credentials = { key: account.key, cookie: (await world.signUp()).cookie };
  blueprintId = await addBlueprint(account);
});

/** Values that have broken services before, among any others. */
const nasty = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    0,
    -1,
    1e15,
    1e16,
    0.1,
    1e-12,
    [],
    {},
    true,
    'null',
    'NaN',
    '\u0000',
    '\ud800',
    'x'.repeat(300),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.uuid(),
  fc
    .date({ noInvalidDate: false })
    .map((date) => (Number.isNaN(date.getTime()) ? 'never' : date.toISOString())),
);

const bodyOf = (route: RestRoute) => {
  const example = (route.meta.example?.request ?? {}) as Record<string, unknown>;
  const fields = fieldsOf(route).map(([name]) => name);
  const changed = fc.dictionary(fc.constantFrom(...fields, 'nope'), nasty, { maxKeys: 4 });
  return fc.oneof(
    changed.map((change) => ({ ...example, ...change })),
    fc.jsonValue({ maxDepth: 4 }),
  );
};

const queryOf = (route: RestRoute) => {
  const names = fieldsOf(route).map(([name]) => name);
  const pair = fc.tuple(
    fc.constantFrom(...names, 'nope'),
    fc.oneof(fc.string({ maxLength: 20 }), fc.integer().map(String)),
  );
  return fc.oneof(
    fc.array(pair, { maxLength: 3 }).map((pairs) => new URLSearchParams(pairs).toString()),
    fc.webQueryParameters(),
  );
};

const LEGAL = new Set([200, 400, 401, 403, 404, 503]);

async function expectLegal(route: RestRoute, query: string, body?: unknown): Promise<void> {
  const answer = await world.send(
    route.method,
    `${pathOf(route, blueprintId)}${query === '' ? '' : `?${query}`}`,
    {
      headers: credentialHeaders(route, credentials),
      ...(body !== undefined && { body }),
    },
  );
  expect(LEGAL, `${answer.status} ${answer.text}`).toContain(answer.status);
  if (answer.status !== 200) expectRefusal(answer, answer.status);
}

const options = { numRuns: RUNS, endOnFailure: true };
const routes = restRoutes.map((route) => [titleOf(route), route] as const);

describe('any body', () => {
  test.each(routes.filter(([, { takesBody }]) => takesBody))('%s', (_title, route) =>
    fc.assert(
      fc.asyncProperty(bodyOf(route), (body) => expectLegal(route, '', body)),
      options,
    ),
  );
});

describe('any query', () => {
  test.each(routes.filter(([, { takesBody }]) => !takesBody))('%s', (_title, route) =>
    fc.assert(
      fc.asyncProperty(queryOf(route), (query) => expectLegal(route, query)),
      options,
    ),
  );
});

describe('any bytes', () => {
  const [create] = restRoutes.filter(({ name }) => name === 'blueprints.create');

  test('as a body', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        if (!create) throw new Error('no such route');
        const headers = { ...credentialHeaders(create, credentials), 'content-type': 'application/json' };
        const answer = await world.send('POST', create.path, { headers, raw: Uint8Array.from(bytes) });
        expectRefusal(answer, 400);
      }),
      options,
    ));

  test('as a path', () =>
    fc.assert(
      fc.asyncProperty(fc.webPath(), async (path) => {
        const { status } = await world.send('GET', `/api${path}`);
        expect([200, 302, 400, 401, 404]).toContain(status);
      }),
      options,
    ));
});
