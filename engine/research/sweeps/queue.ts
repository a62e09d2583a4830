import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { Work } from '../../platform/context.ts';
import { type Claim, JobQueue, type Lease, type LeaseState } from '../../platform/jobs/queue.ts';
import type { SweepOutcome } from '../search/outcome.ts';
import { type RefusedTrials, type SweepFailure, type SweepProgress, type SweepRow, sweepOf } from './row.ts';

/** Limit of running sweeps of one account, over all processes. */
export const RUNNING_MAX = 1;
/** Limit of attempts of a sweep whose process was lost; each resumes with the stored trials. */
export const ATTEMPTS_MAX = 10;

export type SweepEnding =
  | { readonly status: 'done'; readonly outcome: SweepOutcome }
  | { readonly status: 'canceled' }
  | { readonly status: 'failed'; readonly failure: SweepFailure };

const queue = new JobQueue({
  table: 'sweep',
  runningMax: RUNNING_MAX,
  // Trials stay: stored ones are not computed again.
  begun: {},
  handedBack: {},
});

/** Claims queued sweeps, and those whose process was lost: one of an account. */
export const claimSweeps = async (db: Db, claim: Claim): Promise<SweepRow[]> =>
  (await queue.claim(db, claim)).map(sweepOf);

/** Extends the lease and records the progress of the sweep. */
export const extendSweep = (
  work: Work,
  lease: Lease,
  progress: SweepProgress,
  leaseMs: number,
): Promise<LeaseState> => queue.extend(work, lease, { progress: JSON.stringify(progress) }, leaseMs);

/** Records the combinations that do not compile, once known. */
export const noteRefused = (work: Work, lease: Lease, refused: RefusedTrials): Promise<void> =>
  queue.note(work, lease, { refused: JSON.stringify(refused) });

/** Ends a sweep, once. False if the lease is lost. */
export const endSweep = (work: Work, lease: Lease, ending: SweepEnding): Promise<boolean> =>
  queue.end(work, lease, ending.status, {
    failure: ending.status === 'failed' ? JSON.stringify(ending.failure) : null,
    outcome: ending.status === 'done' ? JSON.stringify(ending.outcome) : null,
    trial_count: sql<number>`(select count(*) from sweep_trial t
      where t.account_id = sweep.account_id and t.sweep_id = sweep.id and t.stage = 'whole')`,
  });

/** Returns a sweep to the queue. `isCounted`: its process was lost; else a stopping process gives it back without a penalty. */
export const requeueSweep = (work: Work, lease: Lease, isCounted: boolean): Promise<void> =>
  queue.requeue(work, lease, isCounted);
