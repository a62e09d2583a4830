import type { Db } from '../../../../../db/tables.ts';
import type { Clock } from '../../../../../engine/platform/context.ts';
import {
  findPastGoodTill,
  findQueued,
  findToCancel,
  findUnknown,
} from '../../../../../engine/trading/orders/execution/queue.ts';
import type { OrderJobQueues } from '../order-jobs.ts';
import { ORDERS_PER_ROUND_MAX } from './orders-per-round-max.ts';

/** Does the urgent work: orders to send, to cancel, and to find again. */
export async function sendAndCancel(db: Db, clock: Clock, lanes: OrderJobQueues): Promise<void> {
  const now = await clock(db);
  lanes.sending.take(await findQueued(db, now, ORDERS_PER_ROUND_MAX, lanes.via));
  lanes.canceling.take(await findToCancel(db, ORDERS_PER_ROUND_MAX, lanes.via));
  lanes.canceling.take(await findPastGoodTill(db, now, ORDERS_PER_ROUND_MAX, lanes.via));
  lanes.reconciling.take(await findUnknown(db, ORDERS_PER_ROUND_MAX, lanes.via));
}
