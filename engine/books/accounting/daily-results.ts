import { sql } from 'kysely';
import { utcDay } from '../../platform/clock/utc-day.ts';
import type { Work } from '../../platform/context.ts';
import { exact } from '../../platform/decimal.ts';
import { accountNow } from './portfolio.ts';

const DAYS_MAX = 400;

/** What one UTC day came to, realized and at marks, USD. `day` is `YYYY-MM-DD`. */
export type DailyResult = { readonly day: string; readonly pnl: string };

/** Days, oldest first, and what had been made before the first of them: together they are the whole result. */
export type DailyResults = { readonly before: string; readonly days: readonly DailyResult[] };

/** What stood at the end of a day. */
type Standing = { readonly day: string; readonly made: string };

/** What each day came to, today as far as it has come. A day on which nothing was kept came to nothing and is left out. */
export async function dailyResults(work: Work): Promise<DailyResults> {
  const now = await work.clock(work.db);
  const { totalPnl } = await accountNow(work);
  // What is known at midnight belongs to the day that ends there.
  const { rows } = await sql<Standing>`
    select distinct on (day) day, made from (
      select to_char((at - interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD') as day, at,
        realized_pnl + unrealized_pnl as made
      from equity_point where account_id = ${work.accountId} and mode = ${work.mode} and at <= ${now}
    ) point order by day desc, at desc limit ${DAYS_MAX}`.execute(work.db);
  const kept = rows.reverse().filter(({ day }) => day < utcDay(now));
  return resultsOf([...kept, { day: utcDay(now), made: totalPnl }], rows.length === DAYS_MAX);
}

/** Of what stood at the ends of days, what lies between them. Where there is more before, the first is where it begins. Pure. */
export function resultsOf(standings: readonly Standing[], isCut: boolean): DailyResults {
  const before = isCut ? (standings[0]?.made ?? '0') : '0';
  const told = isCut ? standings.slice(1) : standings;
  return {
    before: exact(before).toFixed(),
    days: told.map(({ day, made }, index) => ({
      day,
      pnl: exact(made)
        .minus(told[index - 1]?.made ?? before)
        .toFixed(),
    })),
  };
}
