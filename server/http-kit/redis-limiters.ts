import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter } from '../../venues/http/upstream.ts';
import type { OpenLimiter } from './call-rate-limiter.ts';

const PREFIX = 'tss';
/** Timeout of Redis; past it the local fallback counts in this process. */
const ANSWER_WITHIN_MS = 50;
const CONNECT_WITHIN_MS = 2_000;
const RECONNECT_MAX_MS = 2_000;

type Log = Record<'info' | 'warn', (fields: object, message: string) => void>;

export type RedisLimiters = {
  /** Counts over all processes; in this process alone while Redis does not answer. */
  readonly limiter: OpenLimiter;
  /** One budget per host over all processes; while Redis does not answer each process has its own. */
  readonly sharedLimiterFor: (host: string, ratePerSec: number) => RateLimiter;
  readonly close: () => Promise<void>;
};

/** Does not wait for a connection: until there is one, the local fallback counts. */
export async function openRedisLimiters(url: string, log: Log): Promise<RedisLimiters> {
  const { Redis: Client } = await import('ioredis');
  const client = new Client(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_WITHIN_MS,
    connectTimeout: CONNECT_WITHIN_MS,
    retryStrategy: (tries) => Math.min(tries * 100, RECONNECT_MAX_MS),
  });
  let isDown = false;
  let lastError = '';
  client.on('error', (error: Error) => {
    lastError = error.message;
  });
  client.on('close', () => {
    if (isDown) return;
    isDown = true;
    log.warn({ error: lastError }, 'Redis does not answer: limits count in this process alone');
  });
  client.on('ready', () => {
    if (isDown) log.info({}, 'Redis answers again: limits count over all processes');
    isDown = false;
  });
  return {
    limiter: (options) =>
      new RateLimiterRedis({
        ...options,
        storeClient: client,
        keyPrefix: `${PREFIX}:${options.keyPrefix}`,
        insuranceLimiter: new RateLimiterMemory(options),
      }),
    sharedLimiterFor: (host, ratePerSec) => {
      const points = Math.max(1, Math.floor(ratePerSec));
      const limiter = new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `${PREFIX}:venue`,
        points,
        duration: Math.max(1, Math.round(points / ratePerSec)),
      });
      return (signal) => takeTurn(limiter, host, signal);
    },
    close: async () => {
      isDown = true;
      client.disconnect();
    },
  };
}

/** On an error the request passes: each process already spaces its own requests. */
async function takeTurn(limiter: RateLimiterRedis, host: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await limiter.consume(host);
      return;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) return;
      await sleep(refused.msBeforeNext + 1, undefined, { signal });
    }
  }
}
