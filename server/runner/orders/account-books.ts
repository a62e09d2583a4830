import { underAccountLock } from '../../../engine/account-lock.ts';
import { findDaysToOpen, openAccountDay } from '../../../engine/accounting/day.ts';
import { EQUITY_PERIOD_MS, keepEquityPoints } from '../../../engine/accounting/equity.ts';
import { findToSettle, settleAccount } from '../../../engine/positions/settle.ts';
import type { LogOnce } from '../log-once.ts';
import type { RunnerContext } from '../options.ts';

type Context = Pick<RunnerContext, 'db' | 'workOf'>;

/** What accounts need though no order moves: their day is opened, what markets paid is settled, equity is noted. */
export class AccountBooks {
  readonly #context: Context;
  readonly #troubles: LogOnce;
  #keptPeriod = 0;

  constructor(context: Context, troubles: LogOnce) {
    this.#context = context;
    this.#troubles = troubles;
  }

  async keep(now: Date, signal: AbortSignal): Promise<void> {
    const { db, workOf } = this.#context;
    for (const books of await findDaysToOpen(db, now)) {
      if (signal.aborted) return;
      await this.#troubles.tried(`the ${books.mode} day of account ${books.accountId}`, () =>
        underAccountLock(workOf(books), (tx, lockedAt) => openAccountDay(tx, lockedAt)),
      );
    }
    for (const { tokenId, ...books } of await findToSettle(db)) {
      if (signal.aborted) return;
      await this.#troubles.tried(`settling ${tokenId} for account ${books.accountId}, ${books.mode}`, () =>
        settleAccount(workOf(books), tokenId),
      );
    }
    const period = Math.floor(now.getTime() / EQUITY_PERIOD_MS);
    if (period === this.#keptPeriod) return;
    await keepEquityPoints(db, now);
    this.#keptPeriod = period;
  }
}
