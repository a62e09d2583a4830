import { sql } from 'kysely';
import { inSnapshot } from '../../../db/transaction.ts';
import type { Archive, StatedPart } from '../../platform/archive/archive.ts';
import type { EquityRow } from '../../platform/archive/equity-file.ts';
import type { Work } from '../../platform/context.ts';
import { exact, sumOf } from '../../platform/decimal.ts';
import { notFound } from '../../platform/errors.ts';
import { forEachYielding } from '../../platform/for-each-yielding.ts';
import { MARK_OR_ZERO, unrealizedInSql, worthInSql } from '../../platform/sql-fragments.ts';
import { type CurvePoint, equityDrawdownCurve } from '../statistics/equity-drawdown-curve.ts';
import { type HeldPoint, type Span, type Statistics, StatisticsRecorder } from '../statistics/statistics.ts';
import { thinned } from '../statistics/thinner.ts';
import type { TradeEvent } from '../statistics/trade-tracker.ts';
import {
  isoOf,
  readArchivedBlueprints,
  readArchivedEquity,
  statedBlueprintEquity,
  statedEquity,
} from './archived-equity.ts';
import { curveBeginningOf, type EquityRange, RANGE_SPAN_MS } from './equity.ts';
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

/**
 * The account's statistics, from its value at the beginning of the range. Money brought in or taken out is not earned.
 *
 * @throws DomainError `archived_unavailable`
 */
export const accountStatistics = async (
  work: Work,
  range: EquityRange,
  archive: Archive | null = null,
): Promise<BooksStatistics> => statisticsOf(await accountRecord(work, range, archive));

/** {@link accountStatistics} and their curve. */
export const accountCurve = async (
  work: Work,
  range: EquityRange,
  archive: Archive | null = null,
): Promise<BooksCurve> => curveOfRecord(await accountRecord(work, range, archive));

async function accountRecord(
  work: Work,
  range: EquityRange,
  archive: Archive | null,
): Promise<TradingRecord> {
  const { start, rows, last, flows, ...read } = await inSnapshot(work, (at) => readAccount(at, range));
  const { fromMs, toMs } = read;
  const archived = await readArchivedEquity(archive, start.parts);
  const points = archived.filter(({ at }) => Number(at) >= fromMs && Number(at) < toMs).map(pointOf);
  const all = newestOf(points, rows);
  return recordOf({
    ...read,
    ...booksAtStart(start, archived),
    points: await withFlows(start.capital, [...all, last], flows),
  });
}

async function readAccount(work: Work, range: EquityRange) {
  const now = await work.clock(work.db);
  const { equity, cash, totalPnl } = await accountNow(work);
  const since = await sinceOf(work, range, now);
  const { rows } = await sql<PointRow>`
    select at, realized_pnl + unrealized_pnl as made, equity - cash as held from equity_point
    where account_id = ${work.accountId} and mode = ${work.mode} and at >= ${since} and at < ${now}
    order by at desc limit ${POINTS_MAX}`.execute(work.db);
  const start = await readStart(work, since, now);
  const flows = await readFlows(work, since, now);
  const made = exact(equity)
    .minus(start.capital)
    .minus(sumOf(flows.map(({ amount }) => amount)));
  return {
    fromMs: since.getTime(),
    toMs: now.getTime(),
    start,
    rows: rows.reverse(),
    last: { at: now.toISOString(), made: made.toFixed(), held: exact(equity).minus(cash).toFixed() },
    flows,
    totalPnl,
    ...(await tradeHistory(work, null)),
  };
}

/**
 * One blueprint's statistics. A blueprint has no money of its own: its result is added to the account's starting equity.
 *
 * @throws DomainError `not_found`, `archived_unavailable`.
 */
export const blueprintStatistics = async (
  work: Work,
  blueprintId: string,
  range: EquityRange,
  archive: Archive | null = null,
): Promise<BooksStatistics> => statisticsOf(await blueprintRecord(work, blueprintId, range, archive));

/**
 * {@link blueprintStatistics} and their curve.
 *
 * @throws DomainError `not_found`, `archived_unavailable`.
 */
export const blueprintCurve = async (
  work: Work,
  blueprintId: string,
  range: EquityRange,
  archive: Archive | null = null,
): Promise<BooksCurve> => curveOfRecord(await blueprintRecord(work, blueprintId, range, archive));

async function blueprintRecord(
  work: Work,
  blueprintId: string,
  range: EquityRange,
  archive: Archive | null,
): Promise<TradingRecord> {
  const { start, rows, parts, last, ...read } = await inSnapshot(work, (at) =>
    readBlueprint(at, blueprintId, range),
  );
  const base = exact(booksAtStart(start, await readArchivedEquity(archive, start.parts)).start);
  const archived = await readArchivedBlueprints(archive, parts, blueprintId);
  const points = archived
    .filter(({ at }) => Number(at) < read.toMs)
    .map((row) => ({
      at: isoOf(row),
      made: madeOf(row),
      held: row.held,
    }));
  const curve = [...newestOf(points, rows), last];
  const before = curve.findLast(({ at }) => Date.parse(at) <= read.fromMs) ?? NOTHING;
  return recordOf({
    ...read,
    start: base.toFixed(),
    held: before.held,
    points: curve
      .filter(({ at }) => Date.parse(at) > read.fromMs)
      .map(({ at, made, held }) => ({
        atMs: Date.parse(at),
        equity: base.plus(made).minus(before.made).toFixed(),
        held: exact(held).toFixed(),
      })),
  });
}

async function readBlueprint(work: Work, blueprintId: string, range: EquityRange) {
  await refuseUnlessThere(work, blueprintId);
  const now = await work.clock(work.db);
  const since = await sinceOf(work, range, now);
  const { rows } = await sql<PointRow>`
    select at, realized_pnl + unrealized_pnl as made, held from blueprint_equity
    where account_id = ${work.accountId} and mode = ${work.mode} and blueprint_id = ${blueprintId} and at < ${now}
      and at >= coalesce((select max(at) from blueprint_equity where account_id = ${work.accountId} and mode = ${work.mode}
        and blueprint_id = ${blueprintId} and at <= ${since}), ${since})
    order by at desc limit ${POINTS_MAX}`.execute(work.db);
  const last = await blueprintNow(work, blueprintId);
  return {
    fromMs: since.getTime(),
    toMs: now.getTime(),
    start: await readStart(work, since, since),
    rows: rows.reverse(),
    parts: await statedBlueprintEquity(work, blueprintId, since),
    last: { at: now.toISOString(), ...last },
    totalPnl: exact(last.made).toFixed(),
    ...(await tradeHistory(work, blueprintId)),
  };
}

/** A span, its points, and the trades that ended by its end. */
type TradingRecord = {
  readonly span: Span;
  readonly points: readonly HeldPoint[];
  readonly events: readonly TradeEvent[];
  readonly isCut: boolean;
  readonly totalPnl: string;
};

const recordOf = ({
  fromMs,
  toMs,
  start,
  held,
  events,
  ...read
}: Omit<TradingRecord, 'span'> & Required<Omit<Span, 'riskFree'>>): TradingRecord => ({
  ...read,
  span: { fromMs, toMs, start, held },
  events: events.filter(({ atMs }) => atMs <= toMs),
});

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

/** The facts from which the value of the books at an instant follows. */
type Start = {
  readonly atMs: number;
  /** Brought in until then. */
  readonly capital: string;
  /** The newest point in the database that is not later. */
  readonly before: PointRow | null;
  /** The files with points of the span that follows, and with one before that may be newer. */
  readonly parts: readonly StatedPart[];
};

async function readStart(work: Work, at: Date, until: Date): Promise<Start> {
  const { db, accountId, mode } = work;
  const { rows } = await sql<PointRow>`
    select at, realized_pnl + unrealized_pnl as made, equity - cash as held from equity_point
    where account_id = ${accountId} and mode = ${mode} and at <= ${at} order by at desc limit 1`.execute(db);
  return {
    atMs: at.getTime(),
    capital: await capitalAt(work, at),
    before: rows[0] ?? null,
    parts: await statedEquity(work, at, until),
  };
}

const NOTHING = { made: '0', held: '0' };

/** The value of the books at the start, and the part held: the capital brought in plus the result at the newest point. */
function booksAtStart(
  { atMs, capital, before }: Start,
  archived: readonly EquityRow[],
): Required<Pick<Span, 'start' | 'held'>> {
  const row = archived.findLast(({ at }) => Number(at) <= atMs);
  const known = [before, row === undefined ? null : pointOf(row)];
  const newest = known.filter((point) => point !== null).sort(byTime);
  const { made, held } = newest.at(-1) ?? NOTHING;
  return { start: exact(capital).plus(made).toFixed(), held };
}

const pointOf = (row: EquityRow): PointRow => ({
  at: isoOf(row),
  made: madeOf(row),
  held: exact(row.equity).minus(row.cash).toFixed(),
});

const madeOf = (row: { readonly realizedPnl: string; readonly unrealizedPnl: string }): string =>
  exact(row.realizedPnl).plus(row.unrealizedPnl).toFixed();

/** The newest points of both stores, by time. */
const newestOf = (archived: readonly PointRow[], rows: PointRow[]): PointRow[] =>
  archived.length === 0 ? rows : [...archived, ...rows].sort(byTime).slice(-POINTS_MAX);

const byTime = (a: { at: string }, b: { at: string }): number => Date.parse(a.at) - Date.parse(b.at);

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
