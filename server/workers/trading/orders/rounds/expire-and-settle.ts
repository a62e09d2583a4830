import type { Db } from '../../../../../db/tables.ts';
import type { Clock } from '../../../../../engine/platform/context.ts';
import { findAbandoned, findPastTheirTime } from '../../../../../engine/trading/orders/execution/queue.ts';
import type { AccountMaintenance } from '../account-maintenance.ts';
import type { OrderLanes } from '../order-lanes.ts';
import { BATCH } from './batch.ts';
import type { MissingFills } from './missing-fills.ts';

export type SlowWork = {
  lanes: OrderLanes;
  missingFills: MissingFills;
  accountBooks: AccountMaintenance;
};

/**
 * Does the work that may be a second late: overdue orders, orders without a sender or without fills, settlements and equity.
 */
export async function expireAndSettle(
  db: Db,
  clock: Clock,
  { lanes, missingFills, accountBooks }: SlowWork,
  signal: AbortSignal,
): Promise<void> {
  const now = await clock(db);
  lanes.expiring.take(await findPastTheirTime(db, now, BATCH));
  lanes.reconciling.take(await findAbandoned(db, now, BATCH, lanes.via));
  await missingFills.requestAgain(now);
  await accountBooks.update(now, signal);
}
