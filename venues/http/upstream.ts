/**
 * One upstream host: a rate queue that respects its limits, a deadline over everything, retries of reads, `Retry-After`, a
 * circuit breaker. Bodies are bounded, redirects are refused, the origin is fixed. A result has passed a schema. A failure is a
 * {@link VenueError} whose text contains nothing of the venue's.
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
import { DEFAULT_RETRY_AFTER_SEC, VenueError } from '../errors.ts';
import { readJson } from './body.ts';
import type { Deadline } from './deadline.ts';
import { REQUEST_HEADERS } from './send-once.ts';
import { type VenueCall, venueCalls } from './venue-calls.ts';

/** Resolves when a request may leave; rejects once the signal aborts. */
export type RateLimiter = (signal: AbortSignal) => Promise<void>;

export type UpstreamOptions = {
  /** The name in messages: `Kalshi`. */
  name: string;
  /** Origin and base path; every request stays below it. */
  baseUrl: string;
  /** Requests per second that the venue allows; they are spaced evenly, without bursts. */
  ratePerSec: number;
  /** Maximum of concurrent requests. */
  concurrency: number;
  clock: FeedClock;
  /** A rate limiter shared with other processes, in addition to this process's own. */
  sharedLimiter?: RateLimiter | undefined;
  /** A header with the used weight per minute, and the count at which to wait for the next minute. */
  weight?: { header: string; softCap: number };
};

/** A 4xx answer, for connectors that know its meaning at the venue. */
export type Refusal = {
  status: number;
  body: unknown;
};

export type RequestOptions<T> = {
  schema: z.ZodType<T>;
  deadline: Deadline;
  query?: Query;
  /** A read that the venue requires as POST. It is sent once: only GETs are retried. */
  body?: unknown;
  /** Default: the priority of the whole call, else `view`. */
  priority?: Priority;
  /** The error for a refusal; null leaves it to the default: 404 not found, 400 and 422 see `callersValue`. */
  refusal?: (refusal: Refusal) => VenueError | null;
  /** Whether a value of the caller can cause the refusal. Otherwise the refusal is this service's own fault. */
  callersValue?: boolean;
};

/** Order of waiting requests where a venue allows few: trading first, background work last. */
const PRIORITIES = { background: -1, view: 0, trading: 1 } as const;
export type Priority = keyof typeof PRIORITIES;

const callPriority = new AsyncLocalStorage<Priority>();

/** Runs a call with many requests; those without a priority get this one. */
export const atPriority = <Result>(priority: Priority, call: () => Promise<Result>): Promise<Result> =>
  callPriority.run(priority, call);

export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

const priorityOf = ({ priority = callPriority.getStore() ?? 'view' }: { priority?: Priority }): Priority =>
  priority;

/** Delays before the first and the second retry, before jitter. */
const BACKOFF_MS = [300, 900] as const;
/** The longest pause that a venue's `Retry-After` can cause: one hour. */
const BLOCK_MAX_MS = 3_600_000;
/** After a 429 without a time, the host gets no requests for this long. */
const UNTIMED_BLOCK_MS = 1_000;
/** A timeout of a request that had less time than this is not evidence about the host. */
const FAIR_TIME_MS = 1_000;
const BREAK_AFTER_FAILURES = 5;
const BREAK_MS = { initialDelay: 2_000, maxDelay: 10_000 };

/** Statuses of a refusal, rather than a failure. */
const REFUSALS = new Set([400, 404, 422]);

const POST_HEADERS = { ...REQUEST_HEADERS, 'content-type': 'application/json' };

/** The host failed: unreachable, too slow, overloaded or unreadable. Counts for the breaker; a refusal does not. */
class HostFailure extends Error {
  readonly retryAfterMs: number | null;
  readonly repeatable: boolean;
  readonly blamed: boolean;
  constructor(message: string, options: FailureOptions = {}) {
    const { retryAfterMs = null, repeatable = true, blamed = true, cause } = options;
    super(message, cause === undefined ? {} : { cause });
    this.retryAfterMs = retryAfterMs;
    this.repeatable = repeatable;
    this.blamed = blamed;
  }
}

type FailureOptions = {
  retryAfterMs?: number | null;
  /** Whether a retry may help. */
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
    handleWhen((error) => error instanceof HostFailure && error.blamed),
    {
      halfOpenAfter: new ExponentialBackoff(BREAK_MS),
      breaker: new ConsecutiveBreaker(BREAK_AFTER_FAILURES),
    },
  );
  #blockedUntilMs = 0;
  /** Why the host currently gets no requests, if so. */
  #lastFailure: HostFailure | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.#base = new URL(options.baseUrl.endsWith('/') ? options.baseUrl : `${options.baseUrl}/`);
    this.#queue = new PQueue({ concurrency: options.concurrency });
  }

  /** Requests per second, of one weight, for all history downloads: half of the venue's limit. */
  backgroundRate(weight = 1): number {
    const { ratePerSec, weight: counted } = this.#options;
    const allowed = counted === undefined ? ratePerSec : Math.min(ratePerSec, counted.softCap / 60 / weight);
    return allowed / 2;
  }

  /** Requests `path` (relative to the base, its segments already encoded); returns the parsed value of the schema. */
  async request<T>(path: string, options: RequestOptions<T>): Promise<T> {
    const url = this.#url(path, options.query);
    const retries = options.body === undefined ? BACKOFF_MS : [];
    for (let attempt = 0; ; attempt += 1) {
      try {
        return this.#parse(await this.#enter(url, options), options.schema);
      } catch (error) {
        if (!(error instanceof HostFailure)) throw error;
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
      throw VenueError.badRequest('the URL is outside the venue');
    }
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      for (const item of typeof value === 'object' ? value : [value])
        url.searchParams.append(name, String(item));
    }
    return url;
  }

  /** Refuses at once if no answer is possible in time, else waits for the queue. */
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

  /** Number of waiting requests that precede one of this priority. */
  #aheadOf(own: Priority): number {
    return Object.values(PRIORITIES)
      .filter((priority) => priority >= PRIORITIES[own])
      .reduce<number>((count, priority) => count + this.#queue.sizeBy({ priority }), 0);
  }

  async #enqueue<T>(url: URL, options: RequestOptions<T>): Promise<unknown> {
    const { signal } = options.deadline;
    let startedAtMs: number | null = null;
    const send = async () => {
      this.#holdNext();
      await this.#options.sharedLimiter?.(signal);
      startedAtMs = performance.now();
      return this.#send(url, options);
    };
    try {
      return await this.#queue.add(send, { signal, priority: PRIORITIES[priorityOf(options)] });
    } catch (error) {
      if (!signal.aborted || error instanceof VenueError) throw error;
      // A timeout is the host's fault only after the request was sent; a full queue is ours.
      if (startedAtMs === null) throw this.#busy();
      const blamed = performance.now() - startedAtMs >= FAIR_TIME_MS;
      throw new HostFailure('is too slow', { cause: error, blamed });
    }
  }

  /**
   * Lets the next request leave one interval later. The intervals of the queue itself follow the wall clock: where that is set
   * back by an hour, they would let nothing leave for that hour.
   */
  #holdNext(): void {
    this.#queue.pause();
    setTimeout(() => this.#queue.start(), Math.ceil(1_000 / this.#options.ratePerSec));
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
    this.#recordWeight(response.headers);
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
    throw this.#failureOf(response);
  }

  async #fetch(url: URL, body: unknown, signal: AbortSignal): Promise<Response> {
    const init: RequestInit = { headers: REQUEST_HEADERS, redirect: 'manual', signal };
    const post = { method: 'POST', headers: POST_HEADERS, body: JSON.stringify(body) };
    try {
      return await fetch(url, body === undefined ? init : { ...init, ...post });
    } catch (cause) {
      throw new HostFailure('cannot be reached', { cause });
    }
  }

  async #read(response: Response): Promise<unknown> {
    try {
      return await readJson(response);
    } catch (cause) {
      // A truncated body may be complete at the next attempt; a body that is too large will not shrink.
      throw new HostFailure('sent a response that could not be parsed', {
        cause,
        repeatable: !(cause instanceof RangeError),
      });
    }
  }

  /** 429 and 418 ask for a pause, 5xx may be temporary, any other status stays the same after a retry. */
  #failureOf({ status, headers }: Response): HostFailure {
    const retryAfterMs = retryAfter(headers);
    const overloaded = status === 429 || status === 418;
    if (overloaded || retryAfterMs !== null) this.#block(retryAfterMs ?? UNTIMED_BLOCK_MS);
    const message = overloaded ? 'limits the rate of requests' : `answered with status ${status}`;
    return new HostFailure(message, { retryAfterMs, repeatable: overloaded || status >= 500 });
  }

  #parse<T>(value: unknown, schema: z.ZodType<T>): T {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const where = result.error.issues[0]?.path.join('.') ?? '';
    throw VenueError.unavailable(
      `${this.#options.name} sent an answer of unexpected shape (${where})`,
      DEFAULT_RETRY_AFTER_SEC,
      result.error,
    );
  }

  #refused(status: number, callersValue: boolean): VenueError {
    const { name } = this.#options;
    if (status === 404) return VenueError.notFound(`${name} has no such record`);
    if (callersValue) return VenueError.badRequest(`${name} rejected that value`);
    return VenueError.unavailable(`${name} rejected a request of this service`);
  }

  #busy(retryAfterSec?: number): VenueError {
    return VenueError.unavailable(`${this.#options.name} cannot answer in time`, retryAfterSec);
  }

  #resting(): VenueError {
    return VenueError.unavailable(
      `${this.#options.name} has failed repeatedly; requests are paused for a while`,
      DEFAULT_RETRY_AFTER_SEC,
      this.#lastFailure,
    );
  }

  #unavailable(failure: HostFailure): VenueError {
    this.#lastFailure = failure;
    const waitSec = failure.retryAfterMs === null ? undefined : failure.retryAfterMs / 1_000;
    return VenueError.unavailable(`${this.#options.name} ${failure.message}`, waitSec, failure);
  }

  #block(durationMs: number): void {
    const untilMs = performance.now() + Math.min(durationMs, BLOCK_MAX_MS);
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, untilMs);
  }

  #recordWeight(headers: Headers): void {
    const { weight } = this.#options;
    if (weight === undefined) return;
    const used = Number(headers.get(weight.header) ?? 0);
    if (used >= weight.softCap) this.#block(60_000 - (Date.now() % 60_000));
  }
}

/** `Retry-After` in ms, from seconds or an HTTP date; null if absent or invalid. */
function retryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const untilMs = Date.parse(text);
  return Number.isNaN(untilMs) ? null : Math.max(0, untilMs - Date.now());
}
