import { type Selectable, sql } from 'kysely';
import type { Database, Db } from '../../db/tables.ts';
import type { JobStatus, Venue } from '../../db/vocabulary.ts';
import { toIso, toIsoOrNull } from '../platform/clock/timestamp-text.ts';
import type { Work } from '../platform/context.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import type { ImportedSoFar, ImportProgress, ImportResult } from './import.ts';
import type { Range } from './ranges.ts';
import type { SeriesKey } from './series.ts';

/** Limit of queued and running imports of one account. */
export const OPEN_IMPORTS_MAX = 10;
/** Limit of rows of one import: ten years of minutes. */
export const IMPORT_ROWS_MAX = 5_500_000;
/** Limit of listed imports, the newest. */
const LISTED_MAX = 50;
const OPEN = ['queued', 'running'] as const satisfies JobStatus[];

export type Import = {
  readonly id: string;
  readonly key: SeriesKey;
  readonly range: Range;
  readonly status: JobStatus;
  /** 0 to 1. */
  readonly progress: number;
  readonly rows: number;
  readonly gaps: number;
  readonly differences: number;
  readonly failure: string | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
};

/** Queues an import; a runner takes it within seconds. @throws DomainError `quota_exceeded` */
export async function requestImport(work: Work, key: SeriesKey, range: Range, now: Date): Promise<Import> {
  const rows = (range.toMs - range.fromMs) / key.resolutionMs;
  if (rows > IMPORT_ROWS_MAX) {
    throw new DomainError(
      'quota_exceeded',
      `The import has ${Math.ceil(rows)} rows; the limit is ${IMPORT_ROWS_MAX}. Request a shorter range or longer candles.`,
    );
  }
  const { count } = await work.db
    .selectFrom('history_import')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('account_id', '=', work.accountId)
    .where('status', 'in', OPEN)
    .executeTakeFirstOrThrow();
  if (Number(count) >= OPEN_IMPORTS_MAX) {
    throw new DomainError(
      'quota_exceeded',
      `${count} imports are queued or running; an account may have ${OPEN_IMPORTS_MAX}. Wait until one has ended.`,
    );
  }
  const row = await work.db
    .insertInto('history_import')
    .values({
      id: work.newId(),
      account_id: work.accountId,
      venue: key.venue,
      token_id: key.tokenId,
      kind: key.kind,
      resolution_ms: key.resolutionMs,
      from_at: new Date(range.fromMs),
      to_at: new Date(range.toMs),
      status: 'queued',
      progress: 0,
      rows: 0,
      gaps: 0,
      differences: 0,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return importOf(row);
}

/** The account's imports, newest first. */
export async function listImports(work: Work): Promise<Import[]> {
  const rows = await work.db
    .selectFrom('history_import')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(LISTED_MAX)
    .execute();
  return rows.map(importOf);
}

/** Cancels an import of the account; stored rows stay. @throws DomainError `not_found`, `invalid_state` if it has ended */
export async function cancelImport(work: Work, id: string, now: Date): Promise<void> {
  const own = work.db.selectFrom('history_import').select('status').where('account_id', '=', work.accountId);
  const found = await own.where('id', '=', id).executeTakeFirst();
  if (found === undefined) throw notFound();
  const { numUpdatedRows } = await work.db
    .updateTable('history_import')
    .set({ status: 'canceled', ended_at: now })
    .where('account_id', '=', work.accountId)
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new DomainError('invalid_state', `That import is ${found.status}: it has ended.`);
}

/** Returns the venues with a queued import, or with one whose process died while it ran. */
export async function venuesToImport(db: Db): Promise<Venue[]> {
  const rows = await db
    .selectFrom('history_import')
    .select('venue')
    .distinct()
    .where('status', 'in', OPEN)
    .execute();
  return rows.map(({ venue }) => venue);
}

/** An import taken from the queue, and its account. */
export type TakenImport = Import & { readonly accountId: string };

/**
 * The next import of a venue: of the account served longest ago, the one requested first. Call with the venue's lock held: any
 * `running` import then belongs to a dead process, and goes first.
 */
export async function takeImport(db: Db, venue: Venue): Promise<TakenImport | null> {
  const row = await db
    .updateTable('history_import')
    .set({ status: 'running', served_at: sql<string>`clock_timestamp()` })
    .where(
      'id',
      '=',
      sql<string>`(select i.id from history_import i
        left join (select account_id, max(served_at) as last from history_import where venue = ${venue} group by account_id) as s
          on s.account_id = i.account_id
        where i.venue = ${venue} and i.status in ('queued', 'running')
        order by i.status = 'queued', s.last nulls first, i.created_at, i.id limit 1)`,
    )
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : { ...importOf(row), accountId: row.account_id };
}

/** Whether imports of other accounts wait for a venue. */
export async function hasOtherImports(db: Db, venue: Venue, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('history_import')
    .select('id')
    .where('venue', '=', venue)
    .where('status', '=', 'queued')
    .where('account_id', '!=', accountId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Queues an import for its next turn, unless it was canceled. */
export async function requeueImport(db: Db, id: string, { rows, gaps, share }: ImportedSoFar): Promise<void> {
  await db
    .updateTable('history_import')
    .set({ status: 'queued', rows, gaps, progress: share })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute();
}

/** Records the progress of an import. False if it was canceled meanwhile. */
export async function recordImportProgress(
  db: Db,
  id: string,
  { share, rows }: Pick<ImportProgress, 'share' | 'rows'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('history_import')
    .set({ progress: share, rows })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records how an import ended, unless it was canceled. */
export async function endImport(
  db: Db,
  id: string,
  outcome: ImportResult | { readonly failure: string },
  now: Date,
): Promise<void> {
  const ended =
    'failure' in outcome
      ? { status: 'failed' as const, failure: outcome.failure.slice(0, FAILURE_MAX) }
      : {
          status: 'done' as const,
          progress: 1,
          rows: outcome.rows,
          gaps: outcome.gaps,
          differences: outcome.differences.length,
        };
  await db
    .updateTable('history_import')
    .set({ ...ended, ended_at: now })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute();
}

const FAILURE_MAX = 400;

const importOf = (row: Selectable<Database['history_import']>): Import => ({
  id: row.id,
  key: {
    venue: row.venue,
    tokenId: row.token_id,
    kind: row.kind,
    resolutionMs: Number(row.resolution_ms),
  },
  range: { fromMs: Date.parse(row.from_at), toMs: Date.parse(row.to_at) },
  status: row.status,
  progress: Number(row.progress),
  rows: row.rows,
  gaps: row.gaps,
  differences: row.differences,
  failure: row.failure,
  createdAt: toIso(row.created_at),
  endedAt: toIsoOrNull(row.ended_at),
});
