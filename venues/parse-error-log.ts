/** Logs records that cannot be parsed: the instrument and the field, never its value. The log is rate limited. */
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from './time.ts';

/** The methods of a logger that are used; pino fits. */
export type VenueLog = {
  warn(fields: object, message: string): void;
};

/** The same field of the same record is logged once within this time. */
const REPEAT_MS = 10 * MINUTE_MS;
/** A venue that changes its format breaks thousands of records: this bounds the lines per minute. */
const LINES_PER_MINUTE = 20;
const LOGGED_MAX = 1_000;

/** The form of a record's name that may be logged. */
const NAME = /^[\w.:-]{1,100}$/;

export class ParseErrorLog {
  readonly #log: VenueLog | null;
  readonly #logged = new LRUCache<string, true>({ max: LOGGED_MAX, ttl: REPEAT_MS });
  #minute = 0;
  #lines = 0;

  constructor(log: VenueLog | null) {
    this.#log = log;
  }

  /** `field` is the path of the first unexpected field; "" if the record as a whole is. */
  unreadable(venue: string, name: unknown, field: string): void {
    const record = typeof name === 'string' && NAME.test(name) ? name : 'unnamed';
    const key = `${venue} ${record} ${field}`;
    if (this.#log === null || this.#logged.has(key) || !this.#mayLog()) return;
    this.#logged.set(key, true);
    const fields = { venue, record, field: field.slice(0, 100) };
    this.#log.warn(fields, 'a record of a venue could not be parsed and was skipped');
  }

  #mayLog(): boolean {
    const minute = Math.floor(performance.now() / MINUTE_MS);
    if (minute !== this.#minute) [this.#minute, this.#lines] = [minute, 0];
    this.#lines += 1;
    return this.#lines <= LINES_PER_MINUTE;
  }
}
