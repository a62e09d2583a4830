import { type Pool, systemDb } from '../../../db/pool.ts';
import { type BooksKey, type Clock, systemWork } from '../../../engine/context.ts';
import type { Brokers } from '../../../engine/orders/execution/brokers.ts';
import type { PaperVenue } from '../../../engine/orders/paper/broker.ts';
import type { TradingSettings } from '../../../engine/orders/settings.ts';
import { inTime } from '../in-time.ts';
import { liveShares } from '../live-shares.ts';
import { LogOnce } from '../log-once.ts';
import type { RunnerLog } from '../options.ts';
import { startRounds } from '../rounds.ts';
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
  /** By which orders are looked at once more before they leave. */
  trading?: TradingSettings;
  /** Whose resting orders are matched when quotes move. */
  paper: Pick<PaperVenue, 'advance'>;
  clock: Clock;
  log: RunnerLog;
  /** How often to look for work nobody announced, default 250. */
  periodMs?: number;
  onRefusedInARow?: (refused: RefusedInARow) => Promise<void>;
  /** What pauses between two looks at an order are measured by; process time, unless told otherwise. */
  uptimeMs?: () => number;
};

export type OrderWork = {
  /** Something was queued or canceled: look now. */
  nudge(): void;
  /** Takes no new work and waits for what is under way. */
  stop(): Promise<void>;
};

/** How often to do what is not urgent. */
const SLOW_PERIOD_MS = 1_000;
/** How often all that rests is compared with its venue. */
const COMPARE_PERIOD_MS = 30_000;

/**
 * Does everything an order needs after its decision: sends it, matches what rests when quotes move, cancels,
 * expires, clears up lost answers, settles markets and keeps equity. Any number of processes may do so at the same
 * time: what there is to do is read from the orders table, and every step looks again under the account's lock.
 * The first rounds are the recovery from whatever crash came before.
 */
export function startOrderWork(options: OrderWorkOptions): OrderWork {
  const { pool, paper, clock, log, periodMs = 250 } = options;
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

  const repeated = (subject: string, round: (signal: AbortSignal) => Promise<void>, everyMs: number) =>
    startRounds(() => troubles.tried(subject, () => inTime(log, subject, round)), everyMs);
  const urgent = repeated('sending and canceling orders', () => sendAndCancel(db, clock, lanes), periodMs);
  const rounds = [
    urgent,
    repeated('following quotes', () => matching.round(), periodMs),
    repeated(
      'expiry, settlement and equity',
      (signal) => expireAndSettle(db, clock, keepers, signal),
      SLOW_PERIOD_MS,
    ),
    repeated('comparing orders with their venues', () => compareResting(db, clock, lanes), COMPARE_PERIOD_MS),
  ];
  return {
    nudge: () => urgent.nudge(),
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()));
      await lanes.stop();
    },
  };
}
