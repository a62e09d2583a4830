import { underAccountLock } from '../../../engine/account-lock.ts';
import { writeConnection } from '../../../engine/connections/row.ts';
import type { Reconcile } from './held-connection.ts';

/** Whether the venue account can be read at all; entries wait for it. */
export const compareOnce: Reconcile = async (work, { row, broker }) => {
  const at = await work.clock(work.db);
  await broker.listOpen();
  await broker.balances();
  await underAccountLock(work, (tx, now) =>
    writeConnection(tx, row.id, { reconciled_at: at.toISOString() }, now),
  );
};
