import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { underAccountLock } from '../../account-lock.ts';
import type { BooksKey, Work } from '../../context.ts';
import { unrealizedInSql } from '../../fragments.ts';
import type { Basis } from '../../risk/basis.ts';
import { isTrippedOn, readBasis } from '../../risk/read-basis.ts';
import { utcDay } from '../../utc-day.ts';
import { readLiveBuyOrders } from './cancel-buys.ts';
import { carryOut } from './transition.ts';
import { isToTrip, tripOn } from './trip.ts';

/** Latches the daily loss, and takes back what may not go on. Call under the account's lock. */
export async function tripDailyLoss(work: Work, basis: Basis, now: Date): Promise<void> {
  const tx = { ...work, actor: 'system' };
  const { reason, outcome } = tripOn(basis, await readLiveBuyOrders(tx), now);
  await tx.db
    .updateTable('trading_account')
    .set({ tripped_at: now, trip_reason: reason })
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .execute();
  await carryOut(tx, now, outcome);
}

/** Looks again under the account's lock, and trips the account if that is due. */
export async function tripIfReached(work: Work): Promise<void> {
  await underAccountLock(work, async (tx, now) => {
    const basis = await readBasis(tx, { now });
    if (isToTrip(basis)) await tripDailyLoss(tx, basis, now);
  });
}

/**
 * Books whose loss of the day has reached their limit unnoticed, `most` at a time. One statement over the days that
 * are open, which every account that holds something has; what it costs grows with what is held, not with history.
 */
export async function findLossesReached(db: Db, now: Date, most: number): Promise<BooksKey[]> {
  const { rows } = await sql<{ account_id: string; mode: Mode }>`
    with held as materialized (
      select p.account_id, p.mode, sum(${unrealizedInSql(sql`q.mark_price`)}) as unrealized
      from position p join quote q on q.token_id = p.token_id
      where p.amount > 0 and q.mark_price is not null
      group by p.account_id, p.mode
    )
    select d.account_id, d.mode
    from account_day d
    join risk_rules r on r.account_id = d.account_id and r.mode = d.mode
    join trading_account t on t.account_id = d.account_id and t.mode = d.mode
    left join held h on h.account_id = d.account_id and h.mode = d.mode
    where d.day = ${utcDay(now)} and ${isTrippedOn(now)} is not true
      and greatest(d.opening_unrealized_pnl - d.realized_pnl - coalesce(h.unrealized, 0), 0) >= r.max_daily_loss
    limit ${most}`.execute(db);
  return rows.map(({ account_id, mode }) => ({ accountId: account_id, mode }));
}
