import { FairQueue, QueueFull, WaitedTooLong } from '../../../db/fair-queue.ts';
import type { Db } from '../../../db/tables.ts';
import type { HistoryArchive } from '../../../engine/history/archived-bodies.ts';
import { DomainError } from '../../../engine/platform/errors.ts';
import type { BacktestRow } from '../../../engine/research/backtests/row.ts';
import type { RunState } from '../../../engine/research/playback/run-state.ts';
import type { MarketData } from '../../../venues/port.ts';
import { gatherInput } from './gather-input.ts';
import type { StepAnswer, StepTask } from './step-worker.ts';
import { WorkerPool } from './worker-pool.ts';

/** A step that takes longer is stopped: the instant is late in a long run. */
const STEP_MS = 20_000;
const MEMORY_MB = 256;
/** Queued steps of all accounts, and of one. */
const WAITING = { waiting: 64, waitingPerAccount: 3 } as const;
/** The longest wait of a step in the queue. */
const WAIT_MS = 30_000;

/**
 * Replays backtests up to an instant in a thread, so that nothing else waits for it. One step at a time; accounts take turns.
 */
export class BacktestStepper {
  readonly #db: Db;
  readonly #market: MarketData;
  readonly #historyArchive: HistoryArchive | null;
  readonly #queue = new FairQueue({ slots: 1, ...WAITING });
  readonly #closing = new AbortController();
  readonly #workers = new WorkerPool<StepTask, never, StepAnswer>({
    module: new URL('./step-worker.ts', import.meta.url),
    size: 1,
    memoryMb: MEMORY_MB,
  });

  constructor(db: Db, market: MarketData, historyArchive: HistoryArchive | null) {
    this.#db = db;
    this.#market = market;
    this.#historyArchive = historyArchive;
  }

  /**
   * @throws DomainError `rate_limited` if too many steps of the account are queued; `upstream_unavailable` if its history is
   * gone or it takes too long.
   */
  async step(row: BacktestRow, at: string): Promise<RunState> {
    const waitOptions = { waitMs: WAIT_MS, signal: this.#closing.signal };
    return await this.#queue
      .run(row.account_id, () => this.#stepNow(row, at), waitOptions)
      .catch((error: unknown) => {
        if (error instanceof QueueFull) throw tooMany();
        throw error instanceof WaitedTooLong ? unavailable('No step began within 30 s. Try again.') : error;
      });
  }

  async close(): Promise<void> {
    this.#closing.abort(unavailable('The service stops.'));
    await this.#workers.close();
  }

  async #stepNow(row: BacktestRow, at: string): Promise<RunState> {
    const signal = AbortSignal.timeout(STEP_MS);
    const gathered = await gatherInput(row, {
      accountId: row.account_id,
      db: this.#db,
      market: this.#market,
      importHistory: async () => {},
      historyArchive: this.#historyArchive,
      signal,
      onProgress: () => {},
    }).catch((error: unknown) => {
      throw signal.aborted ? tooLong() : error;
    });
    if ('failure' in gathered) throw unavailable(gathered.failure.message, gathered.cause);
    const outcome = await this.#workers.run({ ...gathered.task, at }, { account: row.account_id, signal });
    if (outcome.kind !== 'answered') throw tooLong();
    if ('error' in outcome.answer) throw unavailable(outcome.answer.error);
    return outcome.answer.stood;
  }
}

const unavailable = (message: string, cause?: unknown): DomainError =>
  new DomainError('upstream_unavailable', message, { cause });

const tooLong = (): DomainError => unavailable('The run takes too long up to this instant.');

const tooMany = (): DomainError =>
  new DomainError(
    'rate_limited',
    `${WAITING.waitingPerAccount} steps of this account wait. Ask again once they are answered.`,
    { retryAfterSec: 1 },
  );
