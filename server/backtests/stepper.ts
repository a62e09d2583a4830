import PQueue from 'p-queue';
import type { Db } from '../../db/tables.ts';
import type { Stood } from '../../engine/backtest/step.ts';
import type { BacktestRow } from '../../engine/backtests/row.ts';
import { DomainError } from '../../engine/errors.ts';
import type { MarketData } from '../../venues/port.ts';
import { gatherInput } from './input.ts';
import type { StepAnswer, StepTask } from './step-worker.ts';
import { WorkerPool } from './worker-pool.ts';

/** A step that takes longer is given up: the instant lies deep in a long run. */
const STEP_MS = 20_000;
const MEMORY_MB = 256;
/** Whoever asks while so many wait is told to come back. */
const WAITING_MAX = 8;

/** Plays backtests up to an instant, one at a time and in a thread, so that nothing else waits for it. */
export class Stepper {
  readonly #db: Db;
  readonly #market: MarketData;
  readonly #turns = new PQueue({ concurrency: 1 });
  readonly #workers = new WorkerPool<StepTask, never, StepAnswer>({
    module: new URL('./step-worker.ts', import.meta.url),
    size: 1,
    memoryMb: MEMORY_MB,
  });

  constructor(db: Db, market: MarketData) {
    this.#db = db;
    this.#market = market;
  }

  /** @throws DomainError `upstream_unavailable` where its history is gone, it takes too long, or too many wait. */
  async step(row: BacktestRow, at: string): Promise<Stood> {
    if (this.#turns.size >= WAITING_MAX)
      throw unavailable('Too many instants are being looked at. Try again.');
    return await this.#turns.add(() => this.#stepNow(row, at));
  }

  async close(): Promise<void> {
    this.#turns.clear();
    await this.#workers.close();
  }

  async #stepNow(row: BacktestRow, at: string): Promise<Stood> {
    const signal = AbortSignal.timeout(STEP_MS);
    const gathered = await gatherInput(row, {
      db: this.#db,
      market: this.#market,
      importHistory: async () => {},
      signal,
      reached: () => {},
    });
    if ('failure' in gathered) throw unavailable(gathered.failure.message);
    const outcome = await this.#workers.run({ ...gathered.task, at }, { told: () => {}, signal });
    if (outcome.kind !== 'answered') throw unavailable('The run takes too long up to this instant.');
    if ('error' in outcome.answer) throw unavailable(outcome.answer.error);
    return outcome.answer.stood;
  }
}

const unavailable = (message: string): DomainError => new DomainError('upstream_unavailable', message);
