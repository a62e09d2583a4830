import { type Selectable, sql } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import type { JobStatus } from '../../../db/vocabulary.ts';
import type { Work } from '../context.ts';
import { notFound } from '../errors.ts';

/** Tables of jobs that a process runs under a lease; a job is named like its table. */
export const JOB_TABLES = ['backtest', 'sweep'] as const;
export type JobTable = (typeof JOB_TABLES)[number];

/** Selects the account's jobs of a table, without deleted ones. */
export const jobsOf = ({ db, accountId }: Work, table: JobTable) => {
  // Uses the columns that every such table has.
  const jobs = db.selectFrom(table as 'sweep').where('account_id', '=', accountId);
  return table === 'sweep' ? jobs.where('deleted_at', 'is', null) : jobs;
};

/** @throws DomainError `not_found`, the same for a missing job and for one of another account. */
export async function readJob<Table extends JobTable>(
  work: Work,
  table: Table,
  id: string,
): Promise<Selectable<Database[Table]>> {
  const row = await jobsOf(work, table).selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound();
  return row as Selectable<Database[Table]>;
}

export type JobFilter = {
  /** One more row is read, to tell whether there are others. */
  readonly limit: number;
  readonly after: { readonly createdAt: string; readonly id: string } | null;
  readonly blueprintId?: string | undefined;
  readonly status?: JobStatus | undefined;
};

/** Reads the account's jobs of a table, newest first: at most `limit + 1`. */
export async function listJobs<Table extends JobTable>(
  work: Work,
  table: Table,
  { limit, after, blueprintId, status }: JobFilter,
): Promise<Selectable<Database[Table]>[]> {
  let query = jobsOf(work, table)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (blueprintId !== undefined) query = query.where('blueprint_id', '=', blueprintId);
  if (status !== undefined) query = query.where('status', '=', status);
  if (after !== null) {
    query = query.where(
      sql<boolean>`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    );
  }
  return (await query.execute()) as Selectable<Database[Table]>[];
}
