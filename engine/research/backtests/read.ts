import { sql } from 'kysely';
import type { JobStatus } from '../../../db/vocabulary.ts';
import type { Work } from '../../platform/context.ts';
import { type JobFilter, listJobs } from '../../platform/jobs/job-rows.ts';
import type { PartKind } from '../playback/input.ts';
import type {
  EquityPartRow,
  FillPartRow,
  LogPartRow,
  OrderPartRow,
  TradePartRow,
} from '../playback/result.ts';
import { decodeRows } from './parts.ts';
import { type BacktestRow, backtestOf, type Progress, requireOwnBacktest } from './row.ts';

/** Reads the account's backtests. @see listJobs */
export const listBacktests = async (work: Work, filter: JobFilter): Promise<BacktestRow[]> =>
  (await listJobs(work, 'backtest', filter)).map(backtestOf);

/** A running or queued backtest with its progress. */
export type UnfinishedBacktest = {
  readonly id: string;
  readonly status: JobStatus;
  readonly phase: string | null;
  readonly progress: Progress | null;
};

export async function unfinishedBacktests({ db, accountId }: Work): Promise<UnfinishedBacktest[]> {
  const rows = await db
    .selectFrom('backtest')
    .select(['id', 'status', 'phase', 'progress'])
    .where('account_id', '=', accountId)
    .where('status', 'in', ['queued', 'running'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows as unknown as UnfinishedBacktest[];
}

type PartRows = {
  order: OrderPartRow;
  fill: FillPartRow;
  trade: TradePartRow;
  equity: EquityPartRow;
  log: LogPartRow;
};

/**
 * Reads `count` rows of a result from one on, oldest first; fewer only at the end.
 *
 * @throws DomainError `not_found`.
 */
export async function readRows<Kind extends PartKind>(
  work: Work,
  id: string,
  { kind, from, limit }: { kind: Kind; from: number; limit: number },
): Promise<PartRows[Kind][]> {
  await requireOwnBacktest(work, id);
  const found: PartRows[Kind][] = [];
  for await (const { first, rows } of partsOf(work, id, kind, { from, until: from + limit })) {
    found.push(...rows.slice(Math.max(0, from - first), from + limit - first));
  }
  return found;
}

/** Yields all rows of a kind in order, one part in memory at a time. */
export async function* allRows<Kind extends PartKind>(
  work: Work,
  id: string,
  kind: Kind,
): AsyncGenerator<PartRows[Kind][]> {
  for await (const { rows } of partsOf(work, id, kind, { from: 0, until: ROWS_MAX })) yield rows;
}

const ROWS_MAX = 2_147_483_647;

async function* partsOf<Kind extends PartKind>(
  { db, accountId }: Work,
  id: string,
  kind: Kind,
  { from, until }: { from: number; until: number },
): AsyncGenerator<{ first: number; rows: PartRows[Kind][] }> {
  for (let next = from; next < until; ) {
    const part = await db
      .selectFrom('backtest_part')
      .select(['first_row', 'rows', 'body'])
      .where('account_id', '=', accountId)
      .where('backtest_id', '=', id)
      .where('kind', '=', kind)
      .where(sql<boolean>`first_row + rows > ${next}::int`)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    if (part === undefined) return;
    yield { first: part.first_row, rows: decodeRows<PartRows[Kind]>(part.body) };
    next = part.first_row + part.rows;
  }
}

/** Counts the rows of each kind in a result. */
export async function countRows(
  { db, accountId }: Work,
  id: string,
): Promise<Readonly<Record<PartKind, number>>> {
  const rows = await db
    .selectFrom('backtest_part')
    .select(({ fn }) => ['kind', fn.sum<string>('rows').as('rows')])
    .where('account_id', '=', accountId)
    .where('backtest_id', '=', id)
    .groupBy('kind')
    .execute();
  const counted = new Map(rows.map(({ kind, rows: count }) => [kind, Number(count)]));
  const of = (kind: PartKind) => counted.get(kind) ?? 0;
  return { order: of('order'), fill: of('fill'), trade: of('trade'), equity: of('equity'), log: of('log') };
}
