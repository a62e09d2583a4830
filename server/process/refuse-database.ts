/** Refuses databases that a start with these settings would misuse. */
import { type Pool, systemDb } from '../../db/pool.ts';
import { hasSimulatedConnections } from '../../engine/platform/price-source.ts';
import { claimCell } from '../../engine/trading/keys/cell.ts';
import { StartError } from '../kernel/start-error.ts';

/** Refuses live trading on a database that has traded at simulated venues. */
export async function refuseSimulatedMoney(pool: Pool): Promise<void> {
  if (!(await hasSimulatedConnections(systemDb(pool)))) return;
  await pool.close();
  throw new StartError(
    'Accounts of this database were connected to simulated venues. Use a separate database for live trading, or set LIVE_TRADING=off.',
  );
}

/** A key routes by the number of its cell: a database with keys of one cell cannot become another. */
export async function refuseOtherCell(pool: Pool, cell: number): Promise<void> {
  const number = await claimCell(systemDb(pool), cell);
  if (number === cell) return;
  await pool.close();
  throw new StartError(
    `CELL is ${cell}, and this database belongs to cell ${number}: set CELL=${number}, or use another database.`,
  );
}
