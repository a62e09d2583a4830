import type { BooksKey } from '../../engine/context.ts';
import {
  findDrawdownsMoved,
  findLossesReached,
  tripIfReached,
} from '../../engine/orders/lifecycle/daily-loss.ts';
import { LockSession } from './lock-session.ts';
import type { LogOnce } from './log-once.ts';
import type { RunnerContext } from './options.ts';
import { type Rounds, startRounds } from './rounds.ts';

const PERIOD_MS = 1_000;
/** Looking may take this part of the time: where it takes long, the next look is later. */
const SHARE = 0.25;
/** Accounts one look trips at most; the rest is found by the next. */
const MOST = 500;
const CONCURRENCY = 4;

/** Looks every second at the loss of the day and the drawdown of every account, in one process at a time. */
export class DailyLossWatch {
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #session: LockSession;
  #rounds: Rounds | null = null;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(context: RunnerContext, log: LogOnce) {
    this.#context = context;
    this.#log = log;
    this.#session = new LockSession(context.pool, 'daily-loss', context.leaseMs);
  }

  start(): void {
    this.#rounds = startRounds(() => this.look(), PERIOD_MS);
  }

  async stop(): Promise<void> {
    await this.#rounds?.stop();
    await this.#session.close();
  }

  /** One look, if this process is the one that looks. An account that fails keeps no other waiting. */
  async look(): Promise<void> {
    const subject = 'watching daily losses';
    try {
      if (performance.now() < this.#restUntilMs || !(await this.#session.hold())) return;
      const accountIds = await this.#find();
      const lanes = Array.from({ length: CONCURRENCY }, (_, lane) =>
        this.#trip(accountIds.filter((_id, index) => index % CONCURRENCY === lane)),
      );
      await Promise.all(lanes);
      this.#log.recovered(subject);
    } catch (error) {
      this.#log.trouble(subject, error);
    }
  }

  async #find(): Promise<BooksKey[]> {
    const { db, clock } = this.#context;
    const startedMs = performance.now();
    const now = await clock(db);
    const found = [...(await findLossesReached(db, now, MOST)), ...(await findDrawdownsMoved(db, now, MOST))];
    const tookMs = performance.now() - startedMs;
    this.#restUntilMs = startedMs + tookMs / SHARE;
    return found;
  }

  async #trip(reached: readonly BooksKey[]): Promise<void> {
    for (const books of reached) {
      const subject = `the ${books.mode} daily loss of account ${books.accountId}`;
      await this.#log.tried(subject, () => tripIfReached(this.#context.workOf(books)));
    }
    if (reached.length > 0) this.#context.nudgeOrders();
  }
}
