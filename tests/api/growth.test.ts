import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { BODY_BYTES_MAX, OPEN_BODY_BYTES_MAX } from '../../openapi/body.ts';
import { ISSUES_MAX } from '../../routers/errors.ts';
import { expectRefusal, sendRaw } from '../support/api.ts';
import { expectBoundedGrowth, grownText, type Shape } from '../support/growth.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, ORIGIN, openWorld } from '../support/world.ts';

/** Half of the largest body, for it is doubled, and half of the longest head of a request. */
const BODY_BYTES = BODY_BYTES_MAX / 2 - 1_000;
const OPEN_BODY_BYTES = OPEN_BODY_BYTES_MAX / 2 - 1_000;
const HEAD_BYTES = 7_000;

const world = openedForFile(openWorld);
let account: Account;
let cookie: string;

beforeAll(async () => {
  account = await world.account();
  ({ cookie } = await world.signUp());
});

const inObject = (unit: Shape['unit']): Shape => ({ head: '{', unit, tail: '}' });
const inArray = (unit: Shape['unit']): Shape => ({ head: '{"name":[', unit, tail: ']}' });

const BODIES: Record<string, Shape> = {
  'numbers that are too large, beside as many keys': {
    head: '{"_":[',
    unit: () => '1e999',
    tail: `],${Array.from({ length: 10_000 }, (_, index) => `"k${index}":0`)}}`,
  },
  'keys with numbers that are too large': inObject((index) => `"k${index}":1e999`),
  'calls with numbers that are too large': inObject((index) => `"${index}":{"a":1e999}`),
  'calls in order backwards': inObject((index) => `"${999_999 - index}":{"a":1.00000000000000001}`),
  'calls far apart': inObject((index) => `"${index * 7_919}":1e999`),
  'one number of many digits': { head: '{"amount":', joint: '', unit: () => '1', tail: '}' },
  'one number with many digits behind the point': {
    head: '{"amount":0.',
    joint: '',
    unit: () => '0',
    tail: '1}',
  },
  'many keys': inObject((index) => `"k${index}":0`),
  'one key, again and again': inObject(() => '"name":0'),
  'keys with half a character': inObject((index) => `"\\ud800${index}":0`),
  'empty objects': inArray(() => '{}'),
  'texts of escapes': inArray(() => '"\\u0000\\n\\ud800"'),
  'one text of escapes': { head: '{"name":"', joint: '', unit: () => '\\u0000', tail: '"}' },
  'one text of blanks': { head: '{"name":"', joint: '', unit: () => ' ', tail: 'x"}' },
  'one e-mail': { head: '{"email":"', joint: '', unit: () => 'a.', tail: '"}' },
  'one address': { head: '{"email":"a@', joint: '', unit: () => 'a.', tail: '"}' },
  'one link': { head: '{"links":["https://', joint: '', unit: () => 'a.', tail: '"]}' },
  'one link of many': { head: '{"links":[', unit: () => '"https://a"', tail: ']}' },
  'quotes that never end': { head: '{"name":"', joint: '', unit: () => '\\"', tail: '' },
  'commas and nothing else': { head: '{', unit: () => '', tail: '' },
  'arrays side by side': { head: '{"name":', joint: '', unit: () => '[]', tail: '}' },
  blanks: { head: '', joint: '', unit: () => ' ', tail: '{}' },
};

type Target = { method: string; path: string; headers?: string[]; bytes?: number };

const targets = (): Record<string, Target> => ({
  'the careers form, without credentials': { method: 'POST', path: '/api/careers', bytes: OPEN_BODY_BYTES },
  'a sign-in, without credentials': {
    method: 'POST',
    path: '/api/auth/sign-in/email',
    headers: ['Origin', ORIGIN],
    bytes: OPEN_BODY_BYTES,
  },
  'a path of the framework there is not': { method: 'POST', path: '/api/auth/nope' },
  'a call over tRPC, without credentials': {
    method: 'POST',
    path: '/trpc/careers.send',
    bytes: OPEN_BODY_BYTES,
  },
  'a batch over tRPC': {
    method: 'POST',
    path: `/trpc/${Array(20).fill('riskRules.update').join(',')}?batch=1`,
    headers: ['Authorization', `Bearer ${account.key}`],
  },
  'a key for a session': {
    method: 'POST',
    path: '/api/api-keys',
    headers: ['Cookie', cookie, 'Origin', ORIGIN],
  },
  'the risk rules': {
    method: 'PUT',
    path: '/api/risk-rules',
    headers: ['Authorization', `Bearer ${account.key}`],
  },
  'a blueprint': {
    method: 'POST',
    path: '/api/blueprints',
    headers: ['Authorization', `Bearer ${account.key}`],
  },
});

const send = ({ method, path, headers = [] }: Target, body: string) =>
  sendRaw(world.base, { method, path, headers: ['Content-Type', 'application/json', ...headers], body });

const names = [
  'the careers form, without credentials',
  'a sign-in, without credentials',
  'a path of the framework there is not',
  'a call over tRPC, without credentials',
  'a batch over tRPC',
  'a key for a session',
  'the risk rules',
  'a blueprint',
];

describe('twice the body costs at most about twice', () => {
  test.each(names)('%s, whatever fills it', { tags: ['long'] }, async (name) => {
    const target = targets()[name];
    if (!target) throw new Error(`There is no ${name}.`);
    for (const [filling, shape] of Object.entries(BODIES)) {
      await expectBoundedGrowth(`${name}: ${filling}`, target.bytes ?? BODY_BYTES, async (size) => {
        const answer = await send(target, grownText(shape, size));
        expect(answer.status, filling).toBeLessThan(500);
      });
    }
  });

  test('with any mixture', async () => {
    const pieces = fc.array(fc.oneof(fc.json({ maxDepth: 3 }), fc.constantFrom('1e999', '0.1e-400', '""')), {
      minLength: 1,
      maxLength: 6,
    });
    const keyed = fc.constantFrom(
      (index: number) => `k${index}`,
      (index: number) => `${index}`,
      (index: number) => `${99_999 - index}`,
    );
    const target = targets()['a call over tRPC, without credentials'];
    if (!target) throw new Error('There is no such target.');
    await fc.assert(
      fc.asyncProperty(pieces, keyed, (values, keyOf) =>
        expectBoundedGrowth('a mixture', OPEN_BODY_BYTES, (size) =>
          send(
            target,
            grownText(
              inObject((at) => `"${keyOf(at)}":${values[at % values.length]}`),
              size,
            ),
          ),
        ),
      ),
      { numRuns: 15 },
    );
  });
});

describe('twice the head of a request costs at most about twice', () => {
  const hostile = [
    '%00',
    '%',
    '%C0',
    '+',
    '&',
    '=',
    '&a=',
    '?',
    ',',
    ';',
    '/',
    '..%2f',
    '(',
    '[',
    '"',
    '0',
    '-',
  ];

  test.each([
    '/api/orders?',
    '/api/venue-a?search=',
    '/api/',
    '/trpc/',
    '/api/auth/callback/x?state=',
    '/docs/',
  ])('%s and then anything', async (start) => {
    for (const piece of hostile) {
      await expectBoundedGrowth(`${start}${piece}`, HEAD_BYTES, (size) =>
        sendRaw(world.base, {
          method: 'GET',
          path: start + piece.repeat(size / piece.length),
          headers: ['Authorization', `Bearer ${account.key}`],
        }),
      );
    }
  });

  test.each([
    'Authorization',
    'Cookie',
    'Content-Type',
    'Accept-Encoding',
    'Origin',
    'If-Match',
    'Idempotency-Key',
    'X-Forwarded-For',
    'X-Request-Id',
    'Accept',
    'If-None-Match',
  ])('%s with anything', async (name) => {
    for (const piece of [
      'Bearer ',
      'a=b; ',
      'application/json;',
      ' ;',
      'gzip,',
      '"',
      ',',
      '::',
      'W/"',
      '\t',
      '=',
    ]) {
      await expectBoundedGrowth(`${name}: ${piece}`, HEAD_BYTES, (size) =>
        sendRaw(world.base, {
          method: 'POST',
          path: '/api/blueprints/stop',
          headers: [name, `x${piece.repeat(size / piece.length)}x`],
        }),
      );
    }
  });
});

describe('the issues in a response', () => {
  test.each(names)(`400: %s names at most ${ISSUES_MAX} things that are wrong`, async (name) => {
    const target = targets()[name];
    if (!target) throw new Error(`There is no ${name}.`);
    for (const unit of [
      (index: number) => `"k${index}":0`,
      (index: number) => `"k${index}":1e999`,
      (index: number) => `"${index}":{"k":1e999}`,
    ]) {
      const answer = await send(target, grownText(inObject(unit), target.bytes ?? BODY_BYTES));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      const answers = name.includes('batch') ? 20 : 1;
      expect(answer.text.length).toBeLessThan(20_000 * answers);
      expect(answer.text.split('"path":"/').length - 1).toBeLessThanOrEqual(ISSUES_MAX * answers);
    }
  });

  test('400: a query of unknown parameters names at most as many', async () => {
    const query = Array.from({ length: 600 }, (_, index) => `${index}=`).join('&');
    const { issues } = expectRefusal(await account.http('GET', `/api/orders?${query}`), 400);
    expect(issues.length).toBe(ISSUES_MAX);
  });
});
