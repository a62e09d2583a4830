import { sql } from 'kysely';
import type { TrialStage } from '../../../db/entities/sweep.ts';
import type { Work } from '../../platform/context.ts';
import type { Lease } from '../../platform/jobs/queue.ts';
import type { SweepRequest } from '../search/request.ts';
import type { Combination } from '../search/space.ts';
import { scoreOf, type Trial, type TrialFigures } from '../search/trial.ts';

/** Part of a sweep: the whole range, or the training or the test of a fold. */
export type TrialPart = { readonly stage: TrialStage; readonly fold: number };
export const WHOLE_RANGE: TrialPart = { stage: 'whole', fold: 0 };

/** A trial with its number: the index of its combination. */
export type NumberedTrial = { readonly number: number; readonly trial: Trial };

/** Stores trials. False if the lease is lost: nothing was written. */
export async function storeTrials(
  { db, accountId }: Work,
  { id, owner, attempt }: Lease,
  {
    part: { stage, fold },
    trials,
    objective,
  }: {
    part: TrialPart;
    trials: readonly NumberedTrial[];
    objective: SweepRequest['objective'];
  },
): Promise<boolean> {
  const rows = trials.map(({ number, trial }) => ({
    number,
    combination: trial.combination,
    figures: trial.figures,
    score: scoreOf(trial, objective),
    returns: Buffer.from(Float64Array.from(trial.returns).buffer).toString('hex'),
    hash: trial.resultHash,
  }));
  // Waits for the lock of a process that takes the sweep over, and then finds the lease lost.
  const { rows: kept } = await sql`
    with held as (
      select account_id, id from sweep
      where account_id = ${accountId} and id = ${id} and status = 'running' and lease_owner = ${owner}
        and attempts = ${attempt} for share
    ), stored as (
      insert into sweep_trial
        (account_id, sweep_id, stage, fold, number, combination, figures, score, returns, result_hash)
      select h.account_id, h.id, ${stage}, ${fold}::int, t.number, t.combination, t.figures, t.score, decode(t.returns, 'hex'), t.hash
      from held h, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as t(number int, combination jsonb, figures jsonb, score float8, returns text, hash text)
      on conflict do nothing
    )
    select from held`.execute(db);
  return kept.length === 1;
}

/** Reads the stored trials of a part, in the order of their numbers. */
export async function readTrials(
  { db, accountId }: Work,
  id: string,
  { stage, fold }: TrialPart,
): Promise<NumberedTrial[]> {
  const rows = await db
    .selectFrom('sweep_trial')
    .select(['number', 'combination', 'figures', 'returns', 'result_hash'])
    .where('account_id', '=', accountId)
    .where('sweep_id', '=', id)
    .where('stage', '=', stage)
    .where('fold', '=', fold)
    .orderBy('number')
    .execute();
  return rows.map(({ number, combination, figures, returns, result_hash }) => ({
    number,
    trial: {
      combination: combination as unknown as Combination,
      figures: figures as unknown as TrialFigures,
      returns: doublesOf(returns),
      resultHash: result_hash,
    },
  }));
}

function doublesOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 8 }, (_, index) => view.getFloat64(index * 8, true));
}

/** Sort keys of trials: a figure, or their number. */
export const TRIAL_SORTS = ['score', 'number', 'totalReturn', 'sharpe', 'maxDrawdown', 'trades'] as const;
export type TrialSort = (typeof TRIAL_SORTS)[number];

/** Which end comes first; for numbers the first one is the best. */
export const TRIAL_ORDERS = ['best', 'worst'] as const;
export type TrialOrder = (typeof TRIAL_ORDERS)[number];

/** In each expression less is better; null if the figure is not available. */
const BADNESS: Readonly<Record<TrialSort, ReturnType<typeof sql>>> = {
  score: sql`-score`,
  number: sql`number`,
  totalReturn: sql`-(figures #>> '{totalReturn,value}')::float8`,
  sharpe: sql`-(figures #>> '{sharpe,value}')::float8`,
  maxDrawdown: sql`(figures ->> 'maxDrawdown')::float8`,
  trades: sql`-(figures ->> 'closed')::int`,
};
const DIRECTIONS = { best: sql`asc nulls last`, worst: sql`desc nulls last` } as const;

export type ListedTrial = {
  readonly number: number;
  readonly combination: Combination;
  readonly figures: TrialFigures;
  readonly score: number | null;
  readonly resultHash: string;
};

/** Reads up to `limit` trials over the whole range, in an order; those without the figure are last either way. */
export async function listTrials(
  { db, accountId }: Work,
  id: string,
  { sort, order, from, limit }: { sort: TrialSort; order: TrialOrder; from: number; limit: number },
): Promise<ListedTrial[]> {
  const { rows } = await sql<ListedTrial>`
    select number, combination, figures, score, result_hash as "resultHash" from sweep_trial
    where account_id = ${accountId} and sweep_id = ${id} and stage = 'whole' and fold = 0
    order by ${BADNESS[sort]} ${DIRECTIONS[order]}, number offset ${from} limit ${limit}`.execute(db);
  return rows;
}
