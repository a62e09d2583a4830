import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  closeAll,
  openSocket,
  openSockets,
  type RawSocket,
  requestLine,
  statusFrom,
} from '../support/sockets.ts';
import { expectWithstood } from './support/expect-withstood.ts';
import { type Fortress, openFortress, PAGE, shortOrFull } from './support/fortress.ts';

const HELD_MS = shortOrFull(1_500, 30_000);
const HALF_A_HEAD = 'GET /health HTTP/1.1\r\nHost: x\r\n';

let fortress: Fortress;
beforeAll(async () => {
  fortress = await openFortress();
});
afterAll(() => fortress.close());

async function within(ms: number, isSo: () => boolean): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!isSo() && performance.now() < deadline) await sleep(20);
  return isSo();
}

test('X6: one connection that sends requests without reading answers costs less than 64 MiB, and is closed', async () => {
  for (const path of ['/openapi.json', '/docs/assets/standalone.esm.js']) {
    const { grownMb } = await expectWithstood(fortress, async () => {
      const send = requestLine(path).repeat(1_500);
      const opened = await openSocket(fortress.base, { send, unread: true });
      await sleep(HELD_MS);
      opened.socket.resume();
      expect(await within(5_000, opened.isClosed)).toBe(true);
    });
    expect(grownMb, path).toBeLessThan(64);
  }
});

test('X6: a thousand clients that disconnect before their answer begins end nothing', async () => {
  await expectWithstood(fortress, async () => {
    const send = ['/docs/assets/standalone.esm.js', '/docs', '/openapi.json', '/']
      .map((path) => requestLine(path))
      .join('');
    for (let round = 0; round < 50; round++) {
      const opened = await openSockets(fortress.base, 20, { from: '127.0.6.1', send, unread: true });
      await sleep(round % 10);
      for (const { socket } of opened) socket.resetAndDestroy();
    }
  });
  expect(await statusFrom(fortress.base, '/health', '127.0.6.2')).toBe(200);
});

test('X7: an address that opens as many connections as it can blocks no other address', async () => {
  for (const send of ['', HALF_A_HEAD]) {
    const opened: RawSocket[] = [];
    await expectWithstood(fortress, async () => {
      opened.push(
        ...(await openSockets(fortress.base, shortOrFull(600, 2_040), { from: '127.0.3.1', send })),
      );
      await sleep(HELD_MS);
      expect(await statusFrom(fortress.base, '/health', '127.0.3.2')).toBe(200);
      expect(opened.filter(({ isClosed }) => !isClosed()).length).toBeLessThanOrEqual(250);
      closeAll(opened);
    });
  }
});

test('X8: three hundred connections of one address that read no answer stay below 512 MiB', async () => {
  await expectWithstood(fortress, async () => {
    const send = requestLine('/openapi.json').repeat(40);
    const opened = await openSockets(fortress.base, 300, { from: '127.0.4.1', send, unread: true });
    await sleep(HELD_MS);
    closeAll(opened);
  });
});

const eventStream = (cookie: string) =>
  openSocket(fortress.base, {
    send: requestLine(
      `/trpc/events?input=${encodeURIComponent('{}')}`,
      `Cookie: ${cookie}`,
      'Accept: text/event-stream',
    ),
  });
const isConnected = ({ received, isClosed }: RawSocket) =>
  received.includes('event: connected') && !received.endsWith('\r\n0\r\n\r\n') && !isClosed();

test('X9: of sixty event streams of one account ten stay open', async () => {
  const { cookie } = await fortress.signIn();
  const streams: RawSocket[] = [];
  await expectWithstood(fortress, async () => {
    for (let opened = 0; opened < 60; opened += 20) {
      streams.push(...(await Promise.all(Array.from({ length: 20 }, () => eventStream(cookie)))));
      await sleep(700);
    }
  });
  expect(streams.filter(isConnected)).toHaveLength(10);
  // A caller that continues past a limit is refused up to 750 ms late.
  const refused = () => streams.filter(({ received }) => received.includes('"code":"rate_limited"')).length;
  expect(await within(5_000, () => refused() === 50)).toBe(true);
  closeAll(streams);
});

test('X10: an event stream ends within five seconds of its session', async () => {
  const { cookie } = await fortress.signIn();
  const stream = await eventStream(cookie);
  expect(await within(5_000, () => isConnected(stream))).toBe(true);
  expect((await fortress.auth('sign-out', {}, { cookie })).status).toBe(200);
  expect(await within(5_000, () => stream.received.endsWith('\r\n0\r\n\r\n'))).toBe(true);
  expect(stream.received).toContain('"code":"credentials_invalid"');
  closeAll([stream]);
});

test('X11: anonymous readiness checks leave the database to callers with a key', async () => {
  const account = await fortress.account();
  const statuses: number[] = [];
  await expectWithstood(fortress, async () => {
    const calls = Array(20).fill('system.ready').join(',');
    const ends = performance.now() + shortOrFull(3_000, 20_000);
    const flood = Array.from({ length: 40 }, async () => {
      while (performance.now() < ends) {
        await statusFrom(fortress.base, `/trpc/${calls}?batch=1`, '127.0.5.1');
        await statusFrom(fortress.base, '/health/ready', '127.0.5.1');
      }
    });
    while (performance.now() < ends) {
      statuses.push((await account.http('GET', '/api/portfolio', undefined, { origin: PAGE })).status);
      await sleep(200);
    }
    await Promise.all(flood);
  });
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('X11: 800 connections without credentials, from four addresses, leave the thread and the log to others', async () => {
  const RATE_LIMITS = JSON.stringify({ anonymous: { points: 20, windowSec: 600 } });
  await using opened = new AsyncDisposableStack();
  const limited = await openFortress({ RATE_LIMITS });
  opened.defer(() => limited.close());
  const statuses: (number | undefined)[] = [];
  await expectWithstood(limited, async () => {
    const flood = Array.from({ length: 800 }, async (_, at) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.8.${1 + (at % 4)}` });
      for (let sent = 0; sent < 4; sent++) statuses.push(await statusOf(`${limited.base}/api/orders`, agent));
      agent.destroy();
    });
    await Promise.all(flood);
  });
  expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(80);
  expect(limited.output().length / statuses.length).toBeLessThan(100);
});

const statusOf = (url: string, agent: Agent): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode));
    });
    request.once('error', reject);
  });
