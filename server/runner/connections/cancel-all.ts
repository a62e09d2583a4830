import { setTimeout as sleep } from 'node:timers/promises';
import { underAccountLock } from '../../../engine/account-lock.ts';
import { audit } from '../../../engine/audit.ts';
import { type ConnectionRow, loadConnection, writeConnection } from '../../../engine/connections/row.ts';
import type { Work } from '../../../engine/context.ts';
import type { Broker } from '../../../venues/broker.ts';

const LOOK_EVERY_MS = 500;
/** After so many looks somebody else has a turn; what was asked for stays asked for. */
const LOOKS_MAX = 20;

/**
 * Ends every open order of a venue account: asks the venue for all of them, and again, until it lists none and no order of ours
 * may still arrive. An order that came in between is asked back, too.
 *
 * @throws Error where orders are left: it is asked again.
 */
export async function cancelAllOf(
  work: Work,
  row: ConnectionRow,
  broker: Broker,
  isHeld: () => boolean,
): Promise<void> {
  for (let look = 0; look < LOOKS_MAX && isHeld(); look += 1) {
    await broker.cancelAll();
    const isEmpty = (await broker.listOpen()).length === 0;
    if (isEmpty && !(await mayArrive(work, row.id))) return await done(work, row);
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error('Orders are still open at the venue after all were asked to end.');
}

/** Whether an order is on its way, or nobody knows what became of it. */
async function mayArrive({ db, accountId }: Work, connectionId: string): Promise<boolean> {
  const order = await db
    .selectFrom('trade_order')
    .select('id')
    .where('account_id', '=', accountId)
    .where('connection_id', '=', connectionId)
    .where('status', 'in', ['submitted', 'unknown'])
    .limit(1)
    .executeTakeFirst();
  return order !== undefined;
}

async function done(work: Work, { id, cancel_all_requested_at: asked }: ConnectionRow): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const row = await loadConnection(tx, id);
    // Asked for again meanwhile: that is another one.
    if (String(row.cancel_all_requested_at) !== String(asked)) return;
    await writeConnection(tx, id, { cancel_all_requested_at: null }, now);
    await audit(tx, {
      mode: null,
      action: 'venue_connection.all_canceled',
      subjectId: id,
      before: null,
      after: { state: row.state },
      at: now,
    });
  });
}
