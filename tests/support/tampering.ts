import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Mode } from '../../db/vocabulary.ts';
import type { LedgerAccount } from '../../engine/ledger/rows.ts';
import { type Difference, differencesOf, walkAccount } from '../../engine/ledger/verify-ledger.ts';
import type { Desk, Trader } from './desk.ts';

/** A page as the command takes it, and pages so small that everything lies across them. */
export const PAGES = [2_000, 3, 1];

/**
 * What the statement says of an account after something was done to the database behind the service's back, which is
 * undone then. It must be the same whatever the pages are.
 */
export async function differencesAfter(
  desk: Desk,
  { accountId }: Trader,
  tampering: string,
  mode: Mode = 'paper',
): Promise<Difference[]> {
  const trx = await desk.db.startTransaction().execute();
  try {
    await sql`set local session_replication_role = replica`.execute(trx);
    const { numAffectedRows } = await sql.raw(tampering).execute(trx);
    expect(Number(numAffectedRows), tampering).toBeGreaterThan(0);
    const [differences = [], ...others] = await inPages(trx, { accountId, mode }, desk.now());
    for (const other of others) expect(other).toEqual(differences);
    return differences;
  } finally {
    await trx.rollback().execute();
  }
}

/** The differences of an account inside a transaction, by pages of each size. */
async function inPages(trx: Desk['db'], account: LedgerAccount, readAt: Date): Promise<Difference[][]> {
  const found: Difference[][] = [];
  for (const pageEntries of PAGES)
    found.push(await differencesOf(walkAccount(trx, account, readAt, pageEntries)));
  return found;
}

/** The same of an account with which nothing was done. */
export const differencesInPages = (desk: Desk, { accountId }: Trader): Promise<Difference[][]> =>
  desk.db.transaction().execute((trx) => inPages(trx, { accountId, mode: 'paper' }, desk.now()));
