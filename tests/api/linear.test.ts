/** Every input of every route, enlarged: processor time may grow with the bytes of a request, and no faster. */

import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BODY_BYTES_MAX, OPEN_BODY_BYTES_MAX } from '../../openapi/body.ts';
import { type RestRoute, restRoutes } from '../../openapi/routes.ts';
import { CallRateLimiter } from '../../server/http-kit/call-rate-limiter.ts';
import { openAuth } from '../../server/identity/auth.ts';
import { openLogger } from '../../server/kernel/logger.ts';
import { type Credentials, credentialHeaders, pathOf, sendRaw, titleOf } from '../support/api.ts';
import { fillingsOf, type GrowingField, growingFields, TEXTS } from '../support/growing-inputs.ts';
import { expectBoundedGrowth } from '../support/growth.ts';
import { openedForFile } from '../support/opened.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';
/** The helper doubles a size, so these are half of what a body or a head may have. */
const KEYED_BYTES = BODY_BYTES_MAX / 2 - 1_000;
const OPEN_BYTES = OPEN_BODY_BYTES_MAX / 2 - 500;
const HEAD_BYTES = 6_000;
/** `GROWTH=full` fills each field with every text; otherwise keyed routes get one of them in turn. */
const isFull = process.env['GROWTH'] === 'full';

const world = openedForFile(openWorld);
let credentials: Credentials;
beforeAll(async () => {
  const { cookie } = await world.signUp();
  credentials = { key: (await world.account()).key, cookie };
});

type Input = { method: string; path: string; headers: Record<string, string>; bytes: number };

/** Fills one field of a body after the other, and checks the cost of each. */
async function expectLinear(input: Input, example: unknown, places: readonly GrowingField[]): Promise<void> {
  const { method, path, headers, bytes } = input;
  for (const [at, place] of places.entries()) {
    const all = fillingsOf(place);
    const [one] = all.slice(at % all.length);
    for (const { filling, fill } of isFull || bytes < KEYED_BYTES ? all : one ? [one] : []) {
      await expectBoundedGrowth(
        `${method} ${path} ${place.path.join('.')}: ${filling}`,
        bytes,
        async (size) => {
          const body = JSON.stringify(fill(example, size));
          const own = Object.entries({ ...headers, 'Content-Type': 'application/json' }).flat();
          const { status } = await sendRaw(world.base, { method, path, headers: own, body });
          expect(status).toBeLessThan(500);
        },
      );
    }
  }
}

const hasQuery = ({ method }: RestRoute): boolean => method === 'GET';
const texts = (turn: number): readonly string[] =>
  isFull ? TEXTS : TEXTS.slice(turn % TEXTS.length).slice(0, 1);

const withBody = restRoutes.filter(({ takesBody }) => takesBody);

describe('four times the bytes cost at most about four times, in each text, list and key', () => {
  test.each(withBody.map((route) => [titleOf(route), route] as const))('of %s', async (_title, route) => {
    const { method, open, example, input } = route;
    const bytes = open ? OPEN_BYTES : KEYED_BYTES;
    const headers = credentialHeaders(route, credentials);
    const schema = input ?? z.strictObject({});
    await expectLinear(
      { method, path: pathOf(route, MISSING), headers, bytes },
      example.request ?? {},
      growingFields(schema),
    );
  });

  test.each(restRoutes.filter(hasQuery).map((route) => [titleOf(route), route] as const))(
    'of the query of %s',
    async (_title, route) => {
      const headers = Object.entries(credentialHeaders(route, credentials)).flat();
      for (const name of [...Object.keys(route.input?.shape ?? {}), 'unknown']) {
        for (const piece of texts(name.length)) {
          await expectBoundedGrowth(`?${name}=${piece}`, HEAD_BYTES, async (size) => {
            const value = encodeURIComponent(piece).repeat(size / encodeURIComponent(piece).length);
            const path = `${pathOf(route, MISSING)}?${name}=${value}`;
            const { status } = await sendRaw(world.base, { method: route.method, path, headers });
            expect(status).toBeLessThan(500);
          });
        }
      }
    },
  );
});

type Endpoint = { path?: string; options?: { method?: string | string[]; body?: unknown; query?: unknown } };

/** The endpoints of the sign-in framework, with their fields. */
function authEndpoints(): {
  method: string;
  path: string;
  body: z.ZodType | null;
  query: z.ZodType | null;
}[] {
  const { auth } = openAuth({
    connection: world.database.connection,
    config: world.config,
    secret: 'a secret of the tests, long enough for signing',
    secondFactorKey: null,
    trustedOrigins: [],
    limits: new CallRateLimiter('off'),
    log: openLogger('silent', 'stdout'),
    trail: { open: async () => {}, record: async () => {} },
  });
  return Object.values(auth.api as Record<string, Endpoint>).flatMap(({ path, options }) => {
    if (path === undefined) return [];
    const [method = 'GET'] = [options?.method ?? 'GET'].flat();
    const { body, query } = options ?? {};
    return [
      {
        method,
        path: `/api/auth${path.replaceAll(/:\w+/g, 'x')}`,
        body: body instanceof z.ZodType ? body : null,
        query: query instanceof z.ZodType ? query : null,
      },
    ];
  });
}

describe('and without credentials', () => {
  test('every endpoint of the sign-in framework is among them', () => {
    expect(authEndpoints().map(({ path }) => path)).toContain('/api/auth/sign-in/social');
  });

  test.each([0, 1, 2, 3])(
    'in each text, list and key that the sign-in framework takes, quarter %i',
    { tags: ['long'] },
    async (quarter) => {
      const headers = { Origin: ORIGIN };
      const endpoints = authEndpoints().filter((_each, at) => at % 4 === quarter);
      for (const { method, path, body } of endpoints)
        if (body) await expectLinear({ method, path, headers, bytes: OPEN_BYTES }, {}, growingFields(body));
    },
  );

  test.each(['/api/auth/sign-in/social', '/api/careers', '/trpc/careers.send', '/mcp'])(
    'in each header of POST %s',
    async (path) => {
      for (const name of [
        'Authorization',
        'Cookie',
        'Origin',
        'Referer',
        'User-Agent',
        'Content-Type',
        'Accept',
        'Host',
      ])
        for (const piece of TEXTS.filter((text) => text !== '\n')) {
          await expectBoundedGrowth(`${name}: ${piece}`, HEAD_BYTES, async (size) => {
            const headers = {
              Origin: ORIGIN,
              'Content-Type': 'application/json',
              [name]: `x${piece.repeat(size / piece.length)}x`,
            };
            const request = {
              method: 'POST',
              path,
              headers: Object.entries(headers).flat(),
              body: '{"provider":"github"}',
            };
            const { status } = await sendRaw(world.base, request);
            expect(status).toBeLessThan(500);
          });
        }
    },
  );

  test('in each parameter of a URL under /api/auth', async () => {
    for (const { method, path } of authEndpoints().filter(
      ({ query, method }) => query !== null && method === 'GET',
    ))
      for (const name of ['token', 'callbackURL', 'state', 'code', 'error']) {
        await expectBoundedGrowth(`${path}?${name}`, HEAD_BYTES, async (size) => {
          const request = {
            method,
            path: `${path}?${name}=${'a'.repeat(size)}`,
            headers: ['Origin', ORIGIN],
          };
          const { status } = await sendRaw(world.base, request);
          expect(status).toBeLessThan(500);
        });
      }
  });
});
