/** Rate and order of the requests to Binance. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  type Call,
  type Limits,
  LocalLimitReached,
  TradingHost,
} from '../../venues/binance/trading/trading-host.ts';
import { ObservedClock } from '../../venues/clock.ts';

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };

/** A host that stores its requests; `holds`: it answers only on release. */
async function hosting(answerTo: (path: string) => Answer = () => ({}), limits?: Limits, holds = false) {
  const requests: string[] = [];
  const held: (() => void)[] = [];
  const server = createServer((request, response: ServerResponse) => {
    const path = (request.url ?? '').slice(1);
    requests.push(`${request.method} ${path}`);
    const { status = 200, headers = {}, body = {} } = answerTo(path);
    const answer = () => response.writeHead(status, headers).end(JSON.stringify(body));
    if (holds) held.push(answer);
    else answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    requests,
    host: new TradingHost(api, new ObservedClock(), limits),
    release: () => {
      for (const answer of held.splice(0)) answer();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const call = (urgency: Call['urgency'], path: string = urgency, weight = 1): Call => ({
  method: urgency === 'read' ? 'GET' : urgency === 'place' ? 'POST' : 'DELETE',
  path,
  query: '',
  weight,
  urgency,
});
const unsent = async (promise: Promise<unknown>): Promise<LocalLimitReached> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof LocalLimitReached) return error;
  throw new Error('it was sent');
};

describe('a host of Binance', () => {
  test('row 39: that banned us (418) gets no requests for the stated time, no cancels either', async () => {
    const banned = { status: 418, headers: { 'retry-after': '120' }, body: { code: -1003, msg: 'banned' } };
    await using venue = await hosting((path) => (path === 'first' ? banned : {}));
    await venue.host.send(call('read', 'first'));
    for (const urgency of ['read', 'place', 'cancel'] as const) {
      const { retryAfterSec } = await unsent(venue.host.send(call(urgency)));
      expect(retryAfterSec).toBeGreaterThan(115);
      expect(retryAfterSec).toBeLessThanOrEqual(120);
    }
    expect(venue.requests).toEqual(['GET first']);
  });

  test('row 37: that answers 429 gets no requests for a while, even without a stated time', async () => {
    await using venue = await hosting(() => ({ status: 429, body: { code: -1003, msg: 'x' } }));
    await venue.host.send(call('place'));
    expect((await unsent(venue.host.send(call('place')))).retryAfterSec).toBeGreaterThan(0);
    expect(venue.requests).toHaveLength(1);
  });

  test('row 37: that refuses orders as too many (-1015) still gets cancels and reads', async () => {
    const fewer = { status: 429, headers: { 'retry-after': '8' }, body: { code: -1015, msg: 'x' } };
    await using venue = await hosting((path) => (path === 'place' ? fewer : {}));
    await venue.host.send(call('place'));
    await unsent(venue.host.send(call('place')));
    await venue.host.send(call('cancel'));
    await venue.host.send(call('read'));
    expect(venue.requests).toEqual(['POST place', 'DELETE cancel', 'GET read']);
  });

  test('gets waiting cancels before orders before reads', async () => {
    await using venue = await hosting(() => ({}), undefined, true);
    const leave = (urgency: Call['urgency'], path: string = urgency) => venue.host.send(call(urgency, path));
    const busy = Array.from({ length: 6 }, () => leave('read', 'busy'));
    const waiting = [
      ...Array.from({ length: 6 }, () => leave('read')),
      ...Array.from({ length: 6 }, () => leave('place')),
      ...Array.from({ length: 6 }, () => leave('cancel')),
    ];
    for (const count of [6, 12, 18, 24]) {
      await expect.poll(() => venue.requests.length).toBe(count);
      venue.release();
    }
    await Promise.all([...busy, ...waiting]);
    const sixes = [0, 6, 12, 18].map((at) => [...new Set(venue.requests.slice(at, at + 6))]);
    expect(sixes).toEqual([['GET busy'], ['DELETE cancel'], ['POST place'], ['GET read']]);
  });

  test('gets half of its own limit, by its own count: beyond it only cancels leave', async () => {
    await using venue = await hosting(() => ({ headers: { 'x-mbx-used-weight-1m': '2990' } }));
    await venue.host.send(call('read', 'first'));
    await unsent(venue.host.send(call('read', 'heavy', 80)));
    await unsent(venue.host.send(call('place', 'heavy', 80)));
    await venue.host.send(call('cancel', 'cancel', 80));
    expect(venue.requests).toEqual(['GET first', 'DELETE cancel']);
  });

  test('gets half of its order limit within ten seconds', async () => {
    await using venue = await hosting(() => ({ headers: { 'x-mbx-order-count-10s': '25' } }));
    await venue.host.send(call('place'));
    await unsent(venue.host.send(call('place')));
    await venue.host.send(call('cancel'));
    expect(venue.requests).toEqual(['POST place', 'DELETE cancel']);
  });
});
