import { sql } from 'kysely';
import { findDaysToOpen, openAccountDay } from '../../../engine/books/accounting/day.ts';
import { EQUITY_PERIOD_MS, storeEquityPoints } from '../../../engine/books/accounting/equity.ts';
import { underAccountLock } from '../../../engine/platform/account-lock.ts';
import type { BooksKey } from '../../../engine/platform/context.ts';
import { findHoldingsToSettle, settleHolding } from '../../../engine/trading/positions/settle-holding.ts';
import { ifLockFree } from '../../kernel/rounds/lock-session.ts';
import type { LogOnce } from '../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../kernel/rounds/options.ts';

/** The largest share of time for finding days to open: it reads every account, in every process. */
const DAY_SCAN_TIME_SHARE = 0.05;

type Context = Pick<RunnerContext, 'db' | 'workOf'>;

/** Work on accounts without a moving order: opens their day, settles markets, records equity. */
export class AccountingRound {
  readonly #context: Context;
  readonly #failures: LogOnce;
  #recordedPeriod = 0;
  #nextScanMs = Number.NEGATIVE_INFINITY;

  constructor(context: Context, failures: LogOnce) {
    this.#context = context;
    this.#failures = failures;
  }

  async update(now: Date, signal: AbortSignal): Promise<void> {
    const { db, workOf } = this.#context;
    for (const books of await this.#daysToOpen(now)) {
      if (signal.aborted) return;
      await this.#failures.attempt(`the ${books.mode} day of account ${books.accountId}`, () =>
        underAccountLock(workOf(books), (tx, lockedAt) => openAccountDay(tx, lockedAt)),
      );
    }
    for (const { tokenId, ...books } of await findHoldingsToSettle(db)) {
      if (signal.aborted) return;
      await this.#failures.attempt(`settling ${tokenId} for account ${books.accountId}, ${books.mode}`, () =>
        settleHolding(workOf(books), tokenId),
      );
    }
    const period = Math.floor(now.getTime() / EQUITY_PERIOD_MS);
    if (period === this.#recordedPeriod) return;
    await this.#recordEquity(now, new Date(period * EQUITY_PERIOD_MS));
    this.#recordedPeriod = period;
  }

  async #daysToOpen(now: Date): Promise<BooksKey[]> {
    const startedMs = performance.now();
    if (startedMs < this.#nextScanMs) return [];
    const found = await findDaysToOpen(this.#context.db, now);
    this.#nextScanMs = startedMs + (performance.now() - startedMs) / DAY_SCAN_TIME_SHARE;
    return found;
  }

  /** Runs in one process at a time, which stores all points of an instant together; a second process finds it done. */
  async #recordEquity(now: Date, at: Date): Promise<void> {
    await ifLockFree(this.#context.db, 'equity', async (tx) => {
      const { rows } = await sql`select from equity_point where at = ${at} limit 1`.execute(tx);
      if (rows.length === 0) await storeEquityPoints(tx, now);
    });
  }
}
