import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GRAPH_BYTES_MAX, GRAPH_DEPTH_MAX } from '../../engine/usecases/blueprints/drafts/graph-bounds.ts';
import { BODY_BYTES_MAX } from '../../openapi/body.ts';
import { bearer, sendRaw } from '../support/api.ts';
import { closeAll, openSocket, openSockets, type RawSocket } from '../support/sockets.ts';
import type { Account } from '../support/world.ts';
import { expectWithstood } from './support/expect-withstood.ts';
import { type Fortress, isFull, openFortress, PAGE, shortOrFull } from './support/fortress.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';

let fortress: Fortress;
let account: Account;
beforeAll(async () => {
  fortress = await openFortress();
});
afterAll(() => fortress.close());
beforeEach(async () => {
  account = await fortress.account();
});

/** A body of this many bytes that is filled with numbers that lose digits, as keys. */
function costly(bytes: number): string {
  const count = Math.floor(bytes / 16);
  const keys = Array.from({ length: count }, (_, n) => `"k${n}":0`);
  return `{"_":[${Array(count).fill('1e999').join()}],${keys.join()}}`;
}

const OPEN_PATHS = ['/api/careers', '/trpc/orders.list', '/api/auth/sign-in/email', '/api/auth/nope'];

test('X1: one anonymous body of 160 KB holds the service for less than a second', async () => {
  const raw = costly(160_000);
  expect(raw.length).toBeGreaterThan(120_000);
  for (const path of OPEN_PATHS) {
    const { tookMs, crowding } = await expectWithstood(fortress, async () => {
      const answer = await fortress.send('POST', path, { headers: JSON_TYPE, raw });
      expect([400, 401, 404]).toContain(answer.status);
      expect(answer.text.length, path).toBeLessThan(64_000);
    });
    expect(tookMs, path).toBeLessThan(1_000 * crowding);
  }
});

test('X13: graphs of 250 KB, as many as a key may check, delay no other caller', async () => {
  const { id } = (await account.http('POST', '/api/blueprints', { name: 'Large' })).body as { id: string };
  const many = `{"visual":{"nodes":[${Array(120_000).fill(1).join()}]}}`;
  const deep = `{"visual":${'['.repeat(58)}${Array(60_000).fill('"x"').join()}${']'.repeat(58)}}`;
  for (const raw of [many, deep]) {
    await expectWithstood(fortress, async () => {
      const check = () =>
        fortress.send('POST', `/api/blueprints/${id}/validate`, {
          headers: { ...bearer(account.key), ...JSON_TYPE },
          raw,
        });
      const answers = await Promise.all(Array.from({ length: 20 }, check));
      for (const { status } of answers) expect([200, 400, 429]).toContain(status);
    });
  }
});

/** Creates a blueprint with a body sent as it is, and returns the status. */
const create = async (
  raw: string | Uint8Array<ArrayBuffer>,
  type = 'application/json',
  more: Record<string, string> = {},
): Promise<number> => {
  const headers = { ...bearer(account.key), 'content-type': type, ...more };
  for (;;) {
    const { status } = await fortress.send('POST', '/api/blueprints', { headers, raw });
    if (status !== 429) return status;
    await sleep(500);
  }
};

/** Expects that each of these is refused, and that nothing is stored. */
async function refused(bodies: readonly (string | Uint8Array<ArrayBuffer>)[]): Promise<void> {
  const before = await fortress.count('blueprint');
  for (const raw of bodies) expect(await create(raw), String(raw).slice(0, 80)).toBe(400);
  expect(await fortress.count('blueprint')).toBe(before);
}

const blueprintBody = (visual: string): string => `{"name":"x","visual":${visual}}`;
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('limits of a body', () => {
  test('S12: a body that is too large, endless, packed or slow is refused, and memory stays flat', async () => {
    const bomb = Buffer.alloc(50_000_000, ' ');
    const { grownMb } = await expectWithstood(fortress, async () => {
      const statuses = await Promise.all([
        create('x'.repeat(1_000_000)),
        declared('Content-Length: 100000000'),
        endless(),
        create(Uint8Array.from(gzipSync(bomb)), 'application/json', { 'content-encoding': 'gzip' }),
        create(Uint8Array.from(brotliCompressSync(bomb)), 'application/json', { 'content-encoding': 'br' }),
      ]);
      expect(new Set(statuses)).toEqual(new Set([400]));
    });
    expect(grownMb).toBeLessThan(128);
  });

  test('S12: a body and a graph of the maximum size are read, and one byte more is refused', async () => {
    const padded = (bytes: number) => '{"name":"x"}'.padEnd(bytes);
    const bodyOfSize = (bytes: number) => blueprintBody(`"${'x'.repeat(bytes - 2)}"`);
    expect(await create(padded(BODY_BYTES_MAX))).toBe(200);
    expect(await create(bodyOfSize(GRAPH_BYTES_MAX))).toBe(200);
    await refused([padded(BODY_BYTES_MAX + 1), bodyOfSize(GRAPH_BYTES_MAX + 1)]);
  });

  test(`S12: forty bodies that arrive byte by byte delay no other caller${isFull ? ', and are not waited for' : ' (in full: and are not waited for)'}`, async () => {
    const slow: RawSocket[] = [];
    const { grownMb } = await expectWithstood(fortress, async () => {
      const sending = { send: `${head('Content-Length: 90000')}{` };
      slow.push(...(await openSockets(fortress.base, 40, { from: '127.12.0.1', ...sending })));
      const dripping = setInterval(() => {
        for (const { socket } of slow) if (socket.writable) socket.write(' ');
      }, 1_000);
      await sleep(shortOrFull(2_500, 75_000));
      clearInterval(dripping);
    });
    expect(grownMb).toBeLessThan(64);
    if (isFull) expect(slow.filter(({ isClosed }) => !isClosed())).toEqual([]);
    closeAll(slow);
  }, 180_000);

  test('S13: depth, length and the number of keys are bounded before any code walks them; what fits is parsed quickly', async () => {
    const keys = (count: number) =>
      `{${Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join()}}`;
    const deep = [65, 1_000, 100_000].map((depth) => blueprintBody(nested(depth)));
    const long = [blueprintBody(`"${'x'.repeat(1_000_000)}"`), blueprintBody(keys(100_000))];
    const { tookMs, crowding } = await expectWithstood(fortress, async () => {
      await refused([...deep, nested(1_000), nested(100_000), ...long]);
      expect(await create(blueprintBody(nested(GRAPH_DEPTH_MAX)))).toBe(200);
      // No limit of their own: 25,000 keys and 120,000 numbers are as many as the bytes allow.
      expect(await create(blueprintBody(keys(25_000)))).toBe(200);
      expect(await create(blueprintBody(`[${Array(120_000).fill(1).join()}]`))).toBe(200);
    });
    expect(tookMs).toBeLessThan(5_000 * crowding);
  });

  test('S16: NUL is refused in every text field', async () => {
    await refused([
      '{"name":"a\\u0000b"}',
      blueprintBody('"a\\u0000"'),
      blueprintBody('{"\\u0000":1}'),
      blueprintBody('[[{"a":["\\u0000"]}]]'),
    ]);
    for (const path of ['/api/auth/callback/github?state=a%00b&code=x', '/api/venue-a?search=%00']) {
      const { status } = await fortress.send('GET', path, { headers: bearer(account.key) });
      expect(status, path).toBe(400);
    }
  });

  test('S17: half a surrogate pair is refused, and never stored as something else', () =>
    refused([
      '{"name":"\\ud800"}',
      blueprintBody('"\\udfff"'),
      blueprintBody('{"\\ud83d":1}'),
      blueprintBody('["a\\udc00"]'),
    ]));

  test('S18: a number that would not be stored as it was sent is refused', () =>
    refused(
      ['1e400', '-1e400', 'NaN', 'Infinity', '9007199254740993', '{"a":[-9007199254740993]}'].map(
        blueprintBody,
      ),
    ));

  test('S19: an amount or limit that is zero, negative, huge, too fine or no number is refused', async () => {
    const { key } = await fortress.account();
    const bad = ['0', '-1', '1e30', '1e-20', '0.12345678901234567', '"1"', 'null', 'true', '[]', '{}'];
    const send = (method: string, path: string, raw: string) =>
      fortress.send(method, path, { headers: { ...bearer(key), ...JSON_TYPE }, raw });
    for (const value of bad) {
      const close = await send(
        'POST',
        '/api/portfolio/positions/close',
        `{"tokenId":"BTCUSDT","amount":${value}}`,
      );
      expect([400, 404], value).toContain(close.status);
      if (close.status === 404) expect(value).toBe('unreachable');
      if (value === '0') continue;
      expect((await send('PUT', '/api/risk-rules', `{"maxOrderSize":${value}}`)).status, value).toBe(400);
    }
  });

  test('S20: a body that is not one JSON object in UTF-8 is refused', async () => {
    const utf16 = Uint8Array.from(Buffer.from('{"name":"x"}', 'utf16le'));
    await refused([
      ...['', '[]', '"x"', '5', 'null', '{"name":"x",}', '// c\n{"name":"x"}', '\ufeff{"name":"x"}', '{}{}'],
      utf16,
    ]);
    for (const charset of ['utf-7', 'utf-16', 'latin1'])
      expect(await create('{"name":"x"}', `application/json; charset=${charset}`), charset).toBe(400);
  });

  test('S22: unusual names are returned as they were sent, and counted in characters', async () => {
    const names = ['z\u0351\u0301\u0300a', '<img src=x onerror=alert(1)>', '😀'.repeat(120)];
    for (const name of names) {
      const { status, body } = await account.http('POST', '/api/blueprints', { name });
      expect({ status, body }).toMatchObject({ status: 200, body: { name: name.normalize('NFC') } });
    }
    await refused([JSON.stringify({ name: '😀'.repeat(121) }), JSON.stringify({ name: '\u202eabc' })]);
  });

  test('S23: no body, query or graph reaches a prototype', async () => {
    await refused([
      '{"name":"x","__proto__":{"polluted":true}}',
      blueprintBody('{"a":[{"__proto__":{"polluted":true}}]}'),
    ]);
    const harmless = blueprintBody('{"constructor":{"prototype":{"polluted":true}}}');
    expect(await create(harmless)).toBe(200);
    const query = '/api/blueprints?__proto__[polluted]=1&constructor.prototype.polluted=1';
    expect((await account.http('GET', query)).status).toBe(400);
    const rules = (await account.http('GET', '/api/risk-rules')).body;
    expect(rules).not.toHaveProperty('polluted');
    expect((await fortress.send('GET', '/trpc/__proto__')).status).toBe(404);
  });

  test('S10: no request assigns a field that the service decides', async () => {
    const { body } = await account.http('POST', '/api/blueprints', { name: 'Mine' });
    const { id } = body as { id: string };
    const stored = async () => digest((await account.http('GET', `/api/blueprints/${id}`)).text);
    const before = await stored();
    for (const field of ['id', 'status', 'deploymentId', 'accountId', 'version', 'createdAt', 'error']) {
      const raw = JSON.stringify({ name: 'Mine', [field]: MISSING });
      await refused([raw]);
      const headers = { ...bearer(account.key), ...JSON_TYPE };
      expect((await fortress.send('PUT', '/api/risk-rules', { headers, raw })).status).toBe(400);
      expect((await fortress.send('PUT', `/api/blueprints/${id}`, { headers, raw })).status).toBe(400);
      await sleep(150);
    }
    expect(await stored()).toBe(before);
  });
});

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

const head = (...headers: string[]): string =>
  [
    'POST /api/blueprints HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${account.key}`,
    `Origin: ${PAGE}`,
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');

async function statusOnce(isSaid: () => string): Promise<number> {
  while (!isSaid().includes('\r\n')) await sleep(10);
  return Number(isSaid().slice(9, 12));
}

/** Returns the status of a request whose body is announced and never arrives. */
async function declared(...headers: string[]): Promise<number> {
  const opened = await openSocket(fortress.base, { send: head(...headers) });
  const status = await statusOnce(() => opened.received);
  opened.socket.destroy();
  return status;
}

/** Returns the status of a request whose chunks never end. */
async function endless(): Promise<number> {
  const opened = await openSocket(fortress.base, { send: head('Transfer-Encoding: chunked') });
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  const sending = setInterval(() => opened.socket.writable && opened.socket.write(chunk), 5);
  const status = await statusOnce(() => opened.received);
  clearInterval(sending);
  opened.socket.destroy();
  return status;
}

test('a minimal valid request is answered, so the refusals above have the stated cause', async () => {
  const answer = await sendRaw(fortress.base, { method: 'GET', path: '/health' });
  expect(answer.status).toBe(200);
  expect(await create('{"name":"plain"}')).toBe(200);
});
