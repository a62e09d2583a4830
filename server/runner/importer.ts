import type { Venue } from '../../db/vocabulary.ts';
import { HistoryFull, importSeries } from '../../engine/history/import.ts';
import {
  endImport,
  type Import,
  noteProgress,
  takeImport,
  venuesToImport,
} from '../../engine/history/import-queue.ts';
import { sourceNow } from '../../engine/history/store.ts';
import { VenueError } from '../../venues/port.ts';
import { LockSession } from './lock-session.ts';
import type { LogOnce } from './log-once.ts';
import type { RunnerContext } from './options.ts';
import { type Rounds, startRounds } from './rounds.ts';

const PERIOD_MS = 2_000;
/** How often is written down how far an import is, and seen that it was canceled. */
const PROGRESS_PERIOD_MS = 500;

type ImporterContext = Pick<
  RunnerContext,
  'db' | 'pool' | 'market' | 'clock' | 'log' | 'leaseMs' | 'historyMaxBytes'
>;

class Canceled extends Error {}

/** Works off imports that were asked for, of each venue one at a time among all processes. */
export class Importer {
  readonly #context: ImporterContext;
  readonly #log: LogOnce;
  readonly #stopping = new AbortController();
  readonly #running = new Map<Venue, Promise<void>>();
  #rounds: Rounds | null = null;

  constructor(context: ImporterContext, log: LogOnce) {
    this.#context = context;
    this.#log = log;
  }

  start(): void {
    this.#rounds = startRounds(() => this.#log.tried('imports of histories', () => this.#begin()), PERIOD_MS);
  }

  /** What is under way ends at its next page; another process goes on with it. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The process stops.'));
    await this.#rounds?.stop();
    await Promise.all(this.#running.values());
  }

  async #begin(): Promise<void> {
    for (const venue of await venuesToImport(this.#context.db)) {
      if (this.#running.has(venue)) continue;
      const work = this.#log
        .tried(`imports from ${venue}`, () => this.workOff(venue))
        .finally(() => this.#running.delete(venue));
      this.#running.set(venue, work);
    }
  }

  /** All imports of a venue that wait, unless another process is at them. */
  async workOff(venue: Venue): Promise<void> {
    const lock = new LockSession(this.#context.pool, `import-${venue}`, this.#context.leaseMs);
    try {
      while (!this.#stopping.signal.aborted && (await lock.hold())) {
        const next = await takeImport(this.#context.db, venue);
        if (next === null) return;
        await this.#import(next);
      }
    } finally {
      await lock.close();
    }
  }

  async #import({ id, key, range }: Import): Promise<void> {
    const { db, market, clock, log, historyMaxBytes } = this.#context;
    const canceling = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, canceling.signal]);
    let toldMs = 0;
    try {
      const result = await importSeries(db, market, key, range, {
        source: await sourceNow(db, key.venue),
        signal,
        maxBytes: historyMaxBytes,
        progress: async (progress) => {
          if (performance.now() - toldMs < PROGRESS_PERIOD_MS) return;
          toldMs = performance.now();
          if (!(await noteProgress(db, id, progress))) canceling.abort(new Canceled());
        },
      });
      for (const difference of result.differences) {
        log.warn(
          { ...difference, tokenId: key.tokenId },
          'a venue tells another history than the sealed one',
        );
      }
      await endImport(db, id, result, await clock(db));
    } catch (error) {
      if (signal.aborted) return;
      const isTold = error instanceof VenueError || error instanceof HistoryFull;
      const failure = isTold ? error.message : 'It failed for a reason that is in the log.';
      await endImport(db, id, { failure }, await clock(db));
      if (!isTold) throw error;
    }
  }
}
