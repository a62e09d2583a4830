/**
 * What a venue answered, kept as long as it is good: one load for identical calls at the same time, a lifetime per kind of
 * answer, and the last good answer, marked `stale`, while the venue is in trouble.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { FeedClock } from './clock.ts';
import { ANSWER_DEADLINE_MS, type Deadline, deadlineIn } from './deadline.ts';
import { DEFAULT_RETRY_AFTER_SEC, VenueError } from './errors.ts';
import { isoTime } from './time.ts';
import type { Provenance, Source } from './views.ts';

/** A failing venue's last good answer is worth showing this long. */
export const STALE_MAX_MS = 5 * 60_000;
/** A call that failed is not repeated sooner, however many ask: the venue has enough trouble. */
const FAILURE_TTL_MS = 1_000;
/** That something does not exist is believed this long. */
const NOT_FOUND_TTL_MS = 5_000;
/** What it weighs in the cache: few are worth keeping. */
const NOT_FOUND_CHARS = 1_000;
/** About 6 MB of JSON per venue, three of the largest answers; the least recently used go first. */
const CACHED_MAX_CHARS = 6_000_000;

export type Answer<T> = Provenance & {
  readonly value: T;
};

/** How long an answer counts, and whether an older one may stand in. */
export type Freshness<T = unknown> = {
  /** Milliseconds of the feed's clock, of every answer or of this one. */
  ttlMs: number | ((value: T) => number);
  /** `false` where money depends on it: then an error stays an error. Default true. */
  staleAllowed?: boolean;
  /** What is left to a call that this answer is only a part of. Default {@link ANSWER_DEADLINE_MS}, all of it. */
  deadlineMs?: number;
};

type Load<T> = (deadline: Deadline) => Promise<T>;
/** Of errors only what makes them: with their stacks and causes, thousands of them would weigh more than the answers. */
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
   * The answer of `key`: cached while younger than its lifetime, else loaded once for all who ask meanwhile. Two calls
   * with one key must mean the same type. Throws a VenueError.
   */
  get<T>(key: string, freshness: Freshness<T>, load: Load<T>): Promise<Answer<T>> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && this.#isFresh(entry, freshness)) {
      if ('answer' in entry) return Promise.resolve(entry.answer as Answer<T>);
      return Promise.reject(VenueError.notFound(entry.notFound));
    }
    const running = this.#flights.get(key);
    if (running !== undefined) return joined(running as Promise<Answer<T>>, freshness);
    const flight = this.#load(key, freshness, load).finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  #isFresh<T>(entry: Entry, { ttlMs }: Freshness<T>): boolean {
    const { speed } = this.#clock;
    // A world that stands still is moved by tests, which must see each step at once.
    if (speed === 0) return false;
    const ageMs = (performance.now() - entry.storedAtMs) * speed;
    if (typeof ttlMs === 'number')
      return ageMs < ('answer' in entry ? ttlMs : Math.min(ttlMs, NOT_FOUND_TTL_MS));
    return ageMs < ('answer' in entry ? ttlMs(entry.answer.value as T) : NOT_FOUND_TTL_MS);
  }

  async #load<T>(key: string, freshness: Freshness<T>, load: Load<T>): Promise<Answer<T>> {
    const failure = this.#failures.get(key);
    if (failure !== undefined && performance.now() - failure.failedAtMs < FAILURE_TTL_MS) {
      return this.#standIn<T>(key, freshness, VenueError.unavailable(failure.message, failure.retryAfterSec));
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
    return this.#standIn<T>(key, freshness, error);
  }

  /** The last good answer, marked stale, if it may stand in; else the error. */
  #standIn<T>(key: string, { staleAllowed = true }: Freshness<T>, error: VenueError): Answer<T> {
    const entry = this.#entries.get(key);
    if (!staleAllowed || entry === undefined || !('answer' in entry)) throw error;
    if (performance.now() - entry.storedAtMs >= STALE_MAX_MS) throw error;
    return { ...(entry.answer as Answer<T>), source: 'stale' };
  }
}

/** What somebody else's load brings, but no longer than there is time: that load may have begun later than this call. */
async function joined<T>(flight: Promise<T>, { deadlineMs }: Pick<Freshness, 'deadlineMs'>): Promise<T> {
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
