import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Simulator, startSimulator } from '../../simulator/index.ts';
import { ObservedClock } from '../../venues/clock.ts';
import { deadlineIn } from '../../venues/http/deadline.ts';
import { Upstream, type UpstreamOptions } from '../../venues/http/upstream.ts';
import { failureOf, replaying } from './support/replay.ts';

const Anything = z.unknown();
let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

const upstream = (options: Partial<UpstreamOptions> = {}) =>
  new Upstream({
    name: 'the venue',
    baseUrl: `${simulator.url}/binance`,
    ratePerSec: 1_000,
    concurrency: 10,
    clock: new ObservedClock(),
    ...options,
  });

const KLINES = 'api/v3/klines';
const ask = (
  host: Upstream,
  timeoutMs = 3_000,
  query: Record<string, string | number> = { symbol: 'BTCUSDT', interval: '1h', limit: 2 },
) => host.request(KLINES, { schema: Anything, query, deadline: deadlineIn(timeoutMs) });
const requests = () => simulator.faults.requests('/binance');
const fail = (fault: Parameters<Simulator['faults']['set']>[1]) => simulator.faults.set('/binance', fault);

describe('an upstream host', () => {
  test('is asked no faster than its rate, evenly', async () => {
    const host = upstream({ ratePerSec: 20 });
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => ask(host)));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(240);
  });

  test('has at most its limit of concurrent requests', async () => {
    fail({ kind: 'latency', latencyMs: 100 });
    const host = upstream({ concurrency: 2 });
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => ask(host)));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(290);
  });

  test.each([
    ['a 500', { kind: 'status', status: 500, times: 2 }],
    ['a reset', { kind: 'reset', times: 2 }],
    ['a truncated body', { kind: 'truncate', times: 2 }],
    ['bytes that are not JSON', { kind: 'garbage', times: 2 }],
  ] as const)('is asked again after %s, twice at most', { tags: ['long'] }, async (_, fault) => {
    fail(fault);
    await expect(ask(upstream())).resolves.toHaveLength(2);
    expect(requests()).toBe(3);
    simulator.faults.resetCounts();
    fail({ ...fault, times: 99 });
    expect(await failureOf(ask(upstream()))).toMatchObject({ kind: 'unavailable' });
    expect(requests()).toBe(3);
  });

  test.each([401, 403, 302, 451])(
    'is not asked again after a %i, which asking will not change',
    async (status) => {
      fail({ kind: 'status', status });
      expect(await failureOf(ask(upstream()))).toMatchObject({ kind: 'unavailable' });
      expect(requests()).toBe(1);
    },
  );

  test('hears who asks, and for what', async () => {
    const heard: IncomingHttpHeaders[] = [];
    const route = (_: URL, __: unknown, headers: IncomingHttpHeaders) => {
      heard.push(headers);
      return { status: 200, body: [] };
    };
    await using venue = await replaying({ '/binance/api/v3/klines': route });
    await ask(upstream({ baseUrl: `${venue.url}/binance` }));
    expect(heard[0]).toMatchObject({
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^trading-strategy-service/),
    });
    expect(heard[0]).not.toHaveProperty('authorization');
  });

  test('is not followed elsewhere', async () => {
    fail({ kind: 'status', status: 302 });
    expect((await failureOf(ask(upstream()))).message).toContain('302');
  });

  test('is given the time that its 429 asks for, where that fits', async () => {
    fail({ kind: 'status', status: 429, retryAfterSec: 1, times: 1 });
    const startedAt = performance.now();
    await ask(upstream());
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
    expect(requests()).toBe(2);
  });

  test.each([429, 418, 503])(
    'that asks for a longer pause (%i) than the deadline fails at once, and gets no requests until then',
    async (status) => {
      fail({ kind: 'status', status, retryAfterSec: 120 });
      const host = upstream();
      expect(await failureOf(ask(host))).toMatchObject({ kind: 'unavailable', retryAfterSec: 120 });
      const second = await failureOf(ask(host));
      expect(second.retryAfterSec).toBeGreaterThan(100);
      expect(requests()).toBe(1);
    },
  );

  test('that says 429 without a time rests for a second', async () => {
    fail({ kind: 'status', status: 429, times: 1 });
    const startedAt = performance.now();
    await ask(upstream());
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(900);
  });

  test('that does not answer until the deadline costs one request', async () => {
    fail({ kind: 'freeze' });
    expect(await failureOf(ask(upstream(), 300))).toMatchObject({
      kind: 'unavailable',
      message: 'the venue is too slow',
    });
    expect(requests()).toBe(1);
  });

  test('whose queue is longer than the deadline is not queued for', { tags: ['long'] }, async () => {
    const host = upstream({ ratePerSec: 2 });
    const first = Array.from({ length: 5 }, () => ask(host));
    let answered = 0;
    for (const request of first) void request.finally(() => answered++);
    expect(await failureOf(ask(host, 1_000))).toMatchObject({ kind: 'unavailable' });
    expect(answered).toBe(0);
    await Promise.allSettled(first);
  });

  test('that fails repeatedly gets no requests, and one trial request before it is used again', {
    tags: ['long'],
  }, async () => {
    fail({ kind: 'status', status: 500 });
    const host = upstream();
    await failureOf(ask(host));
    await failureOf(ask(host));
    const sentSoFar = requests();
    expect((await failureOf(ask(host))).message).toContain('requests are paused');
    expect(requests()).toBe(sentSoFar);
    fail(null);
    await expect
      .poll(
        () =>
          ask(host).then(
            () => true,
            () => false,
          ),
        { timeout: 10_000, interval: 250 },
      )
      .toBe(true);
  });

  test('is not held to be failing because it refuses', async () => {
    const host = upstream();
    for (let times = 0; times < 8; times += 1) {
      await failureOf(ask(host, 3_000, { symbol: 'NOPE', interval: '1h' }));
    }
    await expect(ask(host)).resolves.toHaveLength(2);
  });

  test.each([400, 404, 422])(
    'is not blocked for answering %i to invented names, for any number of callers',
    async (status) => {
      const host = upstream();
      fail({ kind: 'status', status });
      await Promise.all(Array.from({ length: 200 }, () => failureOf(ask(host))));
      fail(null);
      await expect(ask(host)).resolves.toHaveLength(2);
    },
  );

  test('is not held to be failing because questions of ours came so late that no answer could be in time', async () => {
    fail({ kind: 'latency', latencyMs: 300 });
    const host = upstream({ concurrency: 20 });
    await Promise.all(Array.from({ length: 20 }, () => failureOf(ask(host, 200))));
    await expect(ask(host)).resolves.toHaveLength(2);
  });

  test('that rejects a request of this service is failing; a rejected value of a caller is the caller’s error', async () => {
    fail({ kind: 'status', status: 400 });
    expect(await failureOf(ask(upstream()))).toMatchObject({ kind: 'unavailable' });
    const requestOptions = { schema: Anything, deadline: deadlineIn(3_000), callersValue: true };
    expect(await failureOf(upstream().request(KLINES, requestOptions))).toMatchObject({
      kind: 'bad_request',
    });
  });

  test('is read up to 5 MB and 32 levels, and no further', async () => {
    fail({ kind: 'body', body: 'x'.repeat(5 * 1024 * 1024) });
    expect((await failureOf(ask(upstream()))).message).toContain('could not be parsed');
    fail({ kind: 'body', body: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) });
    expect((await failureOf(ask(upstream()))).message).toContain('could not be parsed');
  });

  test('is read where brackets stand in strings, however many', async () => {
    fail({ kind: 'body', body: ['[[[{{{'.repeat(50), '\\"[[['] });
    await expect(ask(upstream())).resolves.toHaveLength(2);
  });

  test.each([
    '../kalshi/trade-api/v2/markets',
    '//evil.test/x',
    'http://evil.test/',
    '/kalshi/x',
    '%2e%2e/kalshi',
  ])('is the only one asked: %s leads nowhere', async (path) => {
    const request = upstream().request(path, { schema: Anything, deadline: deadlineIn(500) });
    expect(await failureOf(request)).toMatchObject({ kind: 'bad_request' });
    expect(simulator.faults.requests()).toBe(0);
  });

  test('that sends an unexpected shape is unavailable, once, and its text is not passed on', async () => {
    fail({ kind: 'body', body: { secret: 'hunter2' } });
    const request = upstream().request(KLINES, { schema: z.array(z.string()), deadline: deadlineIn(3_000) });
    const failure = await failureOf(request);
    expect(failure).toMatchObject({ kind: 'unavailable' });
    expect(failure.message).not.toContain('hunter2');
    expect(requests()).toBe(1);
  });

  test('whose used weight nears the limit gets no requests for the rest of the minute', async () => {
    const header = 'x-mbx-used-weight-1m';
    const weights = ['10', 'nonsense', '1000'];
    const route = () => ({ status: 200, body: [], headers: { [header]: weights.shift() ?? '0' } });
    await using venue = await replaying({ '/binance/api/v3/klines': route });
    const host = upstream({ baseUrl: `${venue.url}/binance`, weight: { header, softCap: 1_000 } });
    await ask(host);
    await ask(host);
    await ask(host);
    // So near to the end of a minute the wait ends at once, and cannot be observed.
    if (Date.now() % 60_000 < 56_000) {
      expect(await failureOf(ask(host))).toMatchObject({ kind: 'unavailable' });
      expect(venue.requests).toHaveLength(3);
    }
  });
});
