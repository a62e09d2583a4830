/** What is told of unreadable records: which instrument and which field, never what was in it, and not again and again. */
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from './time.ts';

/** What is needed of a logger; pino fits. */
export type VenueLog = {
  warn(fields: object, message: string): void;
};

/** The same field of the same record is told of once in this time. */
const REPEAT_MS = 10 * MINUTE_MS;
/** A venue that changes its format spoils thousands of records: so many lines a minute tell of it. */
const LINES_PER_MINUTE = 20;
const KEPT = 1_000;

/** How a record names itself, if that is fit for a log. */
const NAME = /^[\w.:-]{1,100}$/;

export class Complaints {
  readonly #log: VenueLog | null;
  readonly #told = new LRUCache<string, true>({ max: KEPT, ttl: REPEAT_MS });
  #minute = 0;
  #lines = 0;

  constructor(log: VenueLog | null) {
    this.#log = log;
  }

  /** `field` is the path of the first field that is not as expected; "" where it is the record as a whole. */
  unreadable(venue: string, name: unknown, field: string): void {
    const record = typeof name === 'string' && NAME.test(name) ? name : 'unnamed';
    const key = `${venue} ${record} ${field}`;
    if (this.#log === null || this.#told.has(key) || !this.#mayTell()) return;
    this.#told.set(key, true);
    const fields = { venue, record, field: field.slice(0, 100) };
    this.#log.warn(fields, 'a record of a venue cannot be read and is left out');
  }

  #mayTell(): boolean {
    const minute = Math.floor(performance.now() / MINUTE_MS);
    if (minute !== this.#minute) [this.#minute, this.#lines] = [minute, 0];
    this.#lines += 1;
    return this.#lines <= LINES_PER_MINUTE;
  }
}
