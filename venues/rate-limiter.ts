/**
 * Requests of one connection to a venue, in turn: so many tokens a second, and brakes before everything else. Money is never sent in
 * a burst that makes the venue refuse the cancel that follows.
 */

import { NotSent } from './http/send-once.ts';
import { SECOND_MS } from './time.ts';

/** Who goes first among those that wait: what ends orders, then what asks about them, then what makes them. */
export const URGENCY = { cancel: 0, ask: 1, place: 2 } as const;
export type Urgency = keyof typeof URGENCY;

/** The venue's rate gave a request no turn in time. */
export class NoTurn extends NotSent {
  override readonly name = 'NoTurn';
}

export type RateLimiterOptions = {
  readonly tokensPerSec: number;
  /** Tokens that may be spent at once. */
  readonly burst: number;
};

/** As long as an answer would be waited for. */
const TURN_WAIT_MAX_MS = 10 * SECOND_MS;
/** A venue that names no time to rest is left alone for a second, and somewhat longer at random. */
const REST_MS = SECOND_MS;
const REST_MAX_MS = 60 * SECOND_MS;

type Waiting = { readonly cost: number; readonly urgency: Urgency; readonly go: () => void };

export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #waiting: Waiting[] = [];
  #tokens: number;
  #countedAtMs = performance.now();
  #restsUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#tokens = options.burst;
  }

  /** Waits until the request may leave. Throws the signal's reason where that takes too long: nothing has left then. */
  async take(cost: number, urgency: Urgency, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { cost, urgency, go: resolve };
    const leave = () => {
      const at = this.#waiting.indexOf(waiting);
      // Its turn came in the same moment.
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      reject(signal.reason);
      this.#serve();
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.push(waiting);
    this.#waiting.sort((a, b) => URGENCY[a.urgency] - URGENCY[b.urgency]);
    this.#serve();
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Waits until the request may leave, for as long as an answer would be waited for. Throws {@link NoTurn} after that. */
  async turn(venue: string, cost: number, urgency: Urgency): Promise<void> {
    try {
      await this.take(cost, urgency, AbortSignal.timeout(TURN_WAIT_MAX_MS));
    } catch (cause) {
      throw new NoTurn(`the rate that ${venue} allows is used up`, { cause });
    }
  }

  /** Lets nothing leave for a while: the venue has asked for rest. */
  rest(durationMs: number): void {
    this.#restsUntilMs = Math.max(this.#restsUntilMs, performance.now() + durationMs);
  }

  /** The same for as long as its answer says, where it has refused a request as one too many (429). */
  heed({ status, headers }: { readonly status: number; readonly headers: Headers }): void {
    if (status !== 429) return;
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    const isNamed = seconds > 0;
    this.rest(isNamed ? Math.min(seconds * SECOND_MS, REST_MAX_MS) : REST_MS * (1 + Math.random() / 2));
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

  /** What costs more than a burst leaves with a full one. */
  #waitMs(cost: number, nowMs: number): number {
    const { tokensPerSec, burst } = this.#options;
    const missing = Math.min(cost, burst) - this.#tokens;
    return Math.max(this.#restsUntilMs - nowMs, (missing / tokensPerSec) * 1_000);
  }
}
