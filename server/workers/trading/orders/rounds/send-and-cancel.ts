import type { Db } from '../../../../../db/tables.ts';
import type { Clock } from '../../../../../engine/platform/context.ts';
import {
  findPastGoodTill,
  findQueued,
  findToCancel,
  findUnknown,
} from '../../../../../engine/trading/orders/execution/queue.ts';
import type { OrderLanes } from '../order-lanes.ts';
import { BATCH } from './batch.ts';

/** Does the urgent work: orders to send, to cancel, and to find again. */
export async function sendAndCancel(db: Db, clock: Clock, lanes: OrderLanes): Promise<void> {
  const now = await clock(db);
  lanes.sending.take(await findQueued(db, now, BATCH, lanes.via));
  lanes.canceling.take(await findToCancel(db, BATCH, lanes.via));
  lanes.canceling.take(await findPastGoodTill(db, now, BATCH, lanes.via));
  lanes.reconciling.take(await findUnknown(db, BATCH, lanes.via));
}
