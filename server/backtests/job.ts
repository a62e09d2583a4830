import { setTimeout as sleep } from 'node:timers/promises';
import type { BacktestFailure } from '../../engine/backtest/result.ts';
import { RESULT_BYTES_MAX, type StoredPart } from '../../engine/backtests/parts.ts';
import {
  ATTEMPTS_MAX,
  type Ending,
  endBacktest,
  keepBacktest,
  type Lease,
  noteInput,
  requeueBacktest,
  storePart,
} from '../../engine/backtests/queue.ts';
import type { BacktestRow } from '../../engine/backtests/row.ts';
import type { Work } from '../../engine/context.ts';
import { VenueError } from '../../venues/port.ts';
import { type GatherOptions, gatherInput } from './input.ts';
import type { BacktestAnswer, BacktestTask, BacktestTold } from './messages.ts';
import { ProgressWatch } from './progress.ts';
import type { Outcome, WorkerPool } from './worker-pool.ts';

export type BacktestWorkers = WorkerPool<BacktestTask, BacktestTold, BacktestAnswer>;

export type JobContext = Pick<GatherOptions, 'db' | 'market' | 'importHistory'> & {
  readonly workers: BacktestWorkers;
  readonly owner: string;
  readonly leaseMs: number;
  readonly beatMs: number;
  /** A run that takes longer is ended. */
  readonly runMs: number;
  /** Somebody may want to know how far the account's runs are. */
  readonly onProgress: (accountId: string) => void;
  readonly log: { error(fields: object, message: string): void };
};

/** Why a run does not go on. */
type Cause = 'canceled' | 'lost' | 'stopping' | 'timed_out' | 'too_large';
class Ended extends Error {
  readonly reason: Cause;
  constructor(reason: Cause) {
    super(`The run ended: ${reason}.`);
    this.reason = reason;
  }
}

/** One attempt at one backtest, from its claim to its end. */
export class BacktestJob {
  readonly #context: JobContext;
  readonly #work: Work;
  readonly #row: BacktestRow;
  readonly #lease: Lease;
  readonly #ending = new AbortController();
  readonly #progress = new ProgressWatch(() => performance.now());
  /** Parts are written one after the other, while the run goes on. */
  #writing: Promise<void> = Promise.resolve();
  #storedBytes = 0;
  #wake = Promise.withResolvers<void>();

  constructor(context: JobContext, work: Work, row: BacktestRow) {
    this.#context = context;
    this.#work = work;
    this.#row = row;
    this.#lease = { id: row.id, owner: context.owner, attempt: row.attempts };
  }

  /** Gives the run back: whoever comes next begins it anew. */
  stop(): void {
    this.#end('stopping');
  }

  /** Looks at once whether it is to go on. */
  nudge(): void {
    this.#wake.resolve();
  }

  /** Does not throw: what goes wrong is how it ends. */
  async run(): Promise<void> {
    const beating = new AbortController();
    const beats = this.#beatUntil(beating.signal);
    const late = setTimeout(() => this.#end('timed_out'), this.#context.runMs);
    try {
      const ending = await this.#ended();
      await this.#writing;
      if (ending === 'lost') return;
      if (ending === 'requeue') await requeueBacktest(this.#work, this.#lease, !this.#isStopping);
      else await endBacktest(this.#work, this.#lease, ending);
    } catch (error) {
      // The lease runs out, and whoever takes the run over begins it anew.
      this.#context.log.error(
        { backtestId: this.#row.id, error: String(error) },
        'a backtest was left behind',
      );
    } finally {
      clearTimeout(late);
      beating.abort();
      this.#wake.resolve();
      await beats;
      this.#context.onProgress(this.#work.accountId);
    }
  }

  get #isStopping(): boolean {
    return this.#cause === 'stopping';
  }
  get #cause(): Cause | null {
    const reason: unknown = this.#ending.signal.reason;
    return reason instanceof Ended ? reason.reason : null;
  }

  #end(cause: Cause): void {
    if (!this.#ending.signal.aborted) this.#ending.abort(new Ended(cause));
  }

  async #ended(): Promise<Ending | 'lost' | 'requeue'> {
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
      if (this.#cause !== null) return this.#afterCause(null);
      if (error instanceof VenueError) {
        return this.#failed('no_history', `The history could not be fetched: ${error.message}`);
      }
      return this.#broke(String(error));
    }
  }

  async #computed(): Promise<Ending | 'lost' | 'requeue'> {
    const { signal } = this.#ending;
    const gathered = await gatherInput(this.#row, {
      ...this.#context,
      signal,
      reached: (share) => this.#progress.reached(share),
    });
    if ('failure' in gathered) return this.#failed(gathered.failure.code, gathered.failure.message);
    await noteInput(this.#work, this.#lease, gathered);
    this.#progress.enter('running');
    const outcome = await this.#context.workers.run(gathered.task, {
      told: (told) => this.#heard(told),
      signal,
    });
    this.#progress.enter('writing');
    await this.#writing;
    return this.#after(outcome);
  }

  #after(outcome: Outcome<BacktestAnswer>): Ending | 'lost' | 'requeue' {
    const answer = outcome.kind === 'answered' ? outcome.answer : null;
    const summary = answer?.kind === 'ended' ? answer.summary : null;
    if (this.#cause !== null) return this.#afterCause(summary);
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

  #afterCause(summary: Extract<Ending, { status: 'canceled' }>['summary']): Ending | 'lost' | 'requeue' {
    switch (this.#cause) {
      case 'canceled':
        return this.#canceled(summary);
      case 'stopping':
        return 'requeue';
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

  #heard(told: BacktestTold): void {
    if (told.kind === 'progress') {
      this.#progress.told(told.progress);
      return;
    }
    if (this.#storedBytes + told.part.body.length > RESULT_BYTES_MAX) {
      this.#end('too_large');
      return;
    }
    this.#storedBytes += told.part.body.length;
    this.#writing = this.#writing.then(() => this.#store(told.part));
    // Whoever waits for it hears of it; nobody else has to.
    this.#writing.catch(() => {});
  }

  async #store(part: StoredPart): Promise<void> {
    if (this.#cause === 'lost') return;
    if (!(await storePart(this.#work, this.#lease, part))) this.#end('lost');
  }

  /** Extends the lease, tells how far the run is, and hears whether it is to end. */
  async #beatUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      const pausing = new AbortController();
      const pause = sleep(this.#context.beatMs, undefined, { signal: pausing.signal }).catch(() => {});
      await Promise.race([pause, this.#wake.promise]);
      pausing.abort();
      if (!signal.aborted) await this.#beat();
    }
  }

  async #beat(): Promise<void> {
    const { leaseMs, onProgress } = this.#context;
    try {
      const state = await keepBacktest(this.#work, this.#lease, this.#progress.beat(), leaseMs);
      if (state !== 'kept') this.#end(state);
      onProgress(this.#work.accountId);
    } catch {
      // Without the database the lease runs out by itself: then the next beat, or the next write, hears of it.
    }
  }
}
