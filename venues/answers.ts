/**
 * A cache of venues' answers: one load for identical concurrent calls, a lifetime per kind of answer. While the venue fails, it
 * serves the last good answer, marked `stale`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { FeedClock } from './clock.ts';
import { DEFAULT_RETRY_AFTER_SEC, VenueError } from './errors.ts';
import { ANSWER_DEADLINE_MS, type Deadline, deadlineIn } from './http/deadline.ts';
import { isoTime } from './time.ts';
import type { Provenance, Source } from './views.ts';

/** How long the last good answer of a failing venue may be served. */
export const STALE_MAX_MS = 5 * 60_000;
/** A failed call is not repeated sooner, however many callers ask for it: this spares a failing venue. */
const FAILURE_TTL_MS = 1_000;
/** How long a "does not exist" is cached. */
const NOT_FOUND_TTL_MS = 5_000;
/** The weight of a "does not exist" in the cache: only few should be stored. */
const NOT_FOUND_CHARS = 1_000;
/** About 6 MB of JSON per venue, three of the largest answers; the least recently used are evicted first. */
const CACHED_MAX_CHARS = 6_000_000;

export type Answer<T> = Provenance & {
  readonly value: T;
};

/** How long an answer is valid, and whether an older one may replace it. */
export type Freshness<T = unknown> = {
  /** Milliseconds of the feed's clock, of every answer or of this one. */
  ttlMs: number | ((value: T) => number);
  /** `false` where money depends on the answer: then an error stays an error. Default true. */
  staleAllowed?: boolean;
  /** The remaining time of a call that needs this answer as one part. Default {@link ANSWER_DEADLINE_MS}, the full time. */
  deadlineMs?: number;
};

type Load<T> = (deadline: Deadline) => Promise<T>;
/** Stores only the message of an error: with stacks and causes, thousands of errors would weigh more than the answers. */
type Entry = { storedAtMs: number } & ({ answer: Answer<unknown> } | { notFound: string });
type Failure = { failedAtMs: number; message: string; retryAfterSec: number };

export class Answers {
  readonly #clock: FeedClock;
  readonly #source: Source;
  readonly #entries = new LRUCache<string, Entry>({ maxSize: CACHED_MAX_CHARS });
  readonly #failures = new LRUCache<string, Failure>({ max: 500 });
  readonly #flights = new Map<string, Promise<Answer<unknown>>>();

  constructor(clock: FeedClock, source: Source) {
    this.#clock = clock;
    this.#source = source;
  }

  /**
   * Returns the answer of `key`: cached while valid, else loaded once for all concurrent callers. Two calls with one key must
   * mean the same type. Throws a VenueError.
   */
  get<T>(key: string, freshness: Freshness<T>, load: Load<T>): Promise<Answer<T>> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && this.#isFresh(entry, freshness)) {
      if ('answer' in entry) return Promise.resolve(entry.answer as Answer<T>);
      return Promise.reject(VenueError.notFound(entry.notFound));
    }
    const running = this.#flights.get(key);
    if (running !== undefined) return awaitShared(running as Promise<Answer<T>>, freshness);
    const flight = this.#load(key, freshness, load).finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  #isFresh<T>(entry: Entry, { ttlMs }: Freshness<T>): boolean {
    const { speed } = this.#clock;
    // Tests move a world that stands still, and must see each step at once.
    if (speed === 0) return false;
    const ageMs = (performance.now() - entry.storedAtMs) * speed;
    if (typeof ttlMs === 'number')
      return ageMs < ('answer' in entry ? ttlMs : Math.min(ttlMs, NOT_FOUND_TTL_MS));
    return ageMs < ('answer' in entry ? ttlMs(entry.answer.value as T) : NOT_FOUND_TTL_MS);
  }

  async #load<T>(key: string, freshness: Freshness<T>, load: Load<T>): Promise<Answer<T>> {
    const failure = this.#failures.get(key);
    if (failure !== undefined && performance.now() - failure.failedAtMs < FAILURE_TTL_MS) {
      return this.#staleAnswer<T>(
        key,
        freshness,
        VenueError.unavailable(failure.message, failure.retryAfterSec),
      );
    }
    try {
      using deadline = deadlineIn(freshness.deadlineMs ?? ANSWER_DEADLINE_MS);
      const value = await load(deadline);
      const answer: Answer<T> = { value, source: this.#source, asOf: isoTime(this.#clock.now()) };
      const size = JSON.stringify(value).length + 1;
      this.#entries.set(key, { storedAtMs: performance.now(), answer }, { size });
      return answer;
    } catch (error) {
      if (!(error instanceof VenueError)) throw error;
      return this.#recover<T>(key, freshness, error);
    }
  }

  #recover<T>(key: string, freshness: Freshness<T>, error: VenueError): Answer<T> {
    if (error.kind === 'not_found') {
      const entry = { storedAtMs: performance.now(), notFound: error.message };
      this.#entries.set(key, entry, { size: NOT_FOUND_CHARS });
    }
    if (error.kind !== 'unavailable') throw error;
    const { message, retryAfterSec } = error;
    const failure = {
      failedAtMs: performance.now(),
      message,
      retryAfterSec: retryAfterSec ?? DEFAULT_RETRY_AFTER_SEC,
    };
    this.#failures.set(key, failure);
    return this.#staleAnswer<T>(key, freshness, error);
  }

  /** Returns the last good answer, marked stale, if it may replace the current one; else throws the error. */
  #staleAnswer<T>(key: string, { staleAllowed = true }: Freshness<T>, error: VenueError): Answer<T> {
    const entry = this.#entries.get(key);
    if (!staleAllowed || entry === undefined || !('answer' in entry)) throw error;
    if (performance.now() - entry.storedAtMs >= STALE_MAX_MS) throw error;
    return { ...(entry.answer as Answer<T>), source: 'stale' };
  }
}

/** Waits for another caller's load, but no longer than this call's own deadline: the load may have begun later. */
async function awaitShared<T>(flight: Promise<T>, { deadlineMs }: Pick<Freshness, 'deadlineMs'>): Promise<T> {
  if (deadlineMs === undefined) return flight;
  const answered = new AbortController();
  const tooLate = sleep(deadlineMs, undefined, { signal: answered.signal }).then(() => {
    throw VenueError.unavailable('the venue cannot answer in time');
  });
  try {
    return await Promise.race([flight, tooLate]);
  } finally {
    tooLate.catch(() => undefined);
    answered.abort();
  }
}
