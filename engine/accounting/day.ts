import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { dbOf, type Work } from '../context.ts';
import type { Exact } from '../decimal.ts';
import { MODE } from '../mode.ts';

/** The day a moment belongs to, `YYYY-MM-DD`. Days begin at 00:00 UTC, for everyone. */
export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Unrealized profit and loss of `position p` at the stored bid marks of `quote q`, as SQL. */
const UNREALIZED = sql<string>`coalesce(sum(round(p.amount * coalesce(q.mark_price, 0), 12) - p.total_cost), 0)`;

/**
 * Opens the account's day at `openingUnrealizedPnl`, or at what is unrealized now, where it is not open yet: before
 * the first decision or fill of a day, so that `maxDailyLoss` has something to compare with. Call under the
 * account's lock.
 */
export async function openAccountDay(tx: Work, now: Date, openingUnrealizedPnl?: Exact): Promise<void> {
  const opening =
    openingUnrealizedPnl === undefined ? UNREALIZED : sql<string>`${openingUnrealizedPnl.toFixed()}::numeric`;
  await dbOf(tx)
    .insertInto('account_day')
    .columns(['account_id', 'mode', 'day', 'opening_unrealized_pnl'])
    .expression((eb) =>
      eb
        .selectFrom('trading_account as t')
        .leftJoin('position as p', (join) =>
          join
            .onRef('p.account_id', '=', 't.account_id')
            .onRef('p.mode', '=', 't.mode')
            .on('p.amount', '>', '0'),
        )
        .leftJoin('quote as q', 'q.token_id', 'p.token_id')
        .where('t.account_id', '=', tx.accountId)
        .where('t.mode', '=', MODE)
        .groupBy(['t.account_id', 't.mode'])
        .select([
          't.account_id',
          't.mode',
          sql<string>`${utcDay(now)}::date`.as('day'),
          opening.as('opening_unrealized_pnl'),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Opens the day of every account that holds something. Run right after 00:00 UTC: whoever holds nothing opens at
 * zero whenever it first acts.
 */
export async function openAccountDays(db: Db, now: Date): Promise<void> {
  await db
    .insertInto('account_day')
    .columns(['account_id', 'mode', 'day', 'opening_unrealized_pnl'])
    .expression((eb) =>
      eb
        .selectFrom('position as p')
        .leftJoin('quote as q', 'q.token_id', 'p.token_id')
        .where('p.amount', '>', '0')
        .groupBy(['p.account_id', 'p.mode'])
        .select([
          'p.account_id',
          'p.mode',
          sql<string>`${utcDay(now)}::date`.as('day'),
          UNREALIZED.as('unrealized'),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
