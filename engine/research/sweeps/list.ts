import { sql } from 'kysely';
import type { SweepStatus } from '../../../db/entities/sweep.ts';
import type { Work } from '../../platform/context.ts';
import { type SweepProgress, type SweepRow, sweepOf } from './row.ts';

export type SweepFilter = {
  /** One more row is read, to tell whether there are others. */
  readonly limit: number;
  readonly after: { readonly createdAt: string; readonly id: string } | null;
  readonly blueprintId?: string | undefined;
  readonly status?: SweepStatus | undefined;
};

/** Reads the account's sweeps, newest first: at most `limit + 1`. */
export async function listSweeps(work: Work, filter: SweepFilter): Promise<SweepRow[]> {
  const { limit, after, blueprintId, status } = filter;
  let query = work.db
    .selectFrom('sweep')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('deleted_at', 'is', null)
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
  return (await query.execute()).map(sweepOf);
}

/** Progress of a sweep that has not ended. */
export type UnfinishedSweep = {
  readonly id: string;
  readonly status: SweepStatus;
  readonly progress: SweepProgress | null;
};

/** Reads the queued and running sweeps of the account, oldest first. */
export async function unfinishedSweeps({ db, accountId }: Work): Promise<UnfinishedSweep[]> {
  const rows = await db
    .selectFrom('sweep')
    .select(['id', 'status', 'progress'])
    .where('account_id', '=', accountId)
    .where('status', 'in', ['queued', 'running'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows as unknown as UnfinishedSweep[];
}
