import type { RecordedQuote } from '../../../../engine/history/quote-columns.ts';
import { appendQuotes, type QuoteBatch } from '../../../../engine/history/quote-log.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';

/** How often recorded quotes are stored: those that a dying process has not stored are a gap. */
const WRITE_PERIOD_MS = 60_000;
/** Quotes in memory while the database accepts none; beyond it the oldest are dropped, which is logged. */
const WAITING_MAX = 200_000;
/** The most quotes of one instrument to store together. */
const BATCH_MAX = 10_000;

/**
 * Records the quotes of a feed, and stores them once a minute. It never delays a quote: an error is logged, and the unsaved
 * quotes are stored unchanged with the next minute.
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

  /** Records a quote of an instrument, if it is newer than the last. */
  take(tokenId: string, quote: RecordedQuote): void {
    if (quote.atMs <= (this.#lastAtMs.get(tokenId) ?? Number.NEGATIVE_INFINITY)) return;
    this.#lastAtMs.set(tokenId, quote.atMs);
    const filling = this.#filling.get(tokenId);
    if (filling !== undefined && filling.length < BATCH_MAX) filling.push(quote);
    else this.#begin(tokenId, [quote]);
    this.#count++;
    if (this.#count > WAITING_MAX) this.#dropOldest();
  }

  /** Stores in the background if due. */
  writeDue(): void {
    if (performance.now() - this.#writtenMs < WRITE_PERIOD_MS) return;
    this.#writtenMs = performance.now();
    void this.write();
  }

  /** Stores the waiting quotes, after the write in progress. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#log.attempt(this.#subject, () => this.#append()));
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
      // In order and unchanged: a batch that was stored after all is recognized by its start.
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
    this.#log.failed(
      this.#subject,
      new Error(`More than ${WAITING_MAX} quotes wait to be written: some are lost.`),
    );
  }
}

const countOf = (batches: readonly QuoteBatch[]): number =>
  batches.reduce((count, { quotes }) => count + quotes.length, 0);
