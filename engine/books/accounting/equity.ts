import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { inSnapshot } from '../../../db/transaction.ts';
import type { Archive } from '../../platform/archive/archive.ts';
import { toIso } from '../../platform/clock/timestamp-text.ts';
import type { Work } from '../../platform/context.ts';
import { exact } from '../../platform/decimal.ts';
import { unrealizedInSql, worthInSql } from '../../platform/sql-fragments.ts';
import { FIRST_ARCHIVED, isoOf, readArchivedEquity, statedEquity } from './archived-equity.ts';
import { markIgnoringBriefZero } from './mark-ignoring-brief-zero.ts';

export const EQUITY_RANGES = ['1d', '1w', '1m', 'all'] as const;
export type EquityRange = (typeof EQUITY_RANGES)[number];

/** How often an equity point is stored. */
export const EQUITY_PERIOD_MS = 5 * 60_000;

/** The span of each range, up to now. */
export const RANGE_SPAN_MS = { '1d': 86_400_000, '1w': 7 * 86_400_000, '1m': 30 * 86_400_000 } as const;
/** How far apart the points of a range are, so that a curve has at most some 400 of them. */
const STEP_MS = { '1d': EQUITY_PERIOD_MS, '1w': 30 * 60_000, '1m': 2 * 3_600_000 } as const;
const POINTS_OF_ALL = 400;

/** Decimals are strings in USD, `at` is ISO 8601. */
export type EquityPoint = {
  at: string;
  equity: string;
  cash: string;
  realizedPnl: string;
  unrealizedPnl: string;
};

/**
 * The account's equity over time, oldest first: the value at the beginning of the range, then the last point of each step.
 * If the account's first deploy lies within the range, the first point is that deploy, with the starting cash. Nothing was
 * earned before it.
 */
export async function equityHistory(
  work: Work,
  range: EquityRange,
  archive: Archive | null = null,
): Promise<EquityPoint[]> {
  const { points, parts, since, stepMs, paid } = await inSnapshot(work, (at) => readHistory(at, range));
  const archived = (await readArchivedEquity(archive, parts))
    .filter(({ at }) => Number(at) >= since.getTime())
    .map(
      (row): EquityPoint => ({
        at: isoOf(row),
        equity: exact(row.realizedPnl).plus(row.unrealizedPnl).plus(paid).toFixed(),
        cash: exact(row.cash).toFixed(),
        realizedPnl: exact(row.realizedPnl).toFixed(),
        unrealizedPnl: exact(row.unrealizedPnl).toFixed(),
      }),
    );
  return archived.length === 0 ? points : firstAndLastOfSteps([...archived, ...points], stepMs);
}

/** Reads the points of the database, of which no other is left out than of the whole curve; and where the others are. */
async function readHistory(work: Work, range: EquityRange) {
  const now = await work.clock(work.db);
  const life = await wholeLife(work, now);
  const { since, stepMs } =
    range === 'all'
      ? life
      : {
          since: new Date(now.getTime() - RANGE_SPAN_MS[range]),
          // A young account has few points: none of them is left out.
          stepMs: Math.min(STEP_MS[range], life.stepMs),
        };
  const { rows } = await sql<{
    at: string;
    equity: string;
    cash: string;
    realized_pnl: string;
    unrealized_pnl: string;
  }>`
    with point as (
      select at, ${equityOf(work)} as equity, cash, realized_pnl, unrealized_pnl from equity_point
      where account_id = ${work.accountId} and mode = ${work.mode} and at >= ${since}
      union all
      select first.at, ${paidIn(work)}, start.cash, 0, 0
      from (${beginning(work)}) first,
        (select sum(amount) as cash from cash_entry
          where account_id = ${work.accountId} and mode = ${work.mode} and kind = 'deposit') start
      where first.at >= ${since} and start.cash is not null
    ), numbered as (
      select point.*, row_number() over (order by at) as place, row_number() over (
        partition by floor(extract(epoch from at) * 1000 / ${stepMs}::numeric) order by at desc) as from_last
      from point
    )
    select at, equity, cash, realized_pnl, unrealized_pnl from numbered
    where place = 1 or from_last = 1 order by at`.execute(work.db);
  const points = rows.map((row) => ({
    at: toIso(row.at),
    equity: exact(row.equity).toFixed(),
    cash: exact(row.cash).toFixed(),
    realizedPnl: exact(row.realized_pnl).toFixed(),
    unrealizedPnl: exact(row.unrealized_pnl).toFixed(),
  }));
  const { rows: sums } = await sql<{ paid: string }>`select ${paidIn(work)} as paid`.execute(work.db);
  return { points, parts: await statedEquity(work, since), since, stepMs, paid: sums[0]?.paid ?? '0' };
}

/** As the statement above selects points. */
function firstAndLastOfSteps(points: readonly EquityPoint[], stepMs: number): EquityPoint[] {
  const sorted = points.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const stepOf = (point: EquityPoint | undefined) =>
    point === undefined ? null : Math.floor(Date.parse(point.at) / stepMs);
  return sorted.filter((point, index) => index === 0 || stepOf(point) !== stepOf(sorted[index + 1]));
}

/**
 * The curve adds the result to all that has been paid in by now. A deposit or a withdrawal is therefore no step in it, and won
 * settlements count before they are redeemed. Without either, the curve is cash and holdings as they were.
 */
const equityOf = (work: Work) => sql`realized_pnl + unrealized_pnl + ${paidIn(work)}`;

const paidIn = ({ accountId, mode }: Work) => sql`(
  select coalesce(sum(amount), 0) from cash_entry where account_id = ${accountId} and mode = ${mode}
    and kind in ('deposit', 'transfer', 'adjustment') and fill_id is null)`;

async function wholeLife(work: Work, now: Date): Promise<{ since: Date; stepMs: number }> {
  const since = (await curveBeginningOf(work)) ?? now;
  const lifeMs = now.getTime() - since.getTime();
  const periods = Math.ceil(lifeMs / EQUITY_PERIOD_MS / POINTS_OF_ALL);
  return { since, stepMs: Math.max(periods, 1) * EQUITY_PERIOD_MS };
}

/** The instant at which the curve of an account begins; null before its first deploy. */
export async function curveBeginningOf(work: Work): Promise<Date | null> {
  const { rows } = await beginning(work).execute(work.db);
  const first = rows[0]?.at ?? null;
  return first === null ? null : new Date(first);
}

/** The first deploy. A first point that an earlier version stored stands at the beginning of its five minutes, before it. */
const beginning = ({ accountId, mode }: Work) => sql<{ at: string | null }>`
  select least(min(d.started_at), (
    select min(p.at) - interval '1 millisecond' from equity_point p where p.account_id = ${accountId} and p.mode = ${mode}
  ), (select min(f.at) - interval '1 millisecond' from (${FIRST_ARCHIVED({ accountId, mode })}) f)) as at
  from deployment d where d.account_id = ${accountId} and d.mode = ${mode}`;

/**
 * When a point of the five minutes from `at` on was measured, in the books that `row` is of. The first five minutes may begin
 * before the first deploy, and the account has no value then. An account may have many deployments: any earlier one is enough.
 */
const measuredAt = (at: Date, row: RawBuilder<unknown>) => sql`
  case when exists (select from deployment d
    where d.account_id = ${row}.account_id and d.mode = ${row}.mode and d.started_at < ${at}) then ${at}
  else greatest(${at}, (select min(d.started_at) + interval '1 millisecond' from deployment d
    where d.account_id = ${row}.account_id and d.mode = ${row}.mode)) end`;

/**
 * Stores one point for every account that has ever deployed, at the five-minute instant at or before `now`. The point lies after
 * the first deploy. A second call within the same five minutes adds nothing.
 */
export async function storeEquityPoints(db: Db, now: Date): Promise<void> {
  const at = new Date(Math.floor(now.getTime() / EQUITY_PERIOD_MS) * EQUITY_PERIOD_MS);
  await sql`
    insert into equity_point (account_id, mode, at, equity, cash, realized_pnl, unrealized_pnl)
    select t.account_id, t.mode, ${measuredAt(at, sql`t`)}, t.cash + h.worth, t.cash, t.realized_pnl, h.worth - h.cost
    from trading_account t, lateral (
      select coalesce(sum(${worthInSql(sql`coalesce(${markIgnoringBriefZero(now)}, 0)`)}), 0) as worth,
        coalesce(sum(p.total_cost), 0) as cost
      from position p left join quote q on q.token_id = p.token_id
      where p.account_id = t.account_id and p.mode = t.mode and p.amount > 0) h
    where exists (select 1 from deployment d where d.account_id = t.account_id and d.mode = t.mode)
    on conflict do nothing`.execute(db);
  await storeBlueprintPoints(db, at, now);
}

/** Stores a point for each blueprint that holds something, or traded since the last point. An unchanged blueprint gets none. */
async function storeBlueprintPoints(db: Db, at: Date, now: Date): Promise<void> {
  const mark = sql`coalesce(${markIgnoringBriefZero(now)}, 0)`;
  await sql`
    with moved as (
      select account_id, mode, blueprint_id from position where amount > 0
      union select account_id, mode, blueprint_id from position where updated_at > ${new Date(at.getTime() - EQUITY_PERIOD_MS)}
    )
    insert into blueprint_equity (account_id, mode, blueprint_id, at, realized_pnl, unrealized_pnl, held)
    select p.account_id, p.mode, p.blueprint_id, ${measuredAt(at, sql`p`)}, sum(p.realized_pnl),
      coalesce(sum(${unrealizedInSql(mark)}) filter (where p.amount > 0), 0),
      coalesce(sum(${worthInSql(mark)}) filter (where p.amount > 0), 0)
    from moved m join position p on p.account_id = m.account_id and p.mode = m.mode and p.blueprint_id = m.blueprint_id
      left join quote q on q.token_id = p.token_id
    group by p.account_id, p.mode, p.blueprint_id
    on conflict do nothing`.execute(db);
}
