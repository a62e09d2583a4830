import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { type Clock, databaseClock } from '../context.ts';
import { readEvidence } from './evidence.ts';
import { type LedgerRows, readRows } from './rows.ts';
import { type Difference, verifyAccount } from './verify-account.ts';

export type { Difference } from './verify-account.ts';

/**
 * Keeps the books of every account a second time, from its fills, steps and receipts in the order of the ledger,
 * and answers every difference: positions, profit and loss, cash, days, order totals and statuses, every decision of
 * the risk rules, and whatever else can be checked against something: rules against the audit trail, trades against
 * orders, limits and the venue's record, settlements against stated values, curves, releases, numbers of events. An empty
 * answer is a statement that all of it is right.
 */
export async function verifyLedger(db: Db, clock: Clock = databaseClock): Promise<Difference[]> {
  const { rows: accounts } = await sql<{ account_id: string; mode: LedgerRows['mode'] }>`
    select account_id, mode from trading_account order by account_id, mode`.execute(db);
  const differences: Difference[] = [];
  for (const { account_id, mode } of accounts) {
    for (const difference of await verifyOne(db, clock, account_id, mode)) differences.push(difference);
  }
  return differences;
}

/** One account in one snapshot, so that a service at work may go on; as long as it takes. */
const verifyOne = (
  db: Db,
  clock: Clock,
  accountId: string,
  mode: LedgerRows['mode'],
): Promise<Difference[]> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx);
      const rows = await readRows(trx, accountId, mode);
      return verifyAccount(rows, await readEvidence(trx, rows, await clock(trx)));
    });
