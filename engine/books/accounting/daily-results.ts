import { sql } from 'kysely';
import { utcDay } from '../../platform/clock/utc-day.ts';
import type { Work } from '../../platform/context.ts';
import { exact } from '../../platform/decimal.ts';
import { accountNow } from './portfolio.ts';

const DAYS_MAX = 400;

/** The result of one UTC day, realized and at marks, USD. `day` is `YYYY-MM-DD`. */
export type DailyResult = { readonly day: string; readonly pnl: string };

/** Days, oldest first, and the result before the first of them. Together they are the whole result. */
export type DailyResults = { readonly before: string; readonly days: readonly DailyResult[] };

/** The cumulative result at the end of a day. */
type DayEnd = { readonly day: string; readonly made: string };

/** Reads the result of each day, today's up to now. A day without a stored point had no result and is left out. */
export async function dailyResults(work: Work): Promise<DailyResults> {
  const now = await work.clock(work.db);
  const { totalPnl } = await accountNow(work);
  // A value at midnight belongs to the day that ends there.
  const { rows } = await sql<DayEnd>`
    select distinct on (day) day, made from (
      select to_char((at - interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD') as day, at,
        realized_pnl + unrealized_pnl as made
      from equity_point where account_id = ${work.accountId} and mode = ${work.mode} and at <= ${now}
    ) point order by day desc, at desc limit ${DAYS_MAX}`.execute(work.db);
  const pastDays = rows.reverse().filter(({ day }) => day < utcDay(now));
  return dailyResultsOf([...pastDays, { day: utcDay(now), made: totalPnl }], rows.length === DAYS_MAX);
}

/**
 * Computes daily results from the cumulative results at the ends of days. If older days were cut off (`isCut`), the first entry
 * is the starting value. Pure.
 */
export function dailyResultsOf(dayEnds: readonly DayEnd[], isCut: boolean): DailyResults {
  const before = isCut ? (dayEnds[0]?.made ?? '0') : '0';
  const listed = isCut ? dayEnds.slice(1) : dayEnds;
  return {
    before: exact(before).toFixed(),
    days: listed.map(({ day, made }, index) => ({
      day,
      pnl: exact(made)
        .minus(listed[index - 1]?.made ?? before)
        .toFixed(),
    })),
  };
}
