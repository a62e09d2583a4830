/**
 * One upstream host: a rate queue that respects its limits, a deadline over everything, retries of reads, `Retry-After`,
 * a circuit breaker, bounded bodies, no redirects and a fixed origin. What comes out has passed a schema; what goes wrong
 * is a {@link VenueError} whose text holds nothing of the venue's.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
} from 'cockatiel';
import PQueue from 'p-queue';
import type { z } from 'zod';
import type { FeedClock } from '../clock.ts';
import type { Deadline } from '../deadline.ts';
import { DEFAULT_RETRY_AFTER_SEC, VenueError } from '../errors.ts';
import { readJson } from './body.ts';
import { type VenueCall, venueCalls } from './observed.ts';
import { HEADERS } from './send-once.ts';

/** Resolves when a request may leave; rejects once the signal aborts. */
export type RateLimiter = (signal: AbortSignal) => Promise<void>;

export type UpstreamOptions = {
  /** For messages: `Kalshi`. */
  name: string;
  /** Origin and base path; every request stays below it. */
  baseUrl: string;
  /** Requests per second that the venue allows; they are spaced evenly, without bursts. */
  ratePerSec: number;
  /** Requests under way at once. */
  concurrency: number;
  clock: FeedClock;
  /** Turns shared with other processes, besides this one's own. */
  turns?: RateLimiter | undefined;
  /** A header that counts used weight per minute, and the count at which to wait for the next minute. */
  weight?: { header: string; softCap: number };
};

/** A 4xx answer, for connectors that know what the venue means by it. */
export type Refusal = {
  status: number;
  body: unknown;
};

export type RequestOptions<T> = {
  schema: z.ZodType<T>;
  deadline: Deadline;
  query?: Query;
  /** A read that the venue takes as POST. It is sent once: only GETs are repeated. */
  body?: unknown;
  /** Default that of the whole call, `view`. */
  priority?: Priority;
  /** What a refusal means; null leaves it to the default: 404 not found, 400 and 422 see `callersValue`. */
  refusal?: (refusal: Refusal) => VenueError | null;
  /** Whether a value of the caller can be what the venue does not accept. Otherwise a refusal is this service's own fault. */
  callersValue?: boolean;
};

/** Who goes first where a venue allows little: background work after everybody, what trading depends on before them. */
const PRIORITIES = { background: -1, view: 0, trading: 1 } as const;
export type Priority = keyof typeof PRIORITIES;

const whole = new AsyncLocalStorage<Priority>();

/** Runs a call of many requests with this priority for all that name none. */
export const atPriority = <Result>(priority: Priority, call: () => Promise<Result>): Promise<Result> =>
  whole.run(priority, call);

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

const priorityOf = ({ priority = whole.getStore() ?? 'view' }: { priority?: Priority }): Priority => priority;

/** Waits before the first and the second retry, before jitter. */
const BACKOFF_MS = [300, 900] as const;
/** A venue that asks for more is asked again after an hour at the latest. */
const BLOCK_MAX_MS = 3_600_000;
/** After a 429 without a time, the host rests this long. */
const UNTIMED_BLOCK_MS = 1_000;
/** Of a request that had less time on the way than this, being too slow says nothing about the host. */
const FAIR_TIME_MS = 1_000;
const BREAK_AFTER_FAILURES = 5;
const BREAK_MS = { initialDelay: 2_000, maxDelay: 10_000 };

/** Statuses by which a venue answers a question it cannot serve, rather than fails. */
const REFUSALS = new Set([400, 404, 422]);

const POST_HEADERS = { ...HEADERS, 'content-type': 'application/json' };

/** The host failed: unreachable, too slow, overloaded or unreadable. Counts for the breaker; a refusal does not. */
class HostTrouble extends Error {
  readonly retryAfterMs: number | null;
  readonly repeatable: boolean;
  readonly blamed: boolean;
  constructor(message: string, options: TroubleOptions = {}) {
    const { retryAfterMs = null, repeatable = true, blamed = true, cause } = options;
    super(message, cause === undefined ? {} : { cause });
    this.retryAfterMs = retryAfterMs;
    this.repeatable = repeatable;
    this.blamed = blamed;
  }
}

type TroubleOptions = {
  retryAfterMs?: number | null;
  /** Whether asking again may help. */
  repeatable?: boolean;
  /** Whether it counts for the breaker. */
  blamed?: boolean;
  cause?: unknown;
};

export class Upstream {
  readonly #options: UpstreamOptions;
  readonly #base: URL;
  readonly #queue: PQueue;
  readonly #breaker = circuitBreaker(
    handleWhen((error) => error instanceof HostTrouble && error.blamed),
    {
      halfOpenAfter: new ExponentialBackoff(BREAK_MS),
      breaker: new ConsecutiveBreaker(BREAK_AFTER_FAILURES),
    },
  );
  #blockedUntilMs = 0;
  /** Why the host is left alone, where it is. */
  #lastTrouble: HostTrouble | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#base = new URL(options.baseUrl.endsWith('/') ? options.baseUrl : `${options.baseUrl}/`);
    this.#queue = new PQueue({
      concurrency: options.concurrency,
      intervalCap: 1,
      interval: 1_000 / options.ratePerSec,
      strict: true,
    });
  }

  /** Requests of a weight that the whole past may ask for in a second: half of what the venue allows. */
  backgroundRate(weight = 1): number {
    const { ratePerSec, weight: counted } = this.#options;
    const allowed = counted === undefined ? ratePerSec : Math.min(ratePerSec, counted.softCap / 60 / weight);
    return allowed / 2;
  }

  /** Asks for `path` (relative to the base, its segments already encoded); returns what the schema makes of the answer. */
  async request<T>(path: string, options: RequestOptions<T>): Promise<T> {
    const url = this.#url(path, options.query);
    const retries = options.body === undefined ? BACKOFF_MS : [];
    for (let attempt = 0; ; attempt += 1) {
      try {
        return this.#parse(await this.#enter(url, options), options.schema);
      } catch (error) {
        if (!(error instanceof HostTrouble)) throw error;
        const backoffMs = retries[attempt];
        if (backoffMs === undefined || !error.repeatable) throw this.#unavailable(error);
        const waitMs = error.retryAfterMs ?? backoffMs * (0.5 + Math.random());
        if (waitMs >= options.deadline.remainingMs()) throw this.#unavailable(error);
        await sleep(waitMs);
      }
    }
  }

  #url(path: string, query: Query = {}): URL {
    const url = new URL(path, this.#base);
    if (url.origin !== this.#base.origin || !url.pathname.startsWith(this.#base.pathname)) {
      throw VenueError.badRequest('that address is not one of the venue');
    }
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      for (const item of typeof value === 'object' ? value : [value])
        url.searchParams.append(name, String(item));
    }
    return url;
  }

  /** Refuses at once what cannot be answered in time, else waits for its turn. */
  async #enter<T>(url: URL, options: RequestOptions<T>): Promise<unknown> {
    const blockedMs = Math.max(0, this.#blockedUntilMs - performance.now());
    const waitMs = blockedMs + (this.#aheadOf(priorityOf(options)) * 1_000) / this.#options.ratePerSec;
    if (waitMs >= options.deadline.remainingMs()) throw this.#busy(waitMs / 1_000);
    if (this.#breaker.state === CircuitState.HalfOpen) throw this.#resting();
    if (blockedMs > 0) await sleep(blockedMs);
    try {
      return await this.#breaker.execute(() => this.#enqueue(url, options));
    } catch (error) {
      throw error instanceof BrokenCircuitError ? this.#resting() : error;
    }
  }

  /** Requests that wait and go before one of this priority. */
  #aheadOf(own: Priority): number {
    return Object.values(PRIORITIES)
      .filter((priority) => priority >= PRIORITIES[own])
      .reduce<number>((count, priority) => count + this.#queue.sizeBy({ priority }), 0);
  }

  async #enqueue<T>(url: URL, options: RequestOptions<T>): Promise<unknown> {
    const { signal } = options.deadline;
    let startedAtMs: number | null = null;
    const send = async () => {
      await this.#options.turns?.(signal);
      startedAtMs = performance.now();
      return this.#send(url, options);
    };
    try {
      return await this.#queue.add(send, { signal, priority: PRIORITIES[priorityOf(options)] });
    } catch (error) {
      if (!signal.aborted || error instanceof VenueError) throw error;
      // Too slow is the host's fault only once it was asked; a full queue is ours.
      if (startedAtMs === null) throw this.#busy();
      const blamed = performance.now() - startedAtMs >= FAIR_TIME_MS;
      throw new HostTrouble('is too slow', { cause: error, blamed });
    }
  }

  /** One request, observed. */
  #send<T>(url: URL, options: RequestOptions<T>): Promise<unknown> {
    const { size: queued } = this.#queue;
    const isBroken = this.#breaker.state === CircuitState.Open;
    const call: VenueCall = { host: this.#options.name, queued, isBroken, outcome: 'failed' };
    return venueCalls.tracePromise(() => this.#ask(url, options, call), call);
  }

  async #ask<T>(
    url: URL,
    { body, deadline, refusal, callersValue = false }: RequestOptions<T>,
    call: VenueCall,
  ): Promise<unknown> {
    const response = await this.#fetch(url, body, deadline.signal);
    this.#options.clock.observe(response.headers);
    this.#keepWeight(response.headers);
    if (response.ok) {
      const read = await this.#read(response);
      call.outcome = 'answered';
      return read;
    }
    if (REFUSALS.has(response.status)) {
      call.outcome = 'refused';
      const refused = { status: response.status, body: await readJson(response).catch(() => null) };
      throw refusal?.(refused) ?? this.#refused(refused.status, callersValue);
    }
    await response.body?.cancel();
    throw this.#troubled(response);
  }

  async #fetch(url: URL, body: unknown, signal: AbortSignal): Promise<Response> {
    const init: RequestInit = { headers: HEADERS, redirect: 'manual', signal };
    const post = { method: 'POST', headers: POST_HEADERS, body: JSON.stringify(body) };
    try {
      return await fetch(url, body === undefined ? init : { ...init, ...post });
    } catch (cause) {
      throw new HostTrouble('cannot be reached', { cause });
    }
  }

  async #read(response: Response): Promise<unknown> {
    try {
      return await readJson(response);
    } catch (cause) {
      // What is cut short may come whole the next time; what is too large will not come smaller.
      throw new HostTrouble('sent what cannot be read', {
        cause,
        repeatable: !(cause instanceof RangeError),
      });
    }
  }

  /** 429 and 418 ask for rest, 5xx may pass, any other status will not change by asking again. */
  #troubled({ status, headers }: Response): HostTrouble {
    const retryAfterMs = retryAfter(headers);
    const overloaded = status === 429 || status === 418;
    if (overloaded || retryAfterMs !== null) this.#block(retryAfterMs ?? UNTIMED_BLOCK_MS);
    const message = overloaded ? 'asks for fewer requests' : `answered with status ${status}`;
    return new HostTrouble(message, { retryAfterMs, repeatable: overloaded || status >= 500 });
  }

  #parse<T>(value: unknown, schema: z.ZodType<T>): T {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const where = result.error.issues[0]?.path.join('.') ?? '';
    throw VenueError.unavailable(
      `${this.#options.name} sent an answer of another shape than expected (${where})`,
      DEFAULT_RETRY_AFTER_SEC,
      result.error,
    );
  }

  #refused(status: number, callersValue: boolean): VenueError {
    const { name } = this.#options;
    if (status === 404) return VenueError.notFound(`${name} does not know it`);
    if (callersValue) return VenueError.badRequest(`${name} does not accept that value`);
    return VenueError.unavailable(`${name} does not accept what this service asks`);
  }

  #busy(retryAfterSec?: number): VenueError {
    return VenueError.unavailable(`${this.#options.name} cannot answer in time`, retryAfterSec);
  }

  #resting(): VenueError {
    return VenueError.unavailable(
      `${this.#options.name} has failed repeatedly and is left alone for a while`,
      DEFAULT_RETRY_AFTER_SEC,
      this.#lastTrouble,
    );
  }

  #unavailable(trouble: HostTrouble): VenueError {
    this.#lastTrouble = trouble;
    const waitSec = trouble.retryAfterMs === null ? undefined : trouble.retryAfterMs / 1_000;
    return VenueError.unavailable(`${this.#options.name} ${trouble.message}`, waitSec, trouble);
  }

  #block(durationMs: number): void {
    const untilMs = performance.now() + Math.min(durationMs, BLOCK_MAX_MS);
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, untilMs);
  }

  #keepWeight(headers: Headers): void {
    const { weight } = this.#options;
    if (weight === undefined) return;
    const used = Number(headers.get(weight.header) ?? 0);
    if (used >= weight.softCap) this.#block(60_000 - (Date.now() % 60_000));
  }
}

/** `Retry-After` in ms, from seconds or an HTTP date; null where absent or senseless. */
function retryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const untilMs = Date.parse(text);
  return Number.isNaN(untilMs) ? null : Math.max(0, untilMs - Date.now());
}
