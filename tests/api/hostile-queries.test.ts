import { beforeAll, describe, expect, test } from 'vitest';
import type { RestRoute } from '../../openapi/routes.ts';
import { restRoutes } from '../../openapi/routes.ts';
import {
  type Credentials,
  credentialHeaders,
  exampleBody,
  expectOk,
  expectRefusal,
  fieldsOf,
  pathOf,
  takes,
  titleOf,
} from '../support/api.ts';
import { addBacktest } from '../support/backtests.ts';
import { dealer } from '../support/deal.ts';
import { openedForFile } from '../support/opened.ts';
import { addSweep } from '../support/sweeps.ts';
import { openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';
const guarded = restRoutes.map((route) => [titleOf(route), route] as const);
const reading = restRoutes.filter(({ takesBody }) => !takesBody);

const parameters = reading.flatMap((route) =>
  fieldsOf(route).map(([name, schema]) => ({ route, name, schema, title: `${titleOf(route)} ${name}` })),
);
const integers = parameters
  .filter(({ schema }) => takes(schema, 'integer'))
  .map((parameter) => [parameter.title, parameter] as const);
const texts = parameters
  .filter(({ schema }) => !takes(schema, 'integer'))
  .map((parameter) => [parameter.title, parameter] as const);

const world = openedForFile(openWorld);
let credentials: Credentials;

let backtestId: string;
let sweepId: string;

beforeAll(async () => {
  const { cookie } = await world.signUp();
  const account = await world.account();
  credentials = { key: account.key, cookie };
  backtestId = await addBacktest(world.pool, account.work);
  sweepId = await addSweep(world.pool, account.work);
});

/** Returns an id that exists for routes with pages, and a missing one for all others. */
function idFor({ path }: RestRoute): string {
  if (path.startsWith('/api/backtests/')) return backtestId;
  return path.startsWith('/api/sweeps/') ? sweepId : MISSING;
}

const ask = (route: RestRoute, query: string) =>
  world.send(route.method, `${pathOf(route, idFor(route))}?${query}`, {
    headers: credentialHeaders(route, credentials),
    ...exampleBody(route),
  });

describe('query parameters are read by an exact grammar', () => {
  const NOT_PLAIN = [
    '0',
    '-1',
    '05',
    '+5',
    '%2B5',
    ' 5',
    '%205',
    '5%20',
    '5.0',
    '5.5',
    '1e1',
    '0x5',
    '5n',
    '٥',
    'five',
  ];
  const OTHER = ['true', 'null', 'NaN', 'Infinity', '[5]', '1,2', '999999999999', '%00', '5%00'];

  const unknown = dealer(['nope', 'Limit', '__proto__', 'constructor', 'toString', 'id', 'n', 'api_key']);

  test.each(integers)(
    '400: %s that is no plain number within its bounds',
    async (_title, { route, name }) => {
      for (const value of [...NOT_PLAIN, ...OTHER]) {
        const { issues, message } = expectRefusal(
          await ask(route, `${name}=${value}`),
          400,
          'validation_failed',
        );
        expect(issues, value).toContainEqual(expect.objectContaining({ path: `/${name}` }));
        expect(message, value).toContain(`/${name}`);
        expect(message, value).not.toMatch(/received string|NaN/);
      }
    },
  );

  test.each(integers)(
    '400: %s above its maximum, while 1 and its maximum are accepted',
    async (_title, parameter) => {
      const { route, name, schema } = parameter;
      const { minimum, maximum } = schema as { minimum: number; maximum: number };
      const { symbol } = route.meta.example?.query ?? {};
      const rest = symbol === undefined ? {} : { symbol: String(symbol) };
      const query = (value: number) => new URLSearchParams({ ...rest, [name]: String(value) }).toString();
      for (const legal of [minimum, maximum]) expectOk(await ask(route, query(legal)));
      for (const beyond of [minimum - 1, maximum + 1]) {
        expectRefusal(await ask(route, query(beyond)), 400, 'validation_failed');
      }
    },
  );

  test.each(texts)(
    '400: %s empty, twice, or with characters that no text may have',
    async (_title, { route, name }) => {
      for (const value of [
        '',
        '&',
        `a&${name}=a`,
        '%00',
        '%07',
        '%ff',
        '%ed%a0%80',
        '%',
        '%zz',
        'x'.repeat(5_000),
      ]) {
        const refusal = expectRefusal(await ask(route, `${name}=${value}`), 400);
        expect({ value, code: refusal.code }).toEqual({
          value,
          code:
            name === 'cursor' && refusal.code === 'cursor_invalid' ? 'cursor_invalid' : 'validation_failed',
        });
      }
    },
  );

  test.each(guarded)('400: %s with a parameter it does not have, named', async (_title, route) => {
    for (const name of unknown()) {
      const { issues } = expectRefusal(await ask(route, `${name}=1`), 400, 'validation_failed');
      expect(issues, name).toContainEqual({
        path: `/${name}`,
        code: 'unrecognized_keys',
        message: expect.stringMatching(/unknown|not a query parameter/),
      });
    }
  });

  test('400: bad percent-encoding, in a name or a value', async () => {
    const [route] = reading.filter(({ path }) => path === '/api/orders');
    if (!route) throw new Error('no such route');
    for (const query of ['%zz=1', '%=1', 'limit=%', 'limit=%f', 'status=%c3%28', '=5', '=']) {
      expectRefusal(await ask(route, query), 400, 'validation_failed');
    }
  });

  test('an empty query, a stray ampersand and an encoded plain value are fine', async () => {
    const [route] = reading.filter(({ path }) => path === '/api/orders');
    if (!route) throw new Error('no such route');
    for (const query of ['', '&', 'limit=5&', '&limit=5', 'limit=%35', 'since=2026-01-01T00:00:00%2B01:00']) {
      expectOk(await ask(route, query));
    }
  });
});

describe('instants in a query', () => {
  const since = (value: string) => {
    const [route] = reading.filter(({ path }) => path === '/api/orders');
    if (!route) throw new Error('no such route');
    return ask(route, `since=${encodeURIComponent(value)}`);
  };

  test.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-02-28T12:00:00.123456789Z'])(
    '%s is a moment',
    async (value) => {
      expectOk(await since(value));
    },
  );

  test.each([
    '0000-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '20260101T000000Z',
    '2026-01-01T00:00:00+1:00',
    '2026-01-01 00:00:00Z',
    '1795165500000',
    'yesterday',
    '+010000-01-01T00:00:00Z',
  ])('400: %s is none', async (value) => {
    const { issues } = expectRefusal(await since(value), 400, 'validation_failed');
    expect(issues).toContainEqual(expect.objectContaining({ path: '/since' }));
  });
});
