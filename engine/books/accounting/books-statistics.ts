import { sql } from 'kysely';
import type { Work } from '../../platform/context.ts';
import { exact, sumOf } from '../../platform/decimal.ts';
import { notFound } from '../../platform/errors.ts';
import { forEachYielding } from '../../platform/for-each-yielding.ts';
import { MARK_OR_ZERO, unrealizedInSql, worthInSql } from '../../platform/sql-fragments.ts';
import { type CurvePoint, equityDrawdownCurve } from '../statistics/equity-drawdown-curve.ts';
import { type HeldPoint, type Span, type Statistics, StatisticsRecorder } from '../statistics/statistics.ts';
import { thinned } from '../statistics/thinner.ts';
import type { TradeEvent } from '../statistics/trade-tracker.ts';
import { curveBeginningOf, type EquityRange, RANGE_SPAN_MS } from './equity.ts';
import { inSnapshot } from './in-snapshot.ts';
import { accountNow } from './portfolio.ts';
import { tradeHistory } from './trade-history.ts';

/** The statistics of the books, or of one blueprint, over a range. */
export type BooksStatistics = Statistics & {
  readonly fromMs: number;
  readonly toMs: number;
  /** Fills that are older than the newest 50,000 are in no trade. */
  readonly isCut: boolean;
};

/** The figures of a page and the curve that it draws, from the same points. */
export type BooksCurve = {
  readonly statistics: BooksStatistics;
  readonly curve: readonly CurvePoint[];
  /** The result of the books or the blueprint at the end of the curve, over their whole life. USD. */
  readonly totalPnl: string;
};

/** The most points of a curve. */
const CURVE_POINTS_MAX = 1_000;

/** The most points read: a year and a half at five minutes. Of a longer history, every nth point is read. */
const POINTS_MAX = 150_000;

/** `made`: realized and at marks, so that won settlements count before a venue pays them. */
type PointRow = { at: string; made: string; held: string };

/** The account's statistics, from its value at the beginning of the range. Money brought in or taken out is not earned. */
export const accountStatistics = async (work: Work, range: EquityRange): Promise<BooksStatistics> =>
  statisticsOf(await inSnapshot(work, (at) => accountRecord(at, range)));

/** {@link accountStatistics} and their curve. */
export const accountCurve = async (work: Work, range: EquityRange): Promise<BooksCurve> =>
  curveOfRecord(await inSnapshot(work, (at) => accountRecord(at, range)));

async function accountRecord(work: Work, range: EquityRange): Promise<TradingRecord> {
  const now = await work.clock(work.db);
  const { equity, cash, totalPnl } = await accountNow(work);
  const since = await sinceOf(work, range, now);
  const { rows } = await sql<PointRow>`
    select at, realized_pnl + unrealized_pnl as made, equity - cash as held from equity_point
    where account_id = ${work.accountId} and mode = ${work.mode} and at >= ${since} and at < ${now}
    order by at desc limit ${POINTS_MAX}`.execute(work.db);
  const capital = await capitalAt(work, since);
  const flows = await readFlows(work, since, now);
  const made = exact(equity)
    .minus(capital)
    .minus(sumOf(flows.map(({ amount }) => amount)));
  const last = { at: now.toISOString(), made: made.toFixed(), held: exact(equity).minus(cash).toFixed() };
  return await record(work, null, {
    span: { fromMs: since.getTime(), toMs: now.getTime(), start: await equityAt(work, since) },
    points: await withFlows(capital, [...rows.reverse(), last], flows),
    totalPnl,
  });
}

/**
 * One blueprint's statistics. A blueprint has no money of its own: its result is added to the account's starting equity.
 *
 * @throws DomainError `not_found`.
 */
export const blueprintStatistics = async (
  work: Work,
  blueprintId: string,
  range: EquityRange,
): Promise<BooksStatistics> =>
  statisticsOf(await inSnapshot(work, (at) => blueprintRecord(at, blueprintId, range)));

/**
 * {@link blueprintStatistics} and their curve.
 *
 * @throws DomainError `not_found`.
 */
export const blueprintCurve = async (
  work: Work,
  blueprintId: string,
  range: EquityRange,
): Promise<BooksCurve> =>
  curveOfRecord(await inSnapshot(work, (at) => blueprintRecord(at, blueprintId, range)));

async function blueprintRecord(work: Work, blueprintId: string, range: EquityRange): Promise<TradingRecord> {
  await refuseUnlessThere(work, blueprintId);
  const now = await work.clock(work.db);
  const since = await sinceOf(work, range, now);
  const base = exact(await equityAt(work, since));
  const { rows } = await sql<{ at: string; made: string; held: string }>`
    select at, realized_pnl + unrealized_pnl as made, held from blueprint_equity
    where account_id = ${work.accountId} and mode = ${work.mode} and blueprint_id = ${blueprintId} and at < ${now}
      and at >= coalesce((select max(at) from blueprint_equity where account_id = ${work.accountId} and mode = ${work.mode}
        and blueprint_id = ${blueprintId} and at <= ${since}), ${since})
    order by at desc limit ${POINTS_MAX}`.execute(work.db);
  const last = await blueprintNow(work, blueprintId);
  const curve = [...rows.reverse(), { at: now.toISOString(), ...last }];
  const before = curve.filter(({ at }) => Date.parse(at) <= since.getTime()).at(-1)?.made ?? '0';
  return await record(work, blueprintId, {
    span: { fromMs: since.getTime(), toMs: now.getTime(), start: base.toFixed() },
    points: curve
      .filter(({ at }) => Date.parse(at) > since.getTime())
      .map(({ at, made, held }) => ({
        atMs: Date.parse(at),
        equity: base.plus(made).minus(before).toFixed(),
        held: exact(held).toFixed(),
      })),
    totalPnl: exact(last.made).toFixed(),
  });
}

/** A span, its points, and the trades that ended by its end. */
type TradingRecord = {
  readonly span: Span;
  readonly points: readonly HeldPoint[];
  readonly events: readonly TradeEvent[];
  readonly isCut: boolean;
  readonly totalPnl: string;
};

async function record(
  work: Work,
  blueprintId: string | null,
  read: Pick<TradingRecord, 'span' | 'points' | 'totalPnl'>,
): Promise<TradingRecord> {
  const { events, isCut } = await tradeHistory(work, blueprintId);
  return { ...read, events: events.filter(({ atMs }) => atMs <= read.span.toMs), isCut };
}

async function statisticsOf({ span, points, events, isCut }: TradingRecord): Promise<BooksStatistics> {
  const recorder = new StatisticsRecorder(span);
  await forEachYielding(events, (event) => recorder.event(event));
  await forEachYielding(points, (point) => recorder.point(point));
  return { ...recorder.statistics(), fromMs: span.fromMs, toMs: span.toMs, isCut };
}

async function curveOfRecord(record: TradingRecord): Promise<BooksCurve> {
  const { start, fromMs } = record.span;
  return {
    totalPnl: record.totalPnl,
    statistics: await statisticsOf(record),
    curve: thinned(equityDrawdownCurve(start, fromMs, record.points), CURVE_POINTS_MAX, ({ equity }) =>
      Number(equity),
    ),
  };
}

async function sinceOf(work: Work, range: EquityRange, now: Date): Promise<Date> {
  const beginning = await curveBeginningOf(work);
  const first = beginning === null ? now : new Date(Math.min(beginning.getTime(), now.getTime()));
  if (range === 'all') return first;
  return new Date(Math.max(first.getTime(), now.getTime() - RANGE_SPAN_MS[range]));
}

/** The value of the books at an instant: the capital brought in, plus the result at the newest point. */
async function equityAt(work: Work, at: Date): Promise<string> {
  const { db, accountId, mode } = work;
  const { rows } = await sql<{ made: string }>`
    select realized_pnl + unrealized_pnl as made from equity_point
    where account_id = ${accountId} and mode = ${mode} and at <= ${at} order by at desc limit 1`.execute(db);
  return exact(await capitalAt(work, at))
    .plus(rows[0]?.made ?? 0)
    .toFixed();
}

/** The capital brought in by an instant, less what was taken out. */
async function capitalAt({ db, accountId, mode }: Work, at: Date): Promise<string> {
  const { rows } = await sql<{ capital: string }>`
    select coalesce(sum(amount), 0) as capital from cash_entry
    where account_id = ${accountId} and mode = ${mode}
      and (kind = 'deposit' or kind = any(${FLOW_KINDS}::text[]) and fill_id is null and at <= ${at})`.execute(
    db,
  );
  return rows[0]?.capital ?? '0';
}

/**
 * Deposits, withdrawals and stated adjustments: they are not earned. Paper books begin with a deposit, and are reset by a
 * transfer.
 */
const FLOW_KINDS = ['transfer', 'adjustment'] as const;

type Flow = { readonly atMs: number; readonly amount: string };

async function readFlows({ db, accountId, mode }: Work, since: Date, until: Date): Promise<Flow[]> {
  const rows = await db
    .selectFrom('cash_entry')
    .select(['at', 'amount'])
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('kind', 'in', FLOW_KINDS)
    .where('fill_id', 'is', null)
    .where('at', '>', since.toISOString())
    .where('at', '<=', until.toISOString())
    .orderBy('at')
    .execute();
  return rows.map(({ at, amount }) => ({ atMs: Date.parse(at), amount }));
}

/** Adds each flow to the first point at or after it; `capital` is the sum before them. */
async function withFlows(
  capital: string,
  points: readonly PointRow[],
  flows: readonly Flow[],
): Promise<HeldPoint[]> {
  let next = 0;
  let brought = exact(capital);
  const heldPoints: HeldPoint[] = [];
  await forEachYielding(points, ({ at, made, held }) => {
    const atMs = Date.parse(at);
    let flow = exact(0);
    for (let due = flows[next]; due !== undefined && due.atMs <= atMs; due = flows[++next]) {
      flow = flow.plus(due.amount);
    }
    brought = brought.plus(flow);
    const point = { atMs, equity: brought.plus(made).toFixed(), held: exact(held).toFixed() };
    heldPoints.push(flow.isZero() ? point : { ...point, flow: flow.toFixed() });
  });
  return heldPoints;
}

async function refuseUnlessThere({ db, accountId }: Work, blueprintId: string): Promise<void> {
  const row = await db
    .selectFrom('blueprint')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', blueprintId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
}

/** A blueprint's result up to now and its holdings, at stored marks. */
async function blueprintNow(
  { db, accountId, mode }: Work,
  blueprintId: string,
): Promise<{ made: string; held: string }> {
  const { rows } = await sql<{ made: string; held: string }>`
    select coalesce(sum(p.realized_pnl), 0)
        + coalesce(sum(${unrealizedInSql(MARK_OR_ZERO)}) filter (where p.amount > 0), 0) as made,
      coalesce(sum(${worthInSql(MARK_OR_ZERO)}) filter (where p.amount > 0), 0) as held
    from position p left join quote q on q.token_id = p.token_id
    where p.account_id = ${accountId} and p.mode = ${mode} and p.blueprint_id = ${blueprintId}`.execute(db);
  return rows[0] ?? { made: '0', held: '0' };
}
