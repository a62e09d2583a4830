import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../db/pool.ts';
import { systemWork } from '../../engine/platform/context.ts';
import type { ConnectionRow } from '../../engine/trading/connections/row.ts';
import { differencesNow } from '../../engine/trading/reconciliation/reconcile-books.ts';
import { reasonOf } from '../kernel/connect-database.ts';
import type { OpenAdminBroker } from '../process/admin-broker.ts';

/** The differences between a venue account and its books; `uncheckedReason` states why they are unknown. */
export type VenueBalanceCheck = {
  readonly row: ConnectionRow;
  readonly differences: readonly { subject: string; kind: string; ours: string; theirs: string }[];
  readonly uncheckedReason: string | null;
};

/** Longer than a venue's reads lag behind its writes. */
const PAUSE_MS = 1_500;

/**
 * Compares the books of a connection with the balances at its venue, and writes nothing. Does not throw: a venue that cannot be
 * reached is reported, and does not count as right.
 */
export async function verifyVenueBalances(
  pool: Pool,
  adminBroker: OpenAdminBroker,
  row: ConnectionRow,
  pauseMs = PAUSE_MS,
): Promise<VenueBalanceCheck> {
  if (row.reconciled_at === null)
    return {
      row,
      differences: [],
      uncheckedReason: 'the service has never reconciled it, so its books are empty',
    };
  try {
    const found = await differencesNow({
      work: systemWork(pool, { accountId: row.account_id, mode: 'live' }),
      connection: row,
      broker: await adminBroker(row),
      pause: () => sleep(pauseMs),
    });
    if (found === null) return { row, differences: [], uncheckedReason: 'its answers differ each time' };
    const differences = found.map(({ subject, kind, ours, theirs }) => ({
      subject,
      kind,
      ours: ours?.toFixed() ?? 'unknown',
      theirs: theirs?.toFixed() ?? 'unknown',
    }));
    return { row, differences, uncheckedReason: null };
  } catch (error) {
    return { row, differences: [], uncheckedReason: reasonOf(error) };
  }
}
