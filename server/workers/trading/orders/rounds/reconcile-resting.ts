import type { Db } from '../../../../../db/tables.ts';
import type { Clock } from '../../../../../engine/platform/context.ts';
import { findFeeRaised } from '../../../../../engine/trading/orders/execution/fee-raised.ts';
import {
  findGivenUp,
  findResting,
  type WorkKey,
} from '../../../../../engine/trading/orders/execution/queue.ts';
import type { OrderLanes } from '../order-lanes.ts';
import { BATCH } from './batch.ts';

/**
 * Reconciles all resting orders with their venue, page by page. Cancels buys whose fee was raised, and looks again for orders
 * given up.
 */
export async function reconcileResting(db: Db, clock: Clock, lanes: OrderLanes): Promise<void> {
  lanes.watching.take(await findGivenUp(db, await clock(db), BATCH, lanes.via));
  let last: WorkKey | null = null;
  do {
    const page: WorkKey[] = await findResting(db, last, BATCH, lanes.via);
    lanes.syncing.take(page);
    lanes.withdrawing.take(await findFeeRaised(db, page));
    last = page.at(-1) ?? null;
  } while (last !== null);
}
