import { type Pool, systemDb } from '../../../db/pool.ts';
import { type BooksKey, type Clock, systemWork, type Work } from '../../../engine/context.ts';
import type { Broker, OrderKey } from '../../../engine/orders/execution/broker.ts';
import type { AppliedReport } from '../../../engine/orders/execution/execution-report.ts';
import { cancelFeeRaised, findFeeRaised } from '../../../engine/orders/execution/fee-raised.ts';
import {
  findAbandoned,
  findPastGoodTill,
  findPastTheirTime,
  findQueued,
  findResting,
  findToCancel,
  findUnknown,
} from '../../../engine/orders/execution/queue.ts';
import { reconcileOrder, syncOrder } from '../../../engine/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../../engine/orders/execution/send.ts';
import { consecutiveRejections } from '../../../engine/orders/lifecycle/consecutive-rejections.ts';
import { expireOrder } from '../../../engine/orders/lifecycle/expire.ts';
import { inTime } from '../in-time.ts';
import { LogOnce } from '../log-once.ts';
import { QuoteCursor } from '../market/quote-cursor.ts';
import type { RunnerLog } from '../options.ts';
import { startRounds } from '../rounds.ts';
import { AccountBooks } from './account-books.ts';
import { type LaneOptions, OrderLane } from './order-lane.ts';

export type OrderWorkOptions = {
  pool: Pool;
  broker: Broker;
  clock: Clock;
  log: RunnerLog;
  /** How often to look for work nobody announced, default 250. */
  periodMs?: number;
  /** A venue refused three orders of a deployment in a row for one reason. */
  onRefusedInARow?: (refused: BooksKey & { deploymentId: string; reason: string }) => Promise<void>;
};

export type OrderWork = {
  /** Something was queued or canceled: look now. */
  nudge(): void;
  /** Takes no new work and waits for what is under way. */
  stop(): Promise<void>;
};

/** Orders of one kind of work that are under way at the same time. */
const CONCURRENCY = 8;
/** Most orders one look takes of each kind. */
const BATCH = 200;
/** How often to do what is not urgent. */
const SLOW_PERIOD_MS = 1_000;
/** How often all that rests is compared with its venue. */
const SYNC_PERIOD_MS = 30_000;

/**
 * Does everything an order needs after its decision: sends it, matches what rests when quotes move, cancels,
 * expires, clears up lost answers, settles markets and keeps equity. Any number of processes may do so at the same
 * time: what there is to do is read from the orders table, and every step looks again under the account's lock.
 * The first rounds are the recovery from whatever crash came before.
 */
export function startOrderWork(options: OrderWorkOptions): OrderWork {
  const { pool, broker, clock, log, periodMs = 250 } = options;
  const db = systemDb(pool);
  const workOf = (books: BooksKey) => systemWork(pool, books, clock);
  const troubles = new LogOnce(log);
  const accountBooks = new AccountBooks({ db, workOf }, troubles);

  const lane = (
    name: string,
    task: (work: Work, id: string) => Promise<AppliedReport | null>,
    more: Pick<LaneOptions, 'again'> = {},
  ) =>
    new OrderLane({
      ...more,
      concurrency: CONCURRENCY,
      task: ({ id, ...books }) =>
        inTime(log, `${name} of order ${id}`, async () => {
          const work = workOf(books);
          await report(work, await task(work, id));
        }),
      onError: (error, key) => log.warn({ ...key, err: error, work: name }, 'work on an order failed'),
    });
  const sending = lane('send', (work, id) => sendOrder(work, broker, id));
  const canceling = lane('cancel', (work, id) => cancelAtVenue(work, broker, id));
  const reconciling = lane('reconcile', (work, id) => reconcileOrder(work, broker, id));
  const syncing = lane('sync', (work, id) => syncOrder(work, broker, id), { again: true });
  const expiring = lane('expire', async (work, id) => {
    await expireOrder(work, id);
    return null;
  });

  const withdrawing = lane('withdraw', async (work, id) => {
    await cancelFeeRaised(work, id);
    return null;
  });

  async function report(work: Work, applied: AppliedReport | null): Promise<void> {
    if (applied === null) return;
    const { order, isLate } = applied;
    if (isLate) {
      log.error(
        { accountId: work.accountId, orderId: order.id, status: order.status },
        'a fill came after its order ended',
      );
    }
    const refused = await consecutiveRejections(work, order);
    if (refused !== null)
      await options.onRefusedInARow?.({ accountId: work.accountId, mode: work.mode, ...refused });
  }

  async function urgent(): Promise<void> {
    const now = await clock(db);
    sending.take(await findQueued(db, now, BATCH));
    canceling.take(await findToCancel(db, BATCH));
    canceling.take(await findPastGoodTill(db, now, BATCH));
    reconciling.take(await findUnknown(db, BATCH));
  }

  const cursor = new QuoteCursor(db);
  async function followQuotes(): Promise<void> {
    const { seq } = await cursor.look();
    const moved = await db
      .selectFrom('quote')
      .select(['token_id', 'seq'])
      .where('seq', '>', seq)
      .orderBy('seq')
      .execute();
    const last = moved.at(-1);
    if (last === undefined) return;
    syncing.take(await broker.advance(moved.map(({ token_id }) => token_id)));
    cursor.reached(last.seq);
  }

  async function patient(signal: AbortSignal): Promise<void> {
    const now = await clock(db);
    expiring.take(await findPastTheirTime(db, now, BATCH));
    reconciling.take(await findAbandoned(db, now, BATCH));
    await accountBooks.keep(now, signal);
  }

  async function compare(): Promise<void> {
    let last: OrderKey | null = null;
    do {
      const page: OrderKey[] = await findResting(db, last, BATCH);
      syncing.take(page);
      withdrawing.take(await findFeeRaised(db, page));
      last = page.at(-1) ?? null;
    } while (last !== null);
  }

  const repeated = (subject: string, round: (signal: AbortSignal) => Promise<void>, everyMs: number) =>
    startRounds(() => troubles.tried(subject, () => inTime(log, subject, round)), everyMs);
  const rounds = [
    repeated('sending and canceling orders', urgent, periodMs),
    repeated('following quotes', followQuotes, periodMs),
    repeated('expiry, settlement and equity', patient, SLOW_PERIOD_MS),
    repeated('comparing orders with their venues', compare, SYNC_PERIOD_MS),
  ];
  const lanes: OrderLane[] = [sending, canceling, reconciling, syncing, expiring, withdrawing];
  return {
    nudge: () => rounds[0]?.nudge(),
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()));
      await Promise.all(lanes.map((each) => each.stop()));
    },
  };
}
