import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { type Clock, databaseClock } from '../platform/context.ts';
import { verifyChains } from './chain.ts';
import { readTimeOrder } from './reading/read-entries.ts';
import { readOpening } from './reading/read-opening.ts';
import { readPages } from './reading/read-pages.ts';
import type { Difference, LedgerAccount } from './rows.ts';
import { Verification } from './verification.ts';

export type { Difference } from './rows.ts';

/** Steps and fills that are held at a time. */
const PAGE_ENTRIES = 2_000;
/** Accounts whose chains are verified by one statement. */
const CHAINS_PER_PAGE = 200;

/** What a stretch of an account's ledger has shown. */
export type Verified = {
  readonly accountId: string;
  /** Null for a chain, which is over the books of all modes. */
  readonly mode: LedgerAccount['mode'] | null;
  /** Steps and fills verified so far, of all it has. */
  readonly done: number;
  readonly total: number;
  readonly differences: readonly Difference[];
};

/**
 * Keeps the books of every account a second time, from its fills, steps and receipts in the order of the ledger,
 * and answers every difference: positions, profit and loss, cash, days, order totals and statuses, every decision of
 * the risk rules, and whatever else can be checked against something: rules against the audit trail, trades against
 * orders, limits and the venue's record, settlements against stated values, curves, releases, numbers of events. What is written
 * once is held against its chain. An empty answer is a statement that all of it is right.
 */
export async function verifyLedger(db: Db, clock: Clock = databaseClock): Promise<Difference[]> {
  return differencesOf(walkLedger(db, clock));
}

/** All of them, which may be as many as rows. */
export async function differencesOf(walk: AsyncIterable<Verified>): Promise<Difference[]> {
  const all: Difference[] = [];
  for await (const { differences } of walk) {
    for (const difference of differences) all.push(difference);
  }
  return all;
}

/** The same stretch by stretch, in memory that does not grow with an account's orders. May be left at any stretch. */
export async function* walkLedger(db: Db, clock: Clock = databaseClock): AsyncGenerator<Verified> {
  // Also those whose own row is gone: what is left of them is not right.
  const { rows: accounts } = await sql<{ account_id: string; mode: LedgerAccount['mode'] }>`
    select account_id, mode from trading_account
    union select account_id, mode from trade_order
    union select account_id, mode from fill
    union select account_id, mode from cash_entry
    union select account_id, mode from position
    order by account_id, mode`.execute(db);
  for (const { account_id, mode } of accounts) yield* walkBooks(db, clock, { accountId: account_id, mode });
  const { rows: all } = await sql<{ account_id: string }>`
    select id as account_id from account union select account_id from ledger_head order by account_id`.execute(
    db,
  );
  const ids = all.map(({ account_id }) => account_id);
  for (let first = 0; first < ids.length; first += CHAINS_PER_PAGE)
    yield* walkChains(db, ids.slice(first, first + CHAINS_PER_PAGE));
}

/** Chains of these accounts, each over the books of all its modes, in one snapshot. */
export async function* walkChains(db: Db, accountIds: readonly string[]): AsyncGenerator<Verified> {
  await using trx = await openSnapshot(db);
  const byAccount = Map.groupBy(await verifyChains(trx.db, accountIds), ({ accountId }) => accountId);
  for (const [accountId, differences] of byAccount)
    yield { accountId, mode: null, done: 0, total: 0, differences };
}

/** Books of one account in one mode, in one snapshot, so that a service at work may go on; as long as it takes. */
export async function* walkBooks(
  db: Db,
  clock: Clock,
  { accountId, mode }: LedgerAccount,
  pageEntries = PAGE_ENTRIES,
): AsyncGenerator<Verified> {
  await using trx = await openSnapshot(db);
  yield* walkAccount(trx.db, { accountId, mode }, await clock(trx.db), pageEntries);
}

/** A transaction of its own, held until it is disposed of. It gives its connection back also where that was cut. */
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

/** One account inside a transaction of the caller's. */
export async function* walkAccount(
  trx: Db,
  account: LedgerAccount,
  readAt: Date,
  pageEntries = PAGE_ENTRIES,
): AsyncGenerator<Verified> {
  const timeOrder = await readTimeOrder(trx, account, pageEntries);
  const opening = await readOpening(trx, account, { timeOrder, readAt, pageRows: pageEntries });
  if (opening === null) {
    yield { ...account, done: 0, total: timeOrder.entries, differences: [gone(account)] };
    return;
  }
  const verification = new Verification(opening);
  const total = timeOrder.entries;
  let done = 0;
  for await (const page of readPages(trx, opening, pageEntries)) {
    done += page.entries.length;
    yield { ...account, done, total, differences: verification.take(page) };
  }
  yield { ...account, done, total, differences: verification.end() };
}

const gone = ({ accountId, mode }: LedgerAccount): Difference => ({
  accountId,
  subject: 'trading_account',
  id: accountId,
  field: 'row',
  expected: `the account that the books of mode ${mode} are of`,
  actual: 'gone',
});
