import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { readLedger } from './ledger/rows.ts';
import { type Difference, verifyAccount } from './ledger/verify-account.ts';

export type { Difference } from './ledger/verify-account.ts';

/**
 * Keeps the books of every account a second time, from its fills, steps and receipts in the order of the ledger,
 * and answers every difference: positions, profit and loss, cash, days, order totals and statuses, and every
 * decision of the risk rules. An empty answer is a statement that all of it is right.
 */
export async function verifyLedger(db: Db): Promise<Difference[]> {
  const { rows: accounts } = await sql<{ account_id: string; mode: 'paper' | 'live' }>`
    select account_id, mode from trading_account order by account_id, mode`.execute(db);
  const differences: Difference[] = [];
  for (const { account_id, mode } of accounts) {
    differences.push(...verifyAccount(await readLedger(db, account_id, mode)));
  }
  return differences;
}
