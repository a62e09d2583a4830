import type { Db } from '../../../../../db/tables.ts';
import type { Clock } from '../../../../../engine/platform/context.ts';
import { findFeeRaised } from '../../../../../engine/trading/orders/execution/fee-raised.ts';
import {
  findGivenUp,
  findResting,
  type WorkKey,
} from '../../../../../engine/trading/orders/execution/queue.ts';
import type { OrderJobQueues } from '../order-jobs.ts';
import { ORDERS_PER_ROUND_MAX } from './orders-per-round-max.ts';

/**
 * Reconciles all resting orders with their venue, page by page. Cancels buys whose fee was raised, and looks again for orders
 * given up.
 */
export async function reconcileResting(db: Db, clock: Clock, lanes: OrderJobQueues): Promise<void> {
  lanes.watching.take(await findGivenUp(db, await clock(db), ORDERS_PER_ROUND_MAX, lanes.via));
  let last: WorkKey | null = null;
  do {
    const page: WorkKey[] = await findResting(db, last, ORDERS_PER_ROUND_MAX, lanes.via);
    lanes.syncing.take(page);
    lanes.withdrawing.take(await findFeeRaised(db, page));
    last = page.at(-1) ?? null;
  } while (last !== null);
}
