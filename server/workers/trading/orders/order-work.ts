import { type Pool, systemDb } from '../../../../db/pool.ts';
import { type BooksKey, type Clock, systemWork } from '../../../../engine/platform/context.ts';
import type { Brokers } from '../../../../engine/trading/orders/execution/brokers.ts';
import type { PaperVenue } from '../../../../engine/trading/orders/paper/broker.ts';
import type { TradingSettings } from '../../../../engine/trading/orders/settings.ts';
import { ALWAYS_AWAKE, type IdleGate, type RoundKind } from '../../../kernel/rounds/idle-gate.ts';
import { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerLog } from '../../../kernel/rounds/options.ts';
import { startRounds } from '../../../kernel/rounds/rounds.ts';
import { withDeadline } from '../../../kernel/rounds/with-deadline.ts';
import { AccountingRound } from '../accounting-round.ts';
import { livePoolShares } from '../live-pool-shares.ts';
import { type ConsecutiveRejections, OrderJobQueues } from './order-jobs.ts';
import { PaperMatching } from './rounds/match-on-paper.ts';
import { MissingFills } from './rounds/missing-fills.ts';
import { reconcileResting } from './rounds/reconcile-resting.ts';
import { sendAndCancel } from './rounds/send-and-cancel.ts';
import { runSlowRound } from './rounds/slow-round.ts';

export type OrderWorkOptions = {
  pool: Pool;
  brokers: Brokers;
  /** Settings of the last check before orders are sent. */
  trading?: TradingSettings;
  /** Matches resting orders when quotes move. */
  paper: Pick<PaperVenue, 'advance'>;
  clock: Clock;
  log: RunnerLog;
  /** When rounds rest; never, unless given. */
  idle?: IdleGate;
  /** How often to look for work without an announcement, default 250. */
  periodMs?: number;
  onRefusedInARow?: (refused: ConsecutiveRejections) => Promise<void>;
  /** The clock of pauses between two polls of an order; process time by default. */
  uptimeMs?: () => number;
};

export type OrderWork = {
  /** Wakes the work after an order was queued or canceled. */
  wake(): void;
  /** Takes no new work and waits for the work in progress. */
  stop(): Promise<void>;
};

/** How often to do work that is not urgent. */
const SLOW_PERIOD_MS = 1_000;
/** How often all resting orders are reconciled with their venue. */
const COMPARE_PERIOD_MS = 30_000;

/**
 * Does everything an order needs after its decision. Sends it, matches resting orders when quotes move, cancels, expires,
 * resolves unknown answers, settles markets and records equity. Any number of processes may do so at the same time: the work is
 * read from the orders table, and every step checks again under the account's lock. The first rounds are also the recovery from
 * a crash.
 */
export function startOrderWork(options: OrderWorkOptions): OrderWork {
  const { pool, paper, clock, log, idle = ALWAYS_AWAKE, periodMs = 250 } = options;
  const db = systemDb(pool);
  const workOf = (books: BooksKey) => systemWork(pool, books, clock);
  const { work, cancels } = livePoolShares(pool);
  const failures = new LogOnce(log);
  const lanes = new OrderJobQueues({
    ...options,
    workOf: (books, isUrgent) =>
      books.mode === 'live' ? systemWork(isUrgent ? cancels : work, books, clock) : workOf(books),
  });
  const matching = new PaperMatching(db, paper, lanes);
  const slowWork = {
    lanes,
    missingFills: new MissingFills(db, lanes, log),
    accountBooks: new AccountingRound({ db, workOf }, failures),
  };

  const repeated = (
    subject: string,
    { kind, everyMs }: { kind: RoundKind; everyMs: number },
    round: (signal: AbortSignal) => Promise<void>,
  ) =>
    startRounds(() => failures.attempt(subject, () => withDeadline(log, subject, round)), everyMs, {
      idle,
      kind,
    });
  const urgent = repeated('sending and canceling orders', { kind: 'orders', everyMs: periodMs }, () =>
    sendAndCancel(db, clock, lanes),
  );
  const rounds = [
    urgent,
    repeated('following quotes', { kind: 'orders', everyMs: periodMs }, () => matching.round()),
    repeated('expiry, settlement and equity', { kind: 'books', everyMs: SLOW_PERIOD_MS }, (signal) =>
      runSlowRound(db, clock, slowWork, signal),
    ),
    repeated('comparing orders with their venues', { kind: 'comparing', everyMs: COMPARE_PERIOD_MS }, () =>
      reconcileResting(db, clock, lanes),
    ),
  ];
  return {
    wake: () => urgent.wake(),
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()));
      await lanes.stop();
    },
  };
}
