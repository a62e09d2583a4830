import { Agent, request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RestRoute, restRoutes } from '../../openapi/routes.ts';
import {
  type Credentials,
  credentialHeaders,
  exampleBody,
  expectNothingStored,
  expectOk,
  expectRefusal,
  fieldsOf,
  pathOf,
  sendRaw,
  takes,
  titleOf,
  withRawField,
} from '../support/api.ts';
import { dealer } from '../support/deal.ts';
import { openedForFile } from '../support/opened.ts';
import { type Answer, openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';
const changing = restRoutes.filter(({ takesBody }) => takesBody);
const titled = changing.map((route) => [titleOf(route), route] as const);
const bodiless = restRoutes
  .filter(({ takesBody, open }) => !takesBody && !open)
  .map((route) => [titleOf(route), route] as const);

const world = openedForFile(openWorld);
let credentials: Credentials;

beforeAll(async () => {
  const { cookie } = await world.signUp();
  credentials = { key: (await world.account()).key, cookie };
});

type Raw = string | Uint8Array<ArrayBuffer>;

const post = (route: RestRoute, raw: Raw, headers: Record<string, string> = {}): Promise<Answer> =>
  world.send(route.method, pathOf(route, MISSING), {
    headers: { ...credentialHeaders(route, credentials), 'content-type': 'application/json', ...headers },
    raw,
  });

const bytes = (...values: number[]) => Uint8Array.from(values);
const exampleOf = (route: RestRoute) => (exampleBody(route).body ?? {}) as Record<string, unknown>;

/** Refused before the route is known, so that each route is tried with some of them. */
const noObjects = dealer(['[]', '[{}]', '"x"', '5', 'true', 'null']);
const broken = dealer<Raw>([
  '{',
  '}',
  '{"a":1,}',
  "{'a':1}",
  '{a:1}',
  '{}{}',
  '{} x',
  '// c\n{}',
  '{"a":\u0000}',
  '{"a":"\n"}',
  '\ufeff{}',
  ' ',
  '{"a":"\\x41"}',
  bytes(0x7b, 0xff, 0x7d),
  bytes(0xfe, 0xff),
]);
const charsets = ['utf-16', 'utf-7', 'latin1', 'utf-8; x=y', '"utf-16"', 'utf8'];
const types = dealer([
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  ...charsets.map((charset) => `application/json; charset=${charset}`),
  'application/jsonx',
  '',
]);
const encodings = dealer(['gzip', 'deflate', 'br', 'x']);
const unknownFields = dealer([
  'id',
  'status',
  'deploymentId',
  'accountId',
  'account_id',
  'version',
  'createdAt',
  'error',
  'nodeStates',
  'nope',
  'a/b~c',
  '',
  'constructor',
  '__proto__',
]);

describe('bodies that are no JSON object', () => {
  expectNothingStored(world);

  test.each(titled)('400: %s with an array, a text, a number, true or null', async (_title, route) => {
    for (const raw of noObjects()) {
      const refusal = expectRefusal(await post(route, raw), 400, 'validation_failed');
      expect(refusal.message, raw).toBe('Request validation failed: the body must be a JSON object.');
    }
  });

  test.each(titled)('400: %s with broken JSON', async (_title, route) => {
    for (const raw of broken()) {
      const { message } = expectRefusal(await post(route, raw), 400, 'malformed_json');
      expect(message).toMatch(/^The body is not valid JSON: (it|see position \d+)/);
    }
  });

  test.each(titled)('400: %s with another media type, charset or encoding', async (_title, route) => {
    const json = JSON.stringify(exampleOf(route));
    for (const type of types()) {
      const { message } = expectRefusal(
        await post(route, json, { 'content-type': type }),
        400,
        'unsupported_media_type',
      );
      expect(message).toContain('"Content-Type: application/json"');
    }
    for (const encoding of encodings()) {
      const answer = await post(route, gzipSync(json), { 'content-encoding': encoding });
      expectRefusal(answer, 400, 'unsupported_media_type');
    }
  });
});

describe('no body at all', () => {
  const needsNothing = titled.filter(
    ([, route]) => fieldsOf(route).length === 0 && !route.path.includes('{'),
  );

  test.each(needsNothing)(
    '200: %s without a body, a length and a type, or with an empty one',
    async (_title, route) => {
      const own = Object.entries(credentialHeaders(route, credentials)).flat();
      for (const headers of [
        [],
        ['Content-Length', '0'],
        ['Content-Type', 'application/json'],
        ['Content-Type', 'text/plain', 'Content-Length', '0'],
        ['Transfer-Encoding', 'chunked'],
      ]) {
        const request = { method: route.method, path: route.path, headers: [...own, ...headers] };
        expectOk(await sendRaw(world.base, request));
      }
    },
  );

  test('there is one that needs none', () => {
    expect(needsNothing.map(([title]) => title)).toContain('POST /api/blueprints/stop');
  });
});

describe('bodies that are too large', () => {
  expectNothingStored(world);

  test.each(titled)('400: %s with 300 KB, whether its length is stated or not', async (_title, route) => {
    const large = JSON.stringify({ ...exampleOf(route), name: 'x'.repeat(300 * 1024) });
    expectRefusal(await post(route, large), 400, 'payload_too_large');
    const headers = Object.entries(credentialHeaders(route, credentials)).flat();
    const chunked = ['Content-Type', 'application/json', 'Transfer-Encoding', 'chunked'];
    const path = pathOf(route, MISSING);
    const all = { method: route.method, path, headers: [...headers, ...chunked], body: large };
    expectRefusal(await sendRaw(world.base, all), 400, 'payload_too_large');
  });

  test('a connection serves its next request after a body that was too large, of unstated length too', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const sockets = new Set<unknown>();
    const statusOf = (body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
        const sent = httpRequest(`${world.base}/api/careers`, { agent, method: 'POST', headers });
        sent.once('socket', (socket) => sockets.add(socket));
        sent.once('error', reject);
        sent.once('response', (response) =>
          response.resume().once('end', () => resolve(response.statusCode)),
        );
        sent.end(body);
      });
    expect([await statusOf('x'.repeat(300 * 1024)), await statusOf('{}')]).toEqual([400, 400]);
    expect(sockets.size).toBe(1);
  });

  test.each(titled)(
    '400: %s with a depth of 10,000, or as deep as its bytes allow',
    async (_title, route) => {
      const levels = route.open ? 2_000 : 10_000;
      const arrays = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      const objects = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
      for (const raw of [`{"visual":${arrays}}`, `{"visual":${objects}}`, arrays, '['.repeat(levels)]) {
        const { message, issues } = expectRefusal(await post(route, raw), 400, 'validation_failed');
        expect(message).toContain('nested too deeply');
        expect(issues[0]).toMatchObject({ code: 'too_deep' });
      }
    },
  );
});

describe('fields that a request does not accept', () => {
  expectNothingStored(world);

  test.each(titled)('400: %s with an unknown field, named', async (_title, route) => {
    const own = new Set(fieldsOf(route).map(([field]) => field));
    for (const field of unknownFields().filter((field) => !own.has(field))) {
      const raw = withRawField(exampleOf(route), field, '{"polluted":true}');
      const { issues, message } = expectRefusal(await post(route, raw), 400, 'validation_failed');
      const path = `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      expect(issues).toContainEqual(expect.objectContaining({ path, code: 'unrecognized_keys' }));
      expect(message).toContain(path);
    }
  });

  test.each(titled)('400: %s does not return a long unknown field at full length', async (_title, route) => {
    const answer = await post(
      route,
      withRawField(exampleOf(route), 'k'.repeat(route.open ? 10_000 : 100_000), '1'),
    );
    expectRefusal(answer, 400, 'validation_failed');
    expect(answer.text.length).toBeLessThan(2_000);
  });

  test.each(bodiless)('400: %s with a body', async (_title, route) => {
    const headers = Object.entries({
      ...credentialHeaders(route, credentials),
      'Content-Type': 'application/json',
    });
    const path = pathOf(route, MISSING);
    const send = (body: string) =>
      sendRaw(world.base, { method: route.method, path, headers: headers.flat(), body });
    for (const [body, code] of [
      ['{"id":"x"}', 'validation_failed'],
      ['[]', 'validation_failed'],
      ['{', 'malformed_json'],
    ] as const) {
      expectRefusal(await send(body), 400, code);
    }
  });
});

describe('values that a field cannot hold', () => {
  expectNothingStored(world);

  const fields = changing.flatMap((route) =>
    fieldsOf(route).map(
      ([field, schema]) => [`${titleOf(route)} ${field}`, { route, field, schema }] as const,
    ),
  );
  const texts = fields.filter(([, { schema }]) => takes(schema, 'string'));
  const lists = fields.filter(([, { schema }]) => takes(schema, 'array'));
  const drawings = fields.filter(([, { field }]) => field === 'visual');

  async function refused(route: RestRoute, field: string, raw: string): Promise<void> {
    const answer = await post(route, withRawField(exampleOf(route), field, raw));
    const { issues } = expectRefusal(answer, 400, 'validation_failed');
    const paths = issues.map(({ path }) => path);
    expect({ raw: raw.slice(0, 60), paths }).toEqual({
      raw: raw.slice(0, 60),
      paths: expect.arrayContaining([expect.stringMatching(new RegExp(`^/${field}(/|$)`))]),
    });
  }

  test.each(texts)('400: %s with an invalid text', async (_title, { route, field, schema }) => {
    const wrong = ['5', 'true', '[]', '{}', '["x"]', '{"toString":"x"}'];
    const nothing = takes(schema, 'null') ? [] : ['null'];
    const bad = [
      '""',
      '" "',
      '"\\u0000"',
      '"a\\u0000b"',
      '"\\ud800"',
      '"a\\udc00"',
      '"\\u0007"',
      `"${'x'.repeat(6_000)}"`,
    ];
    for (const raw of [...wrong, ...nothing, ...bad]) await refused(route, field, raw);
  });

  test.each(lists)('400: %s with an invalid list', async (_title, { route, field }) => {
    const many = `[${Array(200).fill('"https://example.com"').join(',')}]`;
    for (const raw of [
      'null',
      '""',
      '"x"',
      '5',
      'true',
      '{}',
      '[null]',
      '[5]',
      '[[]]',
      '[""]',
      '["\\u0000"]',
      many,
    ]) {
      await refused(route, field, raw);
    }
  });

  test.each(drawings)(
    '400: %s with a value that could not be stored as it was sent',
    async (_title, { route, field }) => {
      const nul = ['"\\u0000"', '{"\\u0000":1}', '[{"a":"x\\u0000"}]'];
      const surrogates = ['"\\ud800"', '{"\\udfff":1}', '["\\ud83d"]'];
      const numbers = [
        '1e400',
        '-1e400',
        '[9007199254740993]',
        '{"a":-9007199254740993}',
        '123456789012345678901',
        '1e300',
      ];
      const keys = ['{"__proto__":{"polluted":true}}', '{"a":[{"__proto__":1}]}'];
      const deep = `${'['.repeat(65)}${']'.repeat(65)}`;
      const large = `"${'x'.repeat(256 * 1024)}"`;
      for (const raw of [...nul, ...surrogates, ...numbers, ...keys, deep, large])
        await refused(route, field, raw);
    },
  );
});
