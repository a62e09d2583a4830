import type { Db } from '../../../../../db/tables.ts';
import type { Clock } from '../../../../../engine/platform/context.ts';
import {
  findExpiredOrders,
  findSentWithoutSender,
} from '../../../../../engine/trading/orders/execution/queue.ts';
import type { AccountingRound } from '../../accounting-round.ts';
import type { OrderJobQueues } from '../order-jobs.ts';
import type { MissingFills } from './missing-fills.ts';
import { ORDERS_PER_ROUND_MAX } from './orders-per-round-max.ts';

export type SlowWork = {
  lanes: OrderJobQueues;
  missingFills: MissingFills;
  accountBooks: AccountingRound;
};

/**
 * Does the work that may be a second late: overdue orders, orders without a sender or without fills, settlements and equity.
 */
export async function runSlowRound(
  db: Db,
  clock: Clock,
  { lanes, missingFills, accountBooks }: SlowWork,
  signal: AbortSignal,
): Promise<void> {
  const now = await clock(db);
  lanes.expiring.take(await findExpiredOrders(db, now, ORDERS_PER_ROUND_MAX));
  lanes.reconciling.take(await findSentWithoutSender(db, now, ORDERS_PER_ROUND_MAX, lanes.via));
  await missingFills.requestAgain(now);
  await accountBooks.update(now, signal);
}
