import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Mode } from '../../db/vocabulary.ts';
import type { LedgerAccount } from '../../engine/ledger/rows.ts';
import { collectDifferences, type Difference, walkAccount } from '../../engine/ledger/verify-ledger.ts';
import type { Trader, TradingFixture } from './trading-fixture.ts';

/** A page of the size that the command uses, and pages so small that every account spans several. */
export const PAGES = [2_000, 3, 1];

/**
 * Returns the statement's differences of an account after a change to the database behind the service's back. The change is
 * undone afterwards. The result must not depend on the page size.
 */
export async function differencesAfter(
  fixture: TradingFixture,
  { accountId }: Trader,
  tampering: string,
  mode: Mode = 'paper',
): Promise<Difference[]> {
  const trx = await fixture.db.startTransaction().execute();
  try {
    await sql`set local session_replication_role = replica`.execute(trx);
    const { numAffectedRows } = await sql.raw(tampering).execute(trx);
    expect(Number(numAffectedRows), tampering).toBeGreaterThan(0);
    const [differences = [], ...others] = await inPages(trx, { accountId, mode }, fixture.now());
    for (const other of others) expect(other).toEqual(differences);
    return differences;
  } finally {
    await trx.rollback().execute();
  }
}

/** Differences of an account inside a transaction, by pages of each size. */
async function inPages(
  trx: TradingFixture['db'],
  account: LedgerAccount,
  readAt: Date,
): Promise<Difference[][]> {
  const found: Difference[][] = [];
  for (const pageEntries of PAGES)
    found.push(await collectDifferences(walkAccount(trx, account, readAt, pageEntries)));
  return found;
}

/** Differences of an account that was not changed. */
export const expectDifferencesByPages = (
  fixture: TradingFixture,
  { accountId }: Trader,
): Promise<Difference[][]> =>
  fixture.db.transaction().execute((trx) => inPages(trx, { accountId, mode: 'paper' }, fixture.now()));
