/**
 * A rate limiter for the requests of one connection to a venue: a number of tokens per second, cancels before everything else.
 * Orders are never sent in a burst that makes the venue refuse the cancel that follows.
 */

import { SECOND_MS } from '../time.ts';
import { NotSent } from './send-once.ts';

/** Order of waiting requests: first those that end orders, then reads about orders, then new orders. */
export const URGENCY = { cancel: 0, ask: 1, place: 2 } as const;
export type Urgency = keyof typeof URGENCY;

/** The venue's rate limit delayed a request for too long. */
export class RateLimitTimeout extends NotSent {
  override readonly name = 'RateLimitTimeout';
}

export type RateLimiterOptions = {
  readonly tokensPerSec: number;
  /** Tokens that may be spent at once. */
  readonly burst: number;
};

/** As long as the timeout of an answer. */
const TURN_WAIT_MAX_MS = 10 * SECOND_MS;
/** After a 429 without a time, no request is sent for a second, and slightly longer at random. */
const REST_MS = SECOND_MS;
const REST_MAX_MS = 60 * SECOND_MS;

type Waiting = { readonly cost: number; readonly urgency: Urgency; readonly go: () => void };

export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #waiting: Waiting[] = [];
  #tokens: number;
  #countedAtMs = performance.now();
  #pausedUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#tokens = options.burst;
  }

  /** Waits until the request may leave. Throws the signal's reason if that takes too long: nothing has left then. */
  async take(cost: number, urgency: Urgency, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { cost, urgency, go: resolve };
    const giveUp = () => {
      const at = this.#waiting.indexOf(waiting);
      // Its turn came at the same moment.
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      reject(signal.reason);
      this.#serve();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    this.#waiting.push(waiting);
    this.#waiting.sort((a, b) => URGENCY[a.urgency] - URGENCY[b.urgency]);
    this.#serve();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Waits until the request may leave, up to the timeout of an answer. Throws {@link RateLimitTimeout} after that. */
  async acquire(venue: string, cost: number, urgency: Urgency): Promise<void> {
    try {
      await this.take(cost, urgency, AbortSignal.timeout(TURN_WAIT_MAX_MS));
    } catch (cause) {
      throw new RateLimitTimeout(`the rate limit of ${venue} is used up`, { cause });
    }
  }

  /** Stops all requests for a while, because the venue has asked for a pause. */
  pauseFor(durationMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, performance.now() + durationMs);
  }

  /** Pauses as long as the answer states, if it refused a request as one too many (429). */
  applyRetryAfter({ status, headers }: { readonly status: number; readonly headers: Headers }): void {
    if (status !== 429) return;
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    const isNamed = seconds > 0;
    this.pauseFor(isNamed ? Math.min(seconds * SECOND_MS, REST_MAX_MS) : REST_MS * (1 + Math.random() / 2));
  }

  #serve(): void {
    clearTimeout(this.#timer);
    const nowMs = performance.now();
    const { tokensPerSec, burst } = this.#options;
    const grown = this.#tokens + ((nowMs - this.#countedAtMs) / 1_000) * tokensPerSec;
    this.#tokens = Math.min(burst, grown);
    this.#countedAtMs = nowMs;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const waitMs = this.#waitMs(next.cost, nowMs);
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#serve(), Math.ceil(waitMs));
        return;
      }
      this.#tokens -= next.cost;
      this.#waiting.shift();
      next.go();
    }
  }

  /** A request that costs more than a burst leaves when the burst is full. */
  #waitMs(cost: number, nowMs: number): number {
    const { tokensPerSec, burst } = this.#options;
    const missing = Math.min(cost, burst) - this.#tokens;
    return Math.max(this.#pausedUntilMs - nowMs, (missing / tokensPerSec) * 1_000);
  }
}
