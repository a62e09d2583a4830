import type { JobStatus } from '../../../db/vocabulary.ts';
import type { Work } from '../../platform/context.ts';
import { type JobFilter, listJobs } from '../../platform/jobs/job-rows.ts';
import { type SweepProgress, type SweepRow, sweepOf } from './row.ts';

/** Reads the account's sweeps. @see listJobs */
export const listSweeps = async (work: Work, filter: JobFilter): Promise<SweepRow[]> =>
  (await listJobs(work, 'sweep', filter)).map(sweepOf);

/** Progress of a sweep that has not ended. */
export type UnfinishedSweep = {
  readonly id: string;
  readonly status: JobStatus;
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
