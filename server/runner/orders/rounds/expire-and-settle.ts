import type { Db } from '../../../../db/tables.ts';
import type { Clock } from '../../../../engine/context.ts';
import { findAbandoned, findPastTheirTime } from '../../../../engine/orders/execution/queue.ts';
import type { AccountBooks } from '../account-books.ts';
import type { OrderLanes } from '../order-lanes.ts';
import { BATCH } from './batch.ts';

/** What a second more does not hurt: orders past their time or without their sender, settlements and equity. */
export async function expireAndSettle(
  db: Db,
  clock: Clock,
  { lanes, accountBooks }: { lanes: OrderLanes; accountBooks: AccountBooks },
  signal: AbortSignal,
): Promise<void> {
  const now = await clock(db);
  lanes.expiring.take(await findPastTheirTime(db, now, BATCH));
  lanes.reconciling.take(await findAbandoned(db, now, BATCH));
  await accountBooks.keep(now, signal);
}
