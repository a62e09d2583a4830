import type { Selectable } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import type { Work } from '../../platform/context.ts';
import { readJob } from '../../platform/jobs/job-rows.ts';
import type { Issue } from '../../strategy/graph/types.ts';
import type { Terms } from '../backtests/row.ts';
import type { SweepOutcome } from '../search/outcome.ts';
import type { Scalar, SweepRequest } from '../search/request.ts';

type Stored = Selectable<Database['sweep']>;

/** Progress of a sweep. */
export type SweepProgress = {
  /** Stored runs of the planned total; null until the total is known. */
  readonly done: number;
  readonly total: number | null;
  readonly etaSec: number | null;
};

/** Combinations whose graph does not compile: all are counted, the first ones listed. */
export type RefusedTrials = {
  readonly count: number;
  readonly first: readonly { readonly values: readonly Scalar[]; readonly issues: readonly Issue[] }[];
};

/** Why a sweep ended without an outcome. */
export type SweepFailure = {
  readonly code:
    | 'no_history'
    | 'no_trials'
    | 'out_of_memory'
    | 'timed_out'
    | 'look_ahead'
    | 'too_large'
    | 'internal';
  readonly message: string;
};

/** A sweep as stored, with typed JSON. */
export type SweepRow = Omit<Stored, 'request' | 'terms' | 'progress' | 'failure' | 'refused' | 'outcome'> & {
  readonly request: SweepRequest;
  readonly terms: Terms;
  readonly progress: SweepProgress | null;
  readonly failure: SweepFailure | null;
  readonly refused: RefusedTrials | null;
  readonly outcome: SweepOutcome | null;
};

/** Only this folder writes these columns, so their JSON has the stated types. */
export const sweepOf = (stored: Stored): SweepRow => stored as unknown as SweepRow;

/** @throws DomainError as {@link readJob}. */
export const readSweep = async (work: Work, id: string): Promise<SweepRow> =>
  sweepOf(await readJob(work, 'sweep', id));
