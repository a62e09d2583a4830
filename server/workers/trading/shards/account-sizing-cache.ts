import { type BooksKey, booksName, type Clock, type Work } from '../../../../engine/platform/context.ts';
import { accountValuesOf } from '../../../../engine/risk/account-values.ts';
import { readRiskSnapshot } from '../../../../engine/risk/read-risk-snapshot.ts';
import type { RiskSnapshot } from '../../../../engine/risk/risk-snapshot.ts';
import type { AccountFacts } from '../../../../engine/strategy/graph/types.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';

/** The value of an account changes with the marks; it is read again after this time. */
const LIFETIME_MS = 5_000;

type Known = { eventSeq: string; readAtMs: number; snapshot: RiskSnapshot; readAt: Date };

/** Equity, free cash and headroom of the books whose blueprints size by them. */
export class AccountSizingCache {
  readonly #workOf: (books: BooksKey) => Work;
  readonly #clock: Clock;
  readonly #log: LogOnce;
  readonly #known = new Map<string, Known>();

  constructor({ workOf, clock }: Pick<RunnerContext, 'workOf' | 'clock'>, log: LogOnce) {
    this.#workOf = workOf;
    this.#clock = clock;
    this.#log = log;
  }

  /** `asOf` is in `feedNow`'s time. Null if the account cannot be read now. */
  async of(books: BooksKey, eventSeq: string, feedNow: number): Promise<AccountFacts | null> {
    const subject = `account ${booksName(books)}`;
    try {
      const known = this.#known.get(booksName(books));
      const isFresh =
        known !== undefined &&
        known.eventSeq === eventSeq &&
        performance.now() - known.readAtMs < LIFETIME_MS;
      const { snapshot, readAt } = isFresh ? known : await this.#read(books, eventSeq);
      this.#log.recovered(subject);
      return accountValuesOf(snapshot, readAt, feedNow);
    } catch (error) {
      this.#log.failed(subject, error);
      return null;
    }
  }

  async #read(books: BooksKey, eventSeq: string): Promise<Known> {
    const work = this.#workOf(books);
    const readAt = await this.#clock(work.db);
    const snapshot = await readRiskSnapshot(work, { now: readAt });
    const known = { eventSeq, readAtMs: performance.now(), snapshot, readAt };
    this.#known.set(booksName(books), known);
    return known;
  }
}
