import type { RecordedQuote } from '../../../../engine/history/quote-columns.ts';
import { appendQuotes, type QuoteBatch } from '../../../../engine/history/quote-log.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';

/** What was seen is written once in so long: what a process that dies has not written is a gap. */
const WRITE_PERIOD_MS = 60_000;
/** Quotes kept while the database takes none; then the oldest go, which is said. */
const WAITING_MAX = 200_000;
/** Quotes of one instrument that are written together at most. */
const BATCH_MAX = 10_000;

/**
 * Keeps what a feed has written, and writes it down a minute at a time. Never in a quote's way: trouble is a line in the log,
 * and what could not be written is written with the next minute, as it was.
 */
export class QuoteRecorder {
  readonly #context: Pick<RunnerContext, 'db'>;
  readonly #log: LogOnce;
  readonly #subject: string;
  #batches: QuoteBatch[] = [];
  #filling = new Map<string, RecordedQuote[]>();
  #lastAtMs = new Map<string, number>();
  #count = 0;
  #writtenMs = performance.now();
  #writing: Promise<void> = Promise.resolve();

  constructor(context: Pick<RunnerContext, 'db'>, log: LogOnce, subject: string) {
    this.#context = context;
    this.#log = log;
    this.#subject = subject;
  }

  /** Takes a quote of an instrument; one that is not newer than the last is no news. */
  take(tokenId: string, quote: RecordedQuote): void {
    if (quote.atMs <= (this.#lastAtMs.get(tokenId) ?? Number.NEGATIVE_INFINITY)) return;
    this.#lastAtMs.set(tokenId, quote.atMs);
    const filling = this.#filling.get(tokenId);
    if (filling !== undefined && filling.length < BATCH_MAX) filling.push(quote);
    else this.#begin(tokenId, [quote]);
    this.#count++;
    if (this.#count > WAITING_MAX) this.#dropOldest();
  }

  /** Writes if it is time; nobody waits for it. */
  writeDue(): void {
    if (performance.now() - this.#writtenMs < WRITE_PERIOD_MS) return;
    this.#writtenMs = performance.now();
    void this.write();
  }

  /** Writes what waits, after what is being written. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#log.tried(this.#subject, () => this.#append()));
    return this.#writing;
  }

  async #append(): Promise<void> {
    const batches = this.#batches;
    this.#batches = [];
    this.#filling.clear();
    this.#lastAtMs.clear();
    try {
      await appendQuotes(this.#context.db, batches);
      this.#count -= countOf(batches);
    } catch (error) {
      // In order and as they were: what the database took after all is known by its beginning.
      this.#batches = [...batches, ...this.#batches];
      throw error;
    }
  }

  #begin(tokenId: string, quotes: RecordedQuote[]): void {
    this.#filling.set(tokenId, quotes);
    this.#batches.push({ tokenId, quotes });
  }

  #dropOldest(): void {
    const oldest = this.#batches.shift();
    if (oldest === undefined) return;
    this.#count -= oldest.quotes.length;
    if (this.#filling.get(oldest.tokenId) === oldest.quotes) this.#filling.delete(oldest.tokenId);
    this.#log.trouble(
      this.#subject,
      new Error(`More than ${WAITING_MAX} quotes wait to be written: some are lost.`),
    );
  }
}

const countOf = (batches: readonly QuoteBatch[]): number =>
  batches.reduce((count, { quotes }) => count + quotes.length, 0);
