import { isTransient } from '../../../db/database-errors.ts';
import { HistoryLimitReached } from '../../../engine/history/storage-limit.ts';
import type { Work } from '../../../engine/platform/context.ts';
import type { Lease, LeaseState } from '../../../engine/platform/jobs/queue.ts';
import { RESULT_BYTES_MAX, type StoredPart } from '../../../engine/research/backtests/parts.ts';
import {
  ATTEMPTS_MAX,
  type Ending,
  endBacktest,
  extendBacktest,
  recordBacktestInput,
  requeueBacktest,
  storePart,
} from '../../../engine/research/backtests/queue.ts';
import type { BacktestRow } from '../../../engine/research/backtests/row.ts';
import type { BacktestFailure } from '../../../engine/research/playback/result.ts';
import { VenueError } from '../../../venues/port.ts';
import type { BacktestAnswer, BacktestTask, BacktestUpdate } from './backtest-messages.ts';
import { type GatherOptions, gatherInput, logUnread } from './gather-input.ts';
import { type Attempt, LeasedRun } from './leased-run.ts';
import { RunProgressTracker } from './run-progress-tracker.ts';
import type { Outcome, WorkerPool } from './worker-pool.ts';

export type BacktestWorkers = WorkerPool<BacktestTask, BacktestUpdate, BacktestAnswer>;

export type JobContext = Pick<GatherOptions, 'db' | 'market' | 'importHistory' | 'historyArchive'> & {
  readonly workers: BacktestWorkers;
  readonly owner: string;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  /** A run that takes longer is stopped. */
  readonly runMs: number;
  /** Called when the progress of an account's runs has changed. */
  readonly onProgress: (accountId: string) => void;
  readonly log: { error(fields: object, message: string): void };
};

/** One attempt at one backtest, from its claim to its end. */
export class BacktestJob extends LeasedRun<Ending> {
  readonly #context: JobContext;
  readonly #work: Work;
  readonly #row: BacktestRow;
  readonly #lease: Lease;
  readonly #progress = new RunProgressTracker(() => performance.now());
  /** Parts are stored one after another, while the run continues. */
  #writing: Promise<void> = Promise.resolve();
  #storedBytes = 0;

  constructor(context: JobContext, work: Work, row: BacktestRow) {
    super(context.heartbeatMs, context.runMs);
    this.#context = context;
    this.#work = work;
    this.#row = row;
    this.#lease = { id: row.id, owner: context.owner, attempt: row.attempts };
  }

  override async run(): Promise<void> {
    await super.run();
    this.#context.onProgress(this.#work.accountId);
  }

  protected end(ending: Ending): Promise<unknown> {
    return endBacktest(this.#work, this.#lease, ending);
  }

  protected requeue(isCounted: boolean): Promise<void> {
    return requeueBacktest(this.#work, this.#lease, isCounted);
  }

  protected onEndFailed(error: unknown): void {
    const fields = { backtestId: this.#row.id, error: String(error) };
    this.#context.log.error(fields, 'a backtest could not be ended; its lease expires');
  }

  /** Resolves with the end of the run, once all parts are stored. */
  protected async compute(): Promise<Attempt<Ending>> {
    const ending = await this.#ended();
    await this.#writing;
    return ending;
  }

  async #ended(): Promise<Attempt<Ending>> {
    if (this.#row.cancel_requested_at !== null) return this.#canceled(null);
    if (this.#row.attempts > ATTEMPTS_MAX) {
      return this.#failed(
        'internal',
        `The run was begun ${ATTEMPTS_MAX} times, and its process was lost each time.`,
      );
    }
    try {
      return await this.#computed();
    } catch (error) {
      if (this.cause !== null) return this.#afterCause(null);
      if (error instanceof VenueError || error instanceof HistoryLimitReached) {
        return this.#failed('no_history', `The history could not be fetched: ${error.message}`);
      }
      return isTransient(error) ? 'put_back' : this.#broke(String(error));
    }
  }

  async #computed(): Promise<Attempt<Ending>> {
    const { signal } = this;
    const gathered = await gatherInput(this.#row, {
      ...this.#context,
      accountId: this.#work.accountId,
      signal,
      onProgress: (share) => this.#progress.setShare(share),
    });
    if ('failure' in gathered) {
      logUnread(this.#context.log, gathered, { backtestId: this.#row.id });
      return this.#failed(gathered.failure.code, gathered.failure.message);
    }
    await recordBacktestInput(this.#work, this.#lease, gathered);
    this.#progress.enter('running');
    const outcome = await this.#context.workers.run(gathered.task, {
      account: this.#work.accountId,
      onReport: (report) => this.#onReport(report),
      signal,
    });
    this.#progress.enter('writing');
    await this.#writing;
    return this.#after(outcome);
  }

  #after(outcome: Outcome<BacktestAnswer>): Attempt<Ending> {
    const answer = outcome.kind === 'answered' ? outcome.answer : null;
    const summary = answer?.kind === 'ended' ? answer.summary : null;
    // Time that ends during repetitions with changed assumptions leaves the run itself whole.
    const isWhole = this.cause === 'timed_out' && answer?.kind === 'ended' && answer.isComplete;
    if (this.cause !== null && !isWhole) return this.#afterCause(summary);
    if (answer?.kind === 'failed') return this.#failed(answer.failure.code, answer.failure.message);
    if (answer?.kind === 'broke') return this.#broke(answer.error);
    if (summary !== null) return { status: 'done', summary, storedBytes: this.#storedBytes };
    if (outcome.kind === 'out_of_memory') {
      return this.#failed(
        'out_of_memory',
        'The run needed more memory than one may have. Take a shorter range or less detail.',
      );
    }
    const error = outcome.kind === 'crashed' ? String(outcome.error) : outcome.kind;
    this.#context.log.error({ backtestId: this.#row.id, error }, 'the thread of a backtest ended');
    return 'requeue';
  }

  #afterCause(summary: Extract<Ending, { status: 'canceled' }>['summary']): Attempt<Ending> {
    switch (this.cause) {
      case 'canceled':
        return this.#canceled(summary);
      case 'stopping':
        return 'put_back';
      case 'timed_out':
        return this.#failed('timed_out', `The run took longer than ${this.#context.runMs / 1_000} s.`);
      case 'too_large':
        return this.#failed(
          'too_large',
          `The result takes more than ${RESULT_BYTES_MAX / 1_048_576} MB. Take a shorter range.`,
        );
      default:
        return 'lost';
    }
  }

  #canceled(summary: Extract<Ending, { status: 'canceled' }>['summary']): Ending {
    return { status: 'canceled', summary, storedBytes: this.#storedBytes };
  }

  #failed(code: BacktestFailure['code'], message: string): Ending {
    return { status: 'failed', failure: { code, message }, storedBytes: this.#storedBytes };
  }

  #broke(error: string): Ending {
    this.#context.log.error({ backtestId: this.#row.id, error }, 'a backtest failed');
    return this.#failed('internal', 'The run failed for a reason of the service’s own; it is in its log.');
  }

  #onReport(report: BacktestUpdate): void {
    if (report.kind === 'progress') {
      this.#progress.record(report.progress);
      return;
    }
    if (this.#storedBytes + report.part.body.length > RESULT_BYTES_MAX) {
      this.stop('too_large');
      return;
    }
    this.#storedBytes += report.part.body.length;
    this.#writing = this.#writing.then(() => this.#store(report.part));
    // The awaiting code handles the error; this only prevents an unhandled rejection.
    this.#writing.catch(() => {});
  }

  async #store(part: StoredPart): Promise<void> {
    if (this.cause === 'lost') return;
    if (!(await storePart(this.#work, this.#lease, part))) this.stop('lost');
  }

  protected async heartbeat(): Promise<LeaseState> {
    const state = await extendBacktest(this.#work, this.#lease, this.#progress.beat(), this.#context.leaseMs);
    this.#context.onProgress(this.#work.accountId);
    return state;
  }
}
