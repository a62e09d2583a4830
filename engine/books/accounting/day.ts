import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { utcDay } from '../../platform/clock/utc-day.ts';
import type { BooksKey, Work } from '../../platform/context.ts';
import type { Exact } from '../../platform/decimal.ts';
import { unrealizedInSql } from '../../platform/sql-fragments.ts';
import { markIgnoringBriefZero } from './mark-ignoring-brief-zero.ts';

/**
 * The unrealized result at the steady marks, as SQL. An instrument that was never quoted opens at its cost: a zero there
 * would hide as much of the day's loss.
 */
const unrealizedAtOpening = (now: Date) =>
  sql<string>`coalesce(sum(${unrealizedInSql(markIgnoringBriefZero(now))}), 0)`;

/**
 * Opens the account's day at `openingUnrealizedPnl`, or at the current unrealized result, unless it is open. Call before the
 * first decision or fill of a day, so that `maxDailyLoss` has a value to compare with. Call under the account's lock.
 */
export async function openAccountDay(tx: Work, now: Date, openingUnrealizedPnl?: Exact): Promise<void> {
  const opening =
    openingUnrealizedPnl === undefined
      ? unrealizedAtOpening(now)
      : sql<string>`${openingUnrealizedPnl.toFixed()}::numeric`;
  await tx.db
    .insertInto('account_day')
    .columns(['account_id', 'mode', 'day', 'opening_unrealized_pnl'])
    .expression((eb) =>
      eb
        .selectFrom('trading_account as t')
        .leftJoinLateral(
          // By instrument, as the rules measure: rounding by position gives another sum.
          (held) =>
            held
              .selectFrom('position')
              .select(({ fn }) => [
                'token_id',
                fn.sum<string>('amount').as('amount'),
                fn.sum<string>('total_cost').as('total_cost'),
              ])
              .whereRef('position.account_id', '=', 't.account_id')
              .whereRef('position.mode', '=', 't.mode')
              .where('amount', '>', '0')
              .groupBy('token_id')
              .as('p'),
          (join) => join.onTrue(),
        )
        .leftJoin('quote as q', 'q.token_id', 'p.token_id')
        .where('t.account_id', '=', tx.accountId)
        .where('t.mode', '=', tx.mode)
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
 * Finds books that hold something and have not opened their day. An account without holdings opens at zero on its first
 * action, so it is not searched for.
 */
export async function findDaysToOpen(db: Db, now: Date): Promise<BooksKey[]> {
  const rows = await db
    .selectFrom('position as p')
    .select(['p.account_id', 'p.mode'])
    .distinct()
    .where('p.amount', '>', '0')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_day as d')
            .select('d.day')
            .whereRef('d.account_id', '=', 'p.account_id')
            .whereRef('d.mode', '=', 'p.mode')
            .where('d.day', '=', utcDay(now)),
        ),
      ),
    )
    .execute();
  return rows.map(({ account_id, mode }) => ({ accountId: account_id, mode }));
}
