import type { Work } from '../context.ts';
import { DomainError } from '../errors.ts';
import { type JobTable, jobsOf } from './job-rows.ts';

/**
 * Refuses one more job if the account has `waitingMax` queued; running ones do not count.
 *
 * @throws DomainError `quota_exceeded` with the number of queued jobs and the limit.
 */
export async function requireQueueSpace(work: Work, table: JobTable, waitingMax: number): Promise<void> {
  const { waiting } = await jobsOf(work, table)
    .select(({ fn }) => fn.countAll<string>().as('waiting'))
    .where('status', '=', 'queued')
    .executeTakeFirstOrThrow();
  if (Number(waiting) < waitingMax) return;
  throw new DomainError(
    'quota_exceeded',
    `${waiting} ${table}s of the account wait, of at most ${waitingMax}. Wait until one begins, or cancel one.`,
  );
}
