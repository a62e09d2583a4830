/** Verifies the live ledger automatically: a finding blocks entries at every connection of the account. */
import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { underAccountLock } from '../platform/account-lock.ts';
import { audit } from '../platform/audit/audit.ts';
import type { BooksKey, Work } from '../platform/context.ts';
import { recordEvents } from '../platform/events/events.ts';
import { UNREAD } from './archived-parts.ts';
import type { Difference } from './rows.ts';
import { walkBooks, walkChains } from './verify-ledger.ts';

/** The longest interval between two checks of the same books. */
export const CHECK_EVERY_MS = 10 * 60_000;

/**
 * The entries verified in one turn of the event loop, some 30 ms: ticks and urgent commands of the same process run in between.
 */
const PAGE_ENTRIES = 200;

/** Finds live books that may trade and were not verified within the interval, those waiting longest first. */
export async function findBooksToCheck(db: Db, now: Date, most: number): Promise<BooksKey[]> {
  const { rows } = await sql<{ account_id: string }>`
    select t.account_id from trading_account t
    left join ledger_check c on c.account_id = t.account_id and c.mode = t.mode
    where t.mode = 'live' and (c.checked_at is null or c.checked_at <= ${new Date(now.getTime() - CHECK_EVERY_MS)}
        or c.checked_at > ${now})
      and exists (select from venue_connection v where v.account_id = t.account_id and v.state <> 'revoked')
    order by c.checked_at nulls first, t.account_id limit ${most}`.execute(db);
  return rows.map(({ account_id }) => ({ accountId: account_id, mode: 'live' }));
}

/**
 * Rebuilds these books, compares the account's chain with its rows, and stores the result. The first finding after none is
 * notified. While there is a finding, it is one of the facts that stop a connection. Evidence in the archive is left to
 * `verify-ledger`, because trading does not wait for the archive.
 *
 * @returns how many numbers are wrong.
 */
export async function checkBooks(work: Work): Promise<number> {
  let first: Difference | null = null;
  let count = 0;
  const books = walkBooks(work.db, work.clock, work, UNREAD, PAGE_ENTRIES);
  for (const walk of [books, walkChains(work.db, [work.accountId])]) {
    for await (const { differences } of walk) {
      first ??= differences[0] ?? null;
      count += differences.length;
    }
  }
  await underAccountLock(work, async (tx, now) => {
    const wrongBefore = await storeCheck(tx, count, now);
    if (first === null || wrongBefore > 0) return;
    const { subject, id, field, expected, actual } = first;
    const text = `The ledger does not agree with itself in ${count} places. Live buys are blocked until it does.`;
    await audit(tx, {
      action: 'ledger.differs',
      subjectId: null,
      before: null,
      after: { differences: count, first: { subject, id, field, expected, actual } },
      at: now,
    });
    await recordEvents(tx, now, [
      { type: 'notification', payload: { kind: 'ledger', at: now.toISOString(), text } },
    ]);
  });
  return count;
}

/** Returns the number of differences at the check before. */
async function storeCheck(tx: Work, differences: number, now: Date): Promise<number> {
  const before = await tx.db
    .selectFrom('ledger_check')
    .select('differences')
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .executeTakeFirst();
  const check = { checked_at: now, differences };
  await tx.db
    .insertInto('ledger_check')
    .values({ account_id: tx.accountId, mode: tx.mode, ...check })
    .onConflict((conflict) => conflict.columns(['account_id', 'mode']).doUpdateSet(check))
    .execute();
  return before?.differences ?? 0;
}
