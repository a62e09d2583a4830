/**
 * What a venue answered, kept as long as it is good: one load for identical calls at the same time, a lifetime per kind of
 * answer, and the last good answer, marked `stale`, while the venue is in trouble.
 */
import { LRUCache } from 'lru-cache';
import type { FeedClock } from './clock.ts';
import { ANSWER_DEADLINE_MS, type Deadline, deadlineIn } from './deadline.ts';
import { VenueError } from './errors.ts';
import { isoTime } from './time.ts';
import type { Provenance, Source } from './views.ts';

/** A failing venue's last good answer is worth showing this long. */
export const MAX_STALE_MS = 5 * 60_000;
/** That something does not exist is believed this long. */
const NOT_FOUND_TTL_MS = 5_000;
/** About 2 MB of JSON per venue; the least recently used answers go first. */
const MAX_CACHED_CHARS = 2_000_000;

export interface Answer<T> extends Provenance {
  readonly value: T;
}

/** How long an answer counts, and whether an older one may stand in. */
export interface Freshness {
  /** Milliseconds of the feed's clock. */
  ttlMs: number;
  /** `false` where money depends on it: then an error stays an error. Default true. */
  staleAllowed?: boolean;
  /** Default {@link ANSWER_DEADLINE_MS}. */
  deadlineMs?: number;
}

type Load<T> = (deadline: Deadline) => Promise<T>;
type Entry = { storedAtMs: number } & ({ answer: Answer<unknown> } | { notFound: VenueError });

export class Answers {
  readonly #clock: FeedClock;
  readonly #source: Source;
  readonly #entries = new LRUCache<string, Entry>({ maxSize: MAX_CACHED_CHARS });
  readonly #flights = new Map<string, Promise<Answer<unknown>>>();

  constructor(clock: FeedClock, source: Source) {
    this.#clock = clock;
    this.#source = source;
  }

  /**
   * The answer of `key`: cached while younger than its lifetime, else loaded once for all who ask meanwhile. Two calls
   * with one key must mean the same type. Throws a VenueError.
   */
  get<T>(key: string, freshness: Freshness, load: Load<T>): Promise<Answer<T>> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && this.#isFresh(entry, freshness)) {
      return 'answer' in entry ? Promise.resolve(entry.answer as Answer<T>) : Promise.reject(entry.notFound);
    }
    const running = this.#flights.get(key);
    if (running !== undefined) return running as Promise<Answer<T>>;
    const flight = this.#load(key, freshness, load).finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  #isFresh(entry: Entry, { ttlMs }: Freshness): boolean {
    const { speed } = this.#clock;
    // A world that stands still is moved by tests, which must see each step at once.
    if (speed === 0) return false;
    const lifetimeMs = 'answer' in entry ? ttlMs : Math.min(ttlMs, NOT_FOUND_TTL_MS);
    return (performance.now() - entry.storedAtMs) * speed < lifetimeMs;
  }

  async #load<T>(key: string, freshness: Freshness, load: Load<T>): Promise<Answer<T>> {
    try {
      const value = await load(deadlineIn(freshness.deadlineMs ?? ANSWER_DEADLINE_MS));
      const answer: Answer<T> = { value, source: this.#source, asOf: isoTime(this.#clock.now()) };
      this.#entries.set(
        key,
        { storedAtMs: performance.now(), answer },
        { size: JSON.stringify(value).length + 1 },
      );
      return answer;
    } catch (error) {
      if (!(error instanceof VenueError)) throw error;
      return this.#recover<T>(key, freshness, error);
    }
  }

  #recover<T>(key: string, { staleAllowed = true }: Freshness, error: VenueError): Answer<T> {
    if (error.kind === 'not_found') {
      this.#entries.set(key, { storedAtMs: performance.now(), notFound: error }, { size: 200 });
    }
    const entry = this.#entries.get(key);
    if (error.kind !== 'unavailable' || !staleAllowed || entry === undefined || !('answer' in entry))
      throw error;
    if (performance.now() - entry.storedAtMs >= MAX_STALE_MS) throw error;
    return { ...(entry.answer as Answer<T>), source: 'stale' };
  }
}
