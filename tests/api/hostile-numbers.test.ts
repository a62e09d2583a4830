import { beforeAll, describe, expect, test } from 'vitest';
import { restRoutes } from '../../openapi/routes.ts';
import {
  bearer,
  type Credentials,
  credentialHeaders,
  expectNothingStored,
  expectOk,
  expectRefusal,
  fieldsOf,
  type Issue,
  type JsonSchema,
  pathOf,
  takes,
  titleOf,
  withRawField,
} from '../support/api.ts';
import { dealer } from '../support/deal.ts';
import { openedForFile } from '../support/opened.ts';
import { ORIGIN, openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';

/** Every number that any body may contain. */
const numbers = restRoutes
  .filter(({ takesBody }) => takesBody)
  .flatMap((route) =>
    fieldsOf(route)
      .filter(([, schema]) => takes(schema, 'number') || takes(schema, 'integer'))
      .map(([field, schema]) => [`${titleOf(route)} ${field}`, { route, field, schema }] as const),
  );

/** Not a number, or one that would be parsed as another. */
const REFUSED = [
  'null',
  '""',
  'true',
  'false',
  '[]',
  '[5]',
  '{}',
  '"5"',
  '-1',
  '-0.000000000001',
  '1e400',
  '-1e400',
  '1e-400',
  '1e-13',
  '0.0000000000001',
  '1e30',
  '12345678901234567890',
  '100000000000000000000',
  '9007199254740993',
  '0.1234567890123456',
  '1.0000000000000001',
];

/** One of each kind: both transports read fields by the same schema. */
const telling = dealer(['null', '"5"', '-1', '1e400', '1e-13', '12345678901234567890']);

/** A signal takes any number, however small, and its bounds do: it is no amount of money. */
const OF_A_SIGNAL = ['-1', '-0.000000000001', '1e-13', '0.0000000000001'];
const takesNegatives = (schema: JsonSchema): boolean => /"minimum":-/.test(JSON.stringify(schema));

/** Without what a field takes beside amounts: null is no limit. */
const wrongFor = (schema: JsonSchema, raws: readonly string[]) => {
  const taken = [
    ...(takes(schema, 'null') ? ['null'] : []),
    ...(takes(schema, 'boolean') ? ['true', 'false'] : []),
    ...(takesNegatives(schema) ? OF_A_SIGNAL : []),
  ];
  return raws.filter((raw) => !taken.includes(raw));
};

/** Texts that are not JSON, refused before the field is known. */
const malformed = dealer([
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  '0x10',
  '05',
  '+1',
  '.5',
  '5.',
  '1_000',
  "'5'",
  '',
]);

const world = openedForFile(openWorld);
let credentials: Credentials;

beforeAll(async () => {
  const { cookie } = await world.signUp();
  credentials = { key: (await world.account()).key, cookie };
});

const JSON_TYPE = { 'content-type': 'application/json' };

type TrpcBody = { error?: { data: { error: { code: string; issues?: Issue[] } } } };

describe('numbers are accepted exactly or refused', () => {
  expectNothingStored(world);

  test('there are numbers to test', () => {
    expect(numbers.length).toBeGreaterThanOrEqual(7);
  });

  test.each(numbers)(
    '400: %s given as anything but a plain exact number',
    async (_title, { route, field, schema }) => {
      const path = pathOf(route, MISSING);
      const headers = { ...credentialHeaders(route, credentials), ...JSON_TYPE };
      for (const raw of wrongFor(schema, REFUSED)) {
        const body = withRawField(route.meta.example?.request ?? {}, field, raw);
        const refusal = expectRefusal(await world.send(route.method, path, { headers, raw: body }), 400);
        expect(refusal, raw).toMatchObject({ code: 'validation_failed' });
        expect(refusal.issues[0], raw).toMatchObject({ path: `/${field}` });
        expect(refusal.message, raw).toContain(`/${field}`);
      }
      for (const raw of malformed()) {
        const body = withRawField(route.meta.example?.request ?? {}, field, raw);
        expectRefusal(await world.send(route.method, path, { headers, raw: body }), 400, 'malformed_json');
      }
    },
  );

  test.each(numbers)(
    '400: %s over tRPC, alone and in a batch, as over REST',
    async (_title, { route, field, schema }) => {
      const headers = { ...credentialHeaders(route, credentials), ...JSON_TYPE };
      const inPath = route.pathParameters
        .map((name) => `${JSON.stringify(name)}:${JSON.stringify(MISSING)},`)
        .join('');
      for (const raw of wrongFor(schema, telling())) {
        const body = withRawField(route.meta.example?.request ?? {}, field, raw);
        const input = `{${inPath}${body.slice(1)}`;
        const alone = await world.send('POST', `/trpc/${route.name}`, { headers, raw: input });
        const batch = await world.send('POST', `/trpc/${route.name}?batch=1`, {
          headers,
          raw: `{"0":${input}}`,
        });
        const rest = await world.send(route.method, pathOf(route, MISSING), { headers, raw: body });
        const { issues } = expectRefusal(rest, 400, 'validation_failed');
        for (const answer of [alone.body, (batch.body as unknown[])[0]]) {
          const { error } = answer as TrpcBody;
          expect(error?.data.error, raw).toMatchObject({ code: 'validation_failed', issues });
        }
      }
    },
  );
});

describe('exact numbers are stored exactly', () => {
  test.each(['0', '0.000000000001', '123456789012.345', '1e3', '1E+3', '999999999999999', '0.1', '1e-12'])(
    'a limit of %s is answered as the same number',
    async (raw) => {
      const { key } = await world.account();
      const headers = { ...bearer(key), ...JSON_TYPE };
      const put = await world.send('PUT', '/api/risk-rules', { headers, raw: `{"maxDailyLoss":${raw}}` });
      expect(expectOk(put)).toMatchObject({ maxDailyLoss: Number(raw) });
      const read = await world.send('GET', '/api/risk-rules', { headers: bearer(key) });
      expect(expectOk(read)).toMatchObject({ maxDailyLoss: Number(raw) });
    },
  );

  test('of a repeated field the last one counts, as in every JSON parser', async () => {
    const { key } = await world.account();
    const answer = await world.send('PUT', '/api/risk-rules', {
      headers: { ...bearer(key), ...JSON_TYPE },
      raw: '{"maxDailyLoss":1,"maxDailyLoss":2}',
    });
    expect(expectOk(answer)).toMatchObject({ maxDailyLoss: 2 });
  });

  test('numbers of a graph are stored as sent: doubles of any length, at any place', async () => {
    const { cookie } = await world.signUp();
    const visual = { zoom: 0.8408964152537145, list: [0.1234567890123456, 1e-20], deep: { x: 1e-300 } };
    const headers = { cookie, origin: ORIGIN };
    const created = await world.send('POST', '/api/blueprints', {
      headers,
      body: { name: 'Zoomed', visual },
    });
    expect(expectOk(created)).toMatchObject({ visual });
    const path = '/trpc/blueprints.create?batch=1';
    const batch = await world.send('POST', path, { headers, body: { 0: { name: 'Zoomed', visual } } });
    expect((batch.body as { result: { data: unknown } }[])[0]?.result.data).toMatchObject({ visual });
  });
});
