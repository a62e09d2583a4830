import { sql } from 'kysely';
import { inSnapshot } from '../../../db/transaction.ts';
import type { Archive, StatedPart } from '../../platform/archive/archive.ts';
import { utcDay } from '../../platform/clock/utc-day.ts';
import type { Work } from '../../platform/context.ts';
import { exact } from '../../platform/decimal.ts';
import { readArchivedEquity, statedEquity } from './archived-equity.ts';
import { accountNow } from './portfolio.ts';

const DAYS_MAX = 400;

/** The result of one UTC day, realized and at marks, USD. `day` is `YYYY-MM-DD`. */
export type DailyResult = { readonly day: string; readonly pnl: string };

/** Days, oldest first, and the result before the first of them. Together they are the whole result. */
export type DailyResults = { readonly before: string; readonly days: readonly DailyResult[] };

/** The cumulative result at the end of a day. */
type DayEnd = { readonly day: string; readonly made: string };
type StoredDayEnd = DayEnd & { readonly at: string };

/**
 * Reads the result of each day, today's up to now. A day without a stored point had no result and is left out.
 *
 * @throws DomainError `archived_unavailable`
 */
export async function dailyResults(work: Work, archive: Archive | null = null): Promise<DailyResults> {
  const { now, totalPnl, rows, parts } = await inSnapshot(work, readDayEnds);
  const ends = (await withArchivedDays(rows, parts, archive)).toReversed();
  const pastDays = ends.filter(({ day }) => day < utcDay(now));
  return dailyResultsOf([...pastDays, { day: utcDay(now), made: totalPnl }], ends.length === DAYS_MAX);
}

async function readDayEnds(work: Work) {
  const now = await work.clock(work.db);
  const { totalPnl } = await accountNow(work);
  // A value at midnight belongs to the day that ends there.
  const { rows } = await sql<StoredDayEnd>`
    select distinct on (day) day, at, made from (
      select to_char((at - interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD') as day, at,
        realized_pnl + unrealized_pnl as made
      from equity_point where account_id = ${work.accountId} and mode = ${work.mode} and at <= ${now}
    ) point order by day desc, at desc limit ${DAYS_MAX}`.execute(work.db);
  return { now, totalPnl, rows, parts: await statedEquity(work, '-infinity') };
}

/** Adds the ends of days that are in the archive, and returns the newest days first. Reads no file without need. */
async function withArchivedDays(
  rows: readonly StoredDayEnd[],
  parts: readonly StatedPart[],
  archive: Archive | null,
): Promise<DayEnd[]> {
  const ends = new Map(rows.map(({ day, made, at }) => [day, { day, made, atMs: Date.parse(at) }]));
  for (const part of parts.toReversed()) {
    if (ends.size >= DAYS_MAX) break;
    for (const { at, realizedPnl, unrealizedPnl } of await readArchivedEquity(archive, [part])) {
      const [atMs, day] = [Number(at), utcDay(new Date(Number(at) - 1))];
      const isLater = atMs > (ends.get(day)?.atMs ?? Number.NEGATIVE_INFINITY);
      if (isLater) ends.set(day, { day, atMs, made: exact(realizedPnl).plus(unrealizedPnl).toFixed() });
    }
  }
  return [...ends.values()].sort((a, b) => (a.day < b.day ? 1 : -1)).slice(0, DAYS_MAX);
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
