import type { Db } from '../../../../db/tables.ts';
import { findFeeRaised } from '../../../../engine/orders/execution/fee-raised.ts';
import { findResting } from '../../../../engine/orders/execution/queue.ts';
import type { OrderKey } from '../../../../venues/broker.ts';
import type { OrderLanes } from '../order-lanes.ts';
import { BATCH } from './batch.ts';

/** Compares all that rests with its venue, page by page, and takes back buys whose fee was raised. */
export async function compareResting(db: Db, lanes: OrderLanes): Promise<void> {
  let last: OrderKey | null = null;
  do {
    const page: OrderKey[] = await findResting(db, last, BATCH);
    lanes.syncing.take(page);
    lanes.withdrawing.take(await findFeeRaised(db, page));
    last = page.at(-1) ?? null;
  } while (last !== null);
}
