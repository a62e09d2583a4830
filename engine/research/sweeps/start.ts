import { sql } from 'kysely';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError, type FieldIssue, invalid } from '../../platform/errors.ts';
import { requireQueueSpace } from '../../platform/jobs/queue-limit.ts';
import { backtestDataNeedsOf, refuseTooLargeRun } from '../backtests/backtest-data-needs.ts';
import {
  type BacktestParams,
  type PreparedBacktest,
  type PrepareOptions,
  prepareBacktest,
} from '../backtests/prepare.ts';
import { FOLDS_MAX, SWEEP_DEFAULTS, type SweepRequest, TRIALS_MAX } from '../search/request.ts';
import { issuesOf, sizeOf } from '../search/space.ts';
import { foldsOf } from '../search/walk-forward.ts';
import { type SweepRow, sweepOf } from './row.ts';

/** Limit of queued sweeps of one account; the running one does not count. */
export const WAITING_MAX = 5;
/** Limit of sweeps of one account with stored trials: those of older ones are deleted. */
export const WITH_TRIALS_MAX = 50;
/** Limit of evaluations over all runs of a sweep: half an hour of one processor. */
export const EVALUATIONS_MAX = 500_000_000;
const DAY_MS = 86_400_000;

export type SweepParams = Pick<SweepRequest, 'space'> &
  Partial<Pick<SweepRequest, 'search' | 'objective' | 'walkForward'>> & { readonly backtest: BacktestParams };

/** All inputs of a sweep except its data. */
export type PreparedSweep = Omit<PreparedBacktest, 'request'> & { readonly request: SweepRequest };

/**
 * Reads the input of a sweep, and checks all that can be checked before the combinations are compiled.
 *
 * @throws DomainError `not_found`, `validation_failed`, `blueprint_invalid`, `backtest_too_large`.
 */
export async function prepareSweep(
  work: Work,
  params: SweepParams,
  options: PrepareOptions,
): Promise<PreparedSweep> {
  const { backtest, ...rest } = params;
  // Trials run without checks: the checks run once, in a separate run of the best one.
  const prepared = await prepareBacktest(work, { ...backtest, checks: false }, options);
  const request: SweepRequest = {
    backtest: prepared.request,
    space: rest.space,
    search: rest.search ?? SWEEP_DEFAULTS.search,
    objective: rest.objective ?? SWEEP_DEFAULTS.objective,
    walkForward: rest.walkForward ?? SWEEP_DEFAULTS.walkForward,
  };
  const issues = [
    ...issuesOf(request.space, request.search, prepared.visual).map(({ path, message }) => ({
      path: `/space${path}`,
      message,
    })),
    ...walkForwardIssues(request),
  ];
  if (issues.length > 0)
    throw invalid(issues.map((issue): FieldIssue => ({ ...issue, code: 'invalid_value' })));
  const needs = backtestDataNeedsOf(request.backtest, prepared.visual);
  refuseTooLargeRun(needs);
  refuseTooMany(request, needs.evaluations);
  return { ...prepared, request };
}

function walkForwardIssues({ walkForward, backtest }: SweepRequest): { path: string; message: string }[] {
  if (walkForward === null) return [];
  const issues: { path: string; message: string }[] = [];
  const range = { fromMs: Date.parse(backtest.from), toMs: Date.parse(backtest.to) };
  for (const [name, atMs] of [
    ['from', range.fromMs],
    ['to', range.toMs],
  ] as const) {
    if (atMs % DAY_MS !== 0)
      issues.push({ path: `/${name}`, message: 'Folds are whole days: begin and end at midnight UTC.' });
  }
  if (walkForward.stepDays < walkForward.testDays) {
    issues.push({
      path: '/walkForward/stepDays',
      message: 'must be at least testDays: no day is judged twice',
    });
    return issues;
  }
  const folds = foldsOf(range, walkForward, walkForward.holdingDays).length;
  if (folds === 0 || folds > FOLDS_MAX) {
    issues.push({
      path: '/walkForward',
      message: `There are 1 to ${FOLDS_MAX} folds; into this range ${folds} fit.`,
    });
  }
  return issues;
}

/** Returns the largest possible number of runs, including those of every fold. */
export function runsOf({ space, search, walkForward, backtest }: SweepRequest): number {
  const trials = search.kind === 'grid' ? sizeOf(space) : Math.min(search.count, sizeOf(space));
  const range = { fromMs: Date.parse(backtest.from), toMs: Date.parse(backtest.to) };
  const folds = walkForward === null ? 0 : foldsOf(range, walkForward, walkForward.holdingDays).length;
  return Math.min(trials, TRIALS_MAX) * (1 + folds) + folds;
}

function refuseTooMany(request: SweepRequest, evaluations: number): void {
  const { walkForward, backtest } = request;
  const days = (Date.parse(backtest.to) - Date.parse(backtest.from)) / DAY_MS;
  const share = walkForward === null ? 1 : Math.min(1, walkForward.trainDays / days);
  const trials = runsOf({ ...request, walkForward: null });
  const all = evaluations * (trials + (runsOf(request) - trials) * (walkForward?.isAnchored ? 1 : share));
  if (all <= EVALUATIONS_MAX) return;
  throw new DomainError(
    'backtest_too_large',
    `The sweep would take about ${Math.ceil(all).toLocaleString('en-US')} evaluations of at most ${EVALUATIONS_MAX.toLocaleString('en-US')}. Take a shorter range, fewer values or fewer folds.`,
  );
}

/**
 * Queues a sweep.
 *
 * @throws DomainError `quota_exceeded` if too many wait.
 */
export async function startSweep(
  work: Work,
  { request, visual, name, terms }: PreparedSweep,
): Promise<SweepRow> {
  return underAccountLock(work, async (tx, now) => {
    await requireQueueSpace(tx, 'sweep', WAITING_MAX);
    await forgetOldTrials(tx);
    const row = await tx.db
      .insertInto('sweep')
      .values({
        account_id: tx.accountId,
        id: tx.newId(),
        blueprint_id: request.backtest.blueprintId,
        name,
        request: JSON.stringify(request),
        visual: JSON.stringify(visual),
        terms: JSON.stringify(terms),
        from_at: request.backtest.from,
        to_at: request.backtest.to,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return sweepOf(row);
  });
}

async function forgetOldTrials({ db, accountId }: Work): Promise<void> {
  await sql`
    with old as (
      update sweep set is_forgotten = true where account_id = ${accountId} and id in (
        select id from sweep
        where account_id = ${accountId} and not is_forgotten and status in ('done', 'failed', 'canceled')
        order by created_at desc, id desc offset ${WITH_TRIALS_MAX - 1})
      returning account_id, id
    )
    delete from sweep_trial t using old
    where t.account_id = ${accountId} and t.account_id = old.account_id and t.sweep_id = old.id`.execute(db);
}

/** Counts earlier trials on the blueprint of a sweep, over ranges that overlap its own. Its own are left out. */
export async function trialsBefore({ db, accountId }: Work, sweep: SweepRow): Promise<number> {
  if (sweep.blueprint_id === null) return 0;
  const row = await db
    .selectFrom('sweep')
    .select(({ fn }) => fn.sum<string | null>('trial_count').as('count'))
    .where('account_id', '=', accountId)
    .where('blueprint_id', '=', sweep.blueprint_id)
    .where('id', '<>', sweep.id)
    .where('from_at', '<', sweep.to_at)
    .where('to_at', '>', sweep.from_at)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
