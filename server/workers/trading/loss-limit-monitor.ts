import type { BooksKey } from '../../../engine/platform/context.ts';
import { recheckLossLimits } from '../../../engine/trading/orders/entry/recheck-loss-limits.ts';
import {
  findDailyLossesReached,
  findWatchesToUpdate,
} from '../../../engine/trading/orders/lifecycle/daily-loss.ts';
import { LockSession } from '../../kernel/rounds/lock-session.ts';
import type { LogOnce } from '../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../kernel/rounds/options.ts';
import { type Rounds, startRounds } from '../../kernel/rounds/rounds.ts';

const PERIOD_MS = 1_000;
/** The time between two attempts to hold the lock at rest: API processes read it as the heartbeat of a runner. */
const HOLD_MS = 2_000;
/** The largest share of time for checks: the next one is later if they take long. */
const SHARE = 0.25;
/** The most accounts that one check trips; the next finds the rest. */
const MOST = 500;
const CONCURRENCY = 4;

/** Checks every second the daily loss and the drawdown of every account, in one process at a time. */
export class LossLimitMonitor {
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #session: LockSession;
  #rounds: Rounds | null = null;
  #holding: Rounds | null = null;
  #restUntilMs = Number.NEGATIVE_INFINITY;

  constructor(context: RunnerContext, log: LogOnce) {
    this.#context = context;
    this.#log = log;
    this.#session = new LockSession(context.pool, 'daily-loss', context.leaseMs);
  }

  start(): void {
    this.#rounds = startRounds(() => this.check(), PERIOD_MS, { idle: this.#context.idle, kind: 'losses' });
    const hold = () => this.#log.attempt('the lock of the daily-loss watch', () => this.#session.hold());
    this.#holding = startRounds(hold, HOLD_MS);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#rounds?.stop(), this.#holding?.stop()]);
    await this.#session.close();
  }

  /** Checks once, if this process holds the lock. An account that fails does not delay the others. */
  async check(): Promise<void> {
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
      this.#log.failed(subject, error);
    }
  }

  async #find(): Promise<BooksKey[]> {
    const { db, clock } = this.#context;
    const startedMs = performance.now();
    const now = await clock(db);
    const found = [
      ...(await findDailyLossesReached(db, now, MOST)),
      ...(await findWatchesToUpdate(db, now, MOST)),
    ];
    const tookMs = performance.now() - startedMs;
    this.#restUntilMs = startedMs + tookMs / SHARE;
    return found;
  }

  async #trip(reached: readonly BooksKey[]): Promise<void> {
    for (const books of reached) {
      const subject = `the ${books.mode} daily loss of account ${books.accountId}`;
      await this.#log.attempt(subject, () => recheckLossLimits(this.#context.workOf(books)));
    }
    if (reached.length > 0) this.#context.wakeOrders();
  }
}
