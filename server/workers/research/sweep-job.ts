import { isTransient } from '../../../db/database-errors.ts';
import { HistoryLimitReached } from '../../../engine/history/storage-limit.ts';
import type { Work } from '../../../engine/platform/context.ts';
import type { Lease, LeaseState } from '../../../engine/platform/jobs/queue.ts';
import { rangeOf, type SweepPlan } from '../../../engine/research/search/plan.ts';
import { type Combination, scalarsOf } from '../../../engine/research/search/space.ts';
import type { Range, Trial } from '../../../engine/research/search/trial.ts';
import {
  chosenOf,
  type FoldTrials,
  type WalkForward,
  walkForwardOf,
} from '../../../engine/research/search/walk-forward.ts';
import {
  ATTEMPTS_MAX,
  endSweep,
  extendSweep,
  noteRefused,
  requeueSweep,
  type SweepEnding,
} from '../../../engine/research/sweeps/queue.ts';
import type { SweepFailure, SweepRow } from '../../../engine/research/sweeps/row.ts';
import { trialsBefore } from '../../../engine/research/sweeps/start.ts';
import {
  type NumberedTrial,
  readTrials,
  storeTrials,
  type TrialPart,
  WHOLE_RANGE,
} from '../../../engine/research/sweeps/trials.ts';
import { withMembers } from '../../../engine/strategy/graph/series-lists.ts';
import { VenueError } from '../../../venues/port.ts';
import { gatherRun, logUnread } from './gather-input.ts';
import type { JobContext } from './job.ts';
import { type Attempt, type Cause, LeasedRun } from './leased-run.ts';
import type { SweepAnswer, SweepMaterial, SweepTask } from './sweep-messages.ts';
import type { WorkerPool } from './worker-pool.ts';

/** The approximate duration of a batch, and so the longest wait of other tasks for a thread. */
const BATCH_MS = 2_000;
const BATCH_MAX = 100;
/** The most combinations to list that do not compile. */
const REFUSED_LISTED_MAX = 100;

export type SweepContext = Omit<JobContext, 'workers' | 'runMs'> & {
  readonly workers: WorkerPool<SweepTask, never, SweepAnswer>;
  readonly threads: number;
  readonly sweepMs: number;
};

/** The sweep failed for a reason of its own. */
class Failed extends Error {
  readonly failure: SweepFailure;
  constructor(code: SweepFailure['code'], message: string) {
    super(message);
    this.failure = { code, message };
  }
}
/** The thread of a batch is gone: another attempt continues from the stored trials. */
class ThreadLost extends Error {}

type RunToDo = { readonly number: number; readonly combination: Combination };

/** One attempt at one sweep, from its claim to its end: batches of trials, each stored as it arrives. */
export class SweepJob extends LeasedRun<SweepEnding> {
  readonly #context: SweepContext;
  readonly #work: Work;
  readonly #row: SweepRow;
  readonly #lease: Lease;
  #done = 0;
  #total: number | null = null;
  /** Runs of this attempt, and since when. */
  #measured = { runs: 0, sinceMs: performance.now() };

  constructor(context: SweepContext, work: Work, row: SweepRow) {
    super(context.heartbeatMs, context.sweepMs);
    this.#context = context;
    this.#work = work;
    this.#row = row;
    this.#lease = { id: row.id, owner: context.owner, attempt: row.attempts };
  }

  protected end(ending: SweepEnding): Promise<unknown> {
    return endSweep(this.#work, this.#lease, ending);
  }

  protected requeue(isCounted: boolean): Promise<void> {
    return requeueSweep(this.#work, this.#lease, isCounted);
  }

  protected onEndFailed(error: unknown): void {
    const fields = { sweepId: this.#row.id, error: String(error) };
    this.#context.log.error(fields, 'a sweep could not be ended; its lease expires');
  }

  protected async compute(): Promise<Attempt<SweepEnding>> {
    if (this.#row.cancel_requested_at !== null) return { status: 'canceled' };
    try {
      if (this.#row.attempts > ATTEMPTS_MAX) {
        throw new Failed(
          'internal',
          `The sweep was begun ${ATTEMPTS_MAX} times, and its process was lost each time.`,
        );
      }
      return await this.#computed();
    } catch (error) {
      const { cause } = this;
      if (cause !== null) return this.#afterCause(cause);
      if (error instanceof Failed) return { status: 'failed', failure: error.failure };
      if (error instanceof ThreadLost) return 'requeue';
      if (error instanceof VenueError || error instanceof HistoryLimitReached) {
        return failed('no_history', `The history could not be fetched: ${error.message}`);
      }
      if (isTransient(error)) return 'put_back';
      this.#context.log.error({ sweepId: this.#row.id, error: String(error) }, 'a sweep failed');
      return failed('internal', 'The sweep failed for a reason of the service’s own; it is in its log.');
    }
  }

  #afterCause(cause: Cause): Attempt<SweepEnding> {
    switch (cause) {
      case 'canceled':
        return { status: 'canceled' };
      case 'stopping':
        return 'put_back';
      case 'timed_out':
        return failed('timed_out', `The sweep took longer than ${this.#context.sweepMs / 1_000} s.`);
      default:
        return 'lost';
    }
  }

  async #computed(): Promise<SweepEnding> {
    const { request } = this.#row;
    const visual = withMembers(this.#row.visual, request.backtest.members ?? null);
    const { plan } = await this.#runTask({ kind: 'plan', request, visual }, 'planned');
    await this.#noteRefused(plan);
    if (plan.combinations.length === 0) {
      throw new Failed(
        'no_trials',
        'No combination can be run: each is forbidden by a constraint, or does not compile.',
      );
    }
    this.#total = plan.combinations.length * (1 + plan.folds.length) + plan.folds.length;
    const material = await this.#gather(plan);
    const all = plan.combinations.map((combination, number) => ({ number, combination }));
    const whole = await this.#try(plan, material, WHOLE_RANGE, rangeOf(request), all);
    const walkForward = await this.#walked(plan, material, all);
    const { outcome } = await this.#runTask(
      {
        kind: 'outcome',
        request,
        trials: whole,
        trialsEver: whole.length + (await trialsBefore(this.#work, this.#row)),
        walkForward,
      },
      'evaluated',
    );
    return { status: 'done', outcome };
  }

  async #noteRefused({ refused }: SweepPlan): Promise<void> {
    const { space } = this.#row.request;
    await noteRefused(this.#work, this.#lease, {
      count: refused.length,
      first: refused
        .slice(0, REFUSED_LISTED_MAX)
        .map(({ combination, issues }) => ({ values: scalarsOf(space, combination), issues })),
    });
  }

  async #gather({ needs }: SweepPlan): Promise<SweepMaterial> {
    const { request, visual, terms } = this.#row;
    const gathered = await gatherRun({ request: request.backtest, visual, ...terms }, needs, {
      ...this.#context,
      accountId: this.#work.accountId,
      signal: this.signal,
      onProgress: () => {},
    });
    if ('failure' in gathered) {
      logUnread(this.#context.log, gathered, { sweepId: this.#row.id });
      throw new Failed(gathered.failure.code, gathered.failure.message);
    }
    return gathered;
  }

  /** Walks fold by fold: training, the choice, its test. */
  async #walked(
    plan: SweepPlan,
    material: SweepMaterial,
    all: readonly RunToDo[],
  ): Promise<WalkForward | null> {
    const { request } = this.#row;
    if (request.walkForward === null) return null;
    const folds: FoldTrials[] = [];
    for (const [fold, ranges] of plan.folds.entries()) {
      const train = await this.#try(plan, material, { stage: 'train', fold }, ranges.train, all);
      const chosen = chosenOf(train, request.objective);
      const run = all.filter((_, number) => train[number] === chosen);
      const [test = null] = await this.#try(plan, material, { stage: 'test', fold }, ranges.test, run);
      if (run.length === 0) this.#done++;
      folds.push({ ranges, train, test });
    }
    return walkForwardOf(request, folds, plan.embargoDays);
  }

  /** Runs the missing trials of a part, in batches on all threads; returns all trials of the part, in order. */
  async #try(
    plan: SweepPlan,
    material: SweepMaterial,
    part: TrialPart,
    range: Range,
    runs: readonly RunToDo[],
  ): Promise<Trial[]> {
    const stored = await readTrials(this.#work, this.#row.id, part);
    const known = new Map(stored.map(({ number, trial }) => [number, trial]));
    this.#done += stored.length;
    const waiting = runs.filter(({ number }) => !known.has(number));
    const lane = async () => {
      for (let count = 1; waiting.length > 0; ) {
        const beganMs = performance.now();
        const batch = waiting.splice(0, count);
        const trials = await this.#tryBatch(plan, material, range, batch);
        await this.#store(part, trials);
        for (const { number, trial } of trials) known.set(number, trial);
        const oneMs = (performance.now() - beganMs) / batch.length;
        count = Math.min(BATCH_MAX, Math.max(1, Math.floor(BATCH_MS / oneMs)));
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: this.#context.threads }, lane));
    for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
    return runs.flatMap(({ number }) => known.get(number) ?? []);
  }

  async #tryBatch(
    { candles }: SweepPlan,
    material: SweepMaterial,
    range: Range,
    runs: readonly RunToDo[],
  ): Promise<readonly NumberedTrial[]> {
    const { id, request } = this.#row;
    const { trials } = await this.#runTask(
      { kind: 'trials', sweepId: id, material, space: request.space, candles, range, runs },
      'tried',
    );
    if (trials.length < runs.length) throw new ThreadLost('A batch ended early.');
    return trials;
  }

  async #store(part: TrialPart, trials: readonly NumberedTrial[]): Promise<void> {
    const { objective } = this.#row.request;
    if (!(await storeTrials(this.#work, this.#lease, { part, trials, objective }))) this.stop('lost');
    this.signal.throwIfAborted();
    this.#done += trials.length;
    this.#measured.runs += trials.length;
  }

  async #runTask<Kind extends SweepAnswer['kind']>(
    task: SweepTask,
    kind: Kind,
  ): Promise<Extract<SweepAnswer, { kind: Kind }>> {
    const { signal } = this;
    const account = this.#work.accountId;
    const outcome = await this.#context.workers.run(task, { account, signal });
    signal.throwIfAborted();
    switch (outcome.kind) {
      case 'answered':
        if (outcome.answer.kind === kind) return outcome.answer as Extract<SweepAnswer, { kind: Kind }>;
        if (outcome.answer.kind === 'failed')
          throw new Failed(outcome.answer.failure.code, outcome.answer.failure.message);
        throw new Error(`A thread answered ${outcome.answer.kind} to ${task.kind}.`);
      case 'out_of_memory':
        throw new Failed(
          'out_of_memory',
          'A trial needed more memory than one may have. Take a shorter range or less detail.',
        );
      case 'crashed':
        this.#context.log.error(
          { sweepId: this.#row.id, error: String(outcome.error) },
          'the thread of a sweep ended',
        );
        throw new ThreadLost('The thread of a batch ended.');
      case 'stopped':
        throw new ThreadLost('A batch was stopped.');
    }
  }

  protected async heartbeat(): Promise<LeaseState> {
    const { runs, sinceMs } = this.#measured;
    const oneMs = (performance.now() - sinceMs) / runs;
    const left = (this.#total ?? 0) - this.#done;
    const progress = {
      done: this.#done,
      total: this.#total,
      etaSec: runs === 0 ? null : Math.ceil((left * oneMs) / 1_000),
    };
    const state = await extendSweep(this.#work, this.#lease, progress, this.#context.leaseMs);
    this.#context.onProgress(this.#work.accountId);
    return state;
  }
}

const failed = (code: SweepFailure['code'], message: string): SweepEnding => ({
  status: 'failed',
  failure: { code, message },
});
