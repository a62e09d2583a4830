import { type Pool, systemDb } from '../../../../db/pool.ts';
import { type BooksKey, type Clock, systemWork } from '../../../../engine/platform/context.ts';
import type { Brokers } from '../../../../engine/trading/orders/execution/brokers.ts';
import type { PaperVenue } from '../../../../engine/trading/orders/paper/broker.ts';
import type { TradingSettings } from '../../../../engine/trading/orders/settings.ts';
import { inTime } from '../../../kernel/rounds/in-time.ts';
import { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerLog } from '../../../kernel/rounds/options.ts';
import { RESTLESS, type Rest, type RoundKind } from '../../../kernel/rounds/rest.ts';
import { startRounds } from '../../../kernel/rounds/rounds.ts';
import { liveShares } from '../live-shares.ts';
import { AccountBooks } from './account-books.ts';
import { OrderLanes, type RefusedInARow } from './order-lanes.ts';
import { compareResting } from './rounds/compare-resting.ts';
import { expireAndSettle } from './rounds/expire-and-settle.ts';
import { PaperMatching } from './rounds/match-on-paper.ts';
import { MissingFills } from './rounds/missing-fills.ts';
import { sendAndCancel } from './rounds/send-and-cancel.ts';

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
  rest?: Rest;
  /** How often to look for work without an announcement, default 250. */
  periodMs?: number;
  onRefusedInARow?: (refused: RefusedInARow) => Promise<void>;
  /** The clock of pauses between two polls of an order; process time by default. */
  uptimeMs?: () => number;
};

export type OrderWork = {
  /** Wakes the work after an order was queued or canceled. */
  nudge(): void;
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
  const { pool, paper, clock, log, rest = RESTLESS, periodMs = 250 } = options;
  const db = systemDb(pool);
  const workOf = (books: BooksKey) => systemWork(pool, books, clock);
  const { work, brakes } = liveShares(pool);
  const troubles = new LogOnce(log);
  const lanes = new OrderLanes({
    ...options,
    workOf: (books, isBrake) =>
      books.mode === 'live' ? systemWork(isBrake ? brakes : work, books, clock) : workOf(books),
  });
  const matching = new PaperMatching(db, paper, lanes);
  const keepers = {
    lanes,
    missingFills: new MissingFills(db, lanes, log),
    accountBooks: new AccountBooks({ db, workOf }, troubles),
  };

  const repeated = (
    subject: string,
    { kind, everyMs }: { kind: RoundKind; everyMs: number },
    round: (signal: AbortSignal) => Promise<void>,
  ) => startRounds(() => troubles.tried(subject, () => inTime(log, subject, round)), everyMs, { rest, kind });
  const urgent = repeated('sending and canceling orders', { kind: 'orders', everyMs: periodMs }, () =>
    sendAndCancel(db, clock, lanes),
  );
  const rounds = [
    urgent,
    repeated('following quotes', { kind: 'orders', everyMs: periodMs }, () => matching.round()),
    repeated('expiry, settlement and equity', { kind: 'books', everyMs: SLOW_PERIOD_MS }, (signal) =>
      expireAndSettle(db, clock, keepers, signal),
    ),
    repeated('comparing orders with their venues', { kind: 'comparing', everyMs: COMPARE_PERIOD_MS }, () =>
      compareResting(db, clock, lanes),
    ),
  ];
  return {
    nudge: () => urgent.nudge(),
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()));
      await lanes.stop();
    },
  };
}
