import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { CallRateLimiter } from '../../server/http-kit/call-rate-limiter.ts';
import { openRedisLimiters, type RedisLimiters } from '../../server/http-kit/redis-limiters.ts';
import { DEFAULT_LIMITS } from '../../server/kernel/rate-limits.ts';

const PROGRAM = process.env['REDIS_SERVER'] ?? 'redis-server';
/** `apt-get install redis-server` has it; without it these tests say so and are skipped. */
const isThere = spawnSync(PROGRAM, ['--version']).status === 0;

const AT_ONCE = 120;
const LIMITS = { ...DEFAULT_LIMITS, anonymous: { points: 40, windowSec: 60 } };

let running: ChildProcess[] = [];
let opened: RedisLimiters[] = [];
afterEach(async () => {
  for (const redis of opened) await redis.close();
  for (const child of running) child.kill('SIGKILL');
  [opened, running] = [[], []];
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return address.port;
}

async function startRedis(port: number): Promise<ChildProcess> {
  const child = spawn(PROGRAM, [
    '--port',
    `${port}`,
    '--save',
    '',
    '--appendonly',
    'no',
    '--bind',
    '127.0.0.1',
  ]);
  running.push(child);
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('Ready to accept')) break;
  return child;
}

const lines: string[] = [];
const log = {
  info: (_fields: object, message: string) => lines.push(message),
  warn: (_fields: object, message: string) => lines.push(message),
};

/** A second process, from Redis's point of view. */
async function processAt(port: number): Promise<{ limits: CallRateLimiter; redis: RedisLimiters }> {
  const redis = await openRedisLimiters(`redis://127.0.0.1:${port}`, log);
  opened.push(redis);
  return { redis, limits: new CallRateLimiter(LIMITS, redis.limiter) };
}

/** The number of concurrent calls that pass, over all these processes. */
async function passed(address: string, ...processes: { limits: CallRateLimiter }[]): Promise<number> {
  const calls = Array.from({ length: AT_ONCE }, (_, index) =>
    processes[index % processes.length]?.limits.consumeAnonymous(address),
  );
  return (await Promise.all(calls)).filter((refusal) => refusal === null).length;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 200) throw new Error('It never was so.');
    await sleep(50);
  }
}

test('without Redis each process counts alone, and no call waits for it', async () => {
  const both = [await processAt(1), await processAt(1)];
  expect(await passed('nowhere', ...both)).toBe(80);
});

describe.skipIf(!isThere)('limits in a Redis that is there', () => {
  test('are one count over all processes; with Redis dead or frozen each process has its own; once Redis is back, one again', async () => {
    const port = await freePort();
    let server = await startRedis(port);
    const both = [await processAt(port), await processAt(port)];
    let tries = 0;
    const isShared = async () => (await passed(`try ${tries++}`, ...both)) === 40;
    await until(isShared);

    server.kill('SIGSTOP');
    expect(await passed('frozen', ...both)).toBe(80);
    server.kill('SIGCONT');
    await until(isShared);

    server.kill('SIGKILL');
    await once(server, 'exit');
    expect(await passed('dead', ...both)).toBe(80);
    server = await startRedis(port);
    await until(isShared);
    expect(lines).toContain('Redis does not answer: limits count in this process alone');
  }, 60_000);

  test('a venue’s request budget is shared, and no request waits while Redis is gone', async () => {
    const port = await freePort();
    const server = await startRedis(port);
    const [one, two] = [await processAt(port), await processAt(port)];
    await until(async () => (await passed('ready', one, two)) === 40);
    const turns = [one, two].map(({ redis }) => redis.sharedLimiterFor('venue.example', 5));
    let taken = 0;
    const ended = new AbortController();
    const requests = Array.from({ length: 60 }, (_, index) =>
      turns[index % 2]?.(ended.signal).then(
        () => taken++,
        () => {},
      ),
    );
    await sleep(500);
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThanOrEqual(10);
    server.kill('SIGKILL');
    await Promise.all(requests);
    ended.abort();
    expect(taken).toBe(60);
  }, 60_000);

  test('a frozen Redis delays no request to a venue; once back, the budget is one again; a canceled request leaves the queue', async () => {
    const port = await freePort();
    const server = await startRedis(port);
    const [one, two] = [await processAt(port), await processAt(port)];
    await until(async () => (await passed('ready', one, two)) === 40);
    let hosts = 0;
    /** The number of requests of both processes, made at once, that are sent while one second's budget is 5. */
    const goneOut = async (withinMs: number): Promise<number> => {
      const host = `venue-${hosts++}.example`;
      const ended = new AbortController();
      let gone = 0;
      const requests = [one, two, one, two, one, two, one, two, one, two, one, two].map(({ redis }) =>
        redis
          .sharedLimiterFor(
            host,
            5,
          )(ended.signal)
          .then(
            () => gone++,
            () => {},
          ),
      );
      await Promise.race([Promise.all(requests), sleep(withinMs)]);
      ended.abort();
      await Promise.all(requests);
      return gone;
    };
    await until(async () => (await goneOut(400)) === 5);

    server.kill('SIGSTOP');
    expect(await goneOut(5_000)).toBe(12);

    server.kill('SIGCONT');
    await until(async () => (await goneOut(400)) === 5);
  }, 60_000);
});

test.skipIf(isThere)('redis-server is not installed: what a shared count does is not tested here', () => {
  expect(isThere).toBe(false);
});
