import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Archive } from '../platform/archive/archive.ts';
import { type Clock, databaseClock } from '../platform/context.ts';
import { type ReadArchive, readArchivedPoints, verifyArchivedParts } from './archived-parts.ts';
import { BooksVerification } from './books-verification.ts';
import { verifyHashChains } from './hash-chain.ts';
import { readClockSetbacks } from './reading/read-entries.ts';
import { readLedgerPages } from './reading/read-ledger-pages.ts';
import { readStoredBooks } from './reading/read-stored-books.ts';
import type { Difference, LedgerAccount } from './rows.ts';

export type { Difference } from './rows.ts';

/** Steps and fills that are in memory at a time. */
const PAGE_ENTRIES = 2_000;
/** Accounts whose chains are verified by one statement. */
const CHAINS_PER_PAGE = 200;

/** The result for a part of an account's ledger. */
export type VerifiedPart = {
  readonly accountId: string;
  /** Null for a chain, which covers the books of all modes. */
  readonly mode: LedgerAccount['mode'] | null;
  /** Steps and fills verified so far, of the account's total. */
  readonly done: number;
  readonly total: number;
  readonly differences: readonly Difference[];
};

/**
 * Rebuilds the books of every account from its fills, steps and receipts, and returns every difference. It checks positions,
 * profit and loss, cash, days, order totals and statuses, and every decision of the risk rules. It also compares:
 * - rules with the audit trail,
 * - trades with orders, limits and the venue's record,
 * - settlements with stated values,
 * - curves, releases and numbers of events.
 *
 * Rows that are written once are compared with their chain. An empty result is a statement that all of it is right.
 */
export async function verifyLedger(
  db: Db,
  clock: Clock = databaseClock,
  archive: Archive | null = null,
): Promise<Difference[]> {
  return collectDifferences(walkLedger(db, clock, archive));
}

/** Collects all differences, which may be as many as there are rows. */
export async function collectDifferences(walk: AsyncIterable<VerifiedPart>): Promise<Difference[]> {
  const all: Difference[] = [];
  for await (const { differences } of walk) {
    for (const difference of differences) all.push(difference);
  }
  return all;
}

/**
 * Walks the ledger part by part, in memory that does not grow with an account's orders. The caller may stop after any part.
 *
 * @throws DomainError `archived_unavailable` if anything is archived and the archive does not answer, or is null
 */
export async function* walkLedger(
  db: Db,
  clock: Clock = databaseClock,
  archive: Archive | null = null,
): AsyncGenerator<VerifiedPart> {
  // Includes accounts whose own row is missing: their remaining rows are differences.
  const { rows: accounts } = await sql<{ account_id: string; mode: LedgerAccount['mode'] }>`
    select account_id, mode from trading_account
    union select account_id, mode from trade_order
    union select account_id, mode from fill
    union select account_id, mode from cash_entry
    union select account_id, mode from position
    order by account_id, mode`.execute(db);
  for (const { account_id, mode } of accounts)
    yield* walkBooks(db, clock, { accountId: account_id, mode }, archive);
  const { rows: all } = await sql<{ account_id: string }>`
    select id as account_id from account union select account_id from ledger_head order by account_id`.execute(
    db,
  );
  const ids = all.map(({ account_id }) => account_id);
  for (let first = 0; first < ids.length; first += CHAINS_PER_PAGE)
    yield* walkChains(db, ids.slice(first, first + CHAINS_PER_PAGE));
  for (const accountId of ids) {
    const differences = await verifyArchivedParts(db, accountId, archive);
    if (differences.length > 0) yield { accountId, mode: null, done: 0, total: 0, differences };
  }
}

/** Verifies the chains of these accounts, each over the books of all its modes, in one snapshot. */
export async function* walkChains(db: Db, accountIds: readonly string[]): AsyncGenerator<VerifiedPart> {
  await using trx = await openSnapshot(db);
  const byAccount = Map.groupBy(await verifyHashChains(trx.db, accountIds), ({ accountId }) => accountId);
  for (const [accountId, differences] of byAccount)
    yield { accountId, mode: null, done: 0, total: 0, differences };
}

/** Verifies the books of one account in one mode, in one snapshot, so that the service can continue. It may take long. */
export async function* walkBooks(
  db: Db,
  clock: Clock,
  { accountId, mode }: LedgerAccount,
  archive: ReadArchive = null,
  pageEntries = PAGE_ENTRIES,
): AsyncGenerator<VerifiedPart> {
  await using trx = await openSnapshot(db);
  yield* walkAccount(trx.db, { accountId, mode }, await clock(trx.db), pageEntries, archive);
}

/** Opens a transaction, held until it is disposed of. It returns its connection even if that was cut. */
async function openSnapshot(db: Db): Promise<{ db: Db } & AsyncDisposable> {
  const opened = Promise.withResolvers<Db>();
  const left = Promise.withResolvers<void>();
  const held = db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`set local statement_timeout = 0`.execute(trx);
      opened.resolve(trx);
      await left.promise;
    })
    .catch(opened.reject); // its reader has met the same error
  return {
    db: await opened.promise,
    [Symbol.asyncDispose]: () => {
      left.resolve();
      return held;
    },
  };
}

/** Verifies one account inside the caller's transaction. */
export async function* walkAccount(
  trx: Db,
  account: LedgerAccount,
  readAt: Date,
  pageEntries = PAGE_ENTRIES,
  archive: ReadArchive = null,
): AsyncGenerator<VerifiedPart> {
  const timeOrder = await readClockSetbacks(trx, account, pageEntries);
  const { points: archivedPoints, differences } = await readArchivedPoints(trx, account, archive);
  const opening = await readStoredBooks(trx, account, {
    timeOrder,
    readAt,
    pageRows: pageEntries,
    archivedPoints,
  });
  if (opening === null) {
    yield { ...account, done: 0, total: timeOrder.entries, differences: [missingAccount(account)] };
    return;
  }
  const verification = new BooksVerification(opening);
  const total = timeOrder.entries;
  if (differences.length > 0) yield { ...account, done: 0, total, differences };
  let done = 0;
  for await (const page of readLedgerPages(trx, { ...opening, archive }, pageEntries)) {
    done += page.entries.length;
    yield { ...account, done, total, differences: verification.take(page) };
  }
  yield { ...account, done, total, differences: verification.end() };
}

const missingAccount = ({ accountId, mode }: LedgerAccount): Difference => ({
  accountId,
  subject: 'trading_account',
  id: accountId,
  field: 'row',
  expected: `the account that the books of mode ${mode} are of`,
  actual: 'gone',
});
