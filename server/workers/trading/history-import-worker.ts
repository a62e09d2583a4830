import { setTimeout as sleep } from 'node:timers/promises';
import type { Venue } from '../../../db/vocabulary.ts';
import {
  IMPORT_TURN_MS,
  type ImportedSoFar,
  ImportTurnOver,
  importSeries,
} from '../../../engine/history/import.ts';
import {
  endImport,
  hasOtherImports,
  recordImportProgress,
  requeueImport,
  type TakenImport,
  takeImport,
  venuesToImport,
} from '../../../engine/history/import-queue.ts';
import { HistoryLimitReached, requireHistoryRoom } from '../../../engine/history/storage-limit.ts';
import { currentHistorySource } from '../../../engine/history/store.ts';
import { VenueError } from '../../../venues/port.ts';
import { ALWAYS_AWAKE, type IdleGate } from '../../kernel/rounds/idle-gate.ts';
import { LockSession } from '../../kernel/rounds/lock-session.ts';
import type { LogOnce } from '../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../kernel/rounds/options.ts';
import { type Rounds, startRounds } from '../../kernel/rounds/rounds.ts';

const PERIOD_MS = 2_000;
/** How often the progress of an import is stored, and a cancel request checked. */
const PROGRESS_PERIOD_MS = 500;
/** Long enough for a backtest that waits for the venue to check again. */
const PAUSE_MS = 500;

type ImporterContext = Pick<
  RunnerContext,
  'db' | 'pool' | 'market' | 'clock' | 'log' | 'leaseMs' | 'historyMaxBytes'
> & {
  readonly idle?: IdleGate;
  /** Shorter in tests. */
  readonly turnMs?: number;
};

class Canceled extends Error {}

/** Runs requested imports, one at a time per venue among all processes. Accounts take turns of {@link IMPORT_TURN_MS}. */
export class HistoryImportWorker {
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
    const round = () => this.#log.attempt('imports of histories', () => this.#begin());
    this.#rounds = startRounds(round, PERIOD_MS, {
      idle: this.#context.idle ?? ALWAYS_AWAKE,
      kind: 'imports',
    });
  }

  /** The import in progress ends at its next page; another process continues it. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The process stops.'));
    await this.#rounds?.stop();
    await Promise.all(this.#running.values());
  }

  async #begin(): Promise<void> {
    for (const venue of await venuesToImport(this.#context.db)) {
      if (this.#running.has(venue)) continue;
      const work = this.#log
        .attempt(`imports from ${venue}`, () => this.workOff(venue))
        .finally(() => this.#running.delete(venue));
      this.#running.set(venue, work);
    }
  }

  /** Runs the imports of a venue, unless another process does. */
  async workOff(venue: Venue): Promise<void> {
    const lock = new LockSession(this.#context.pool, `import-${venue}`, this.#context.leaseMs);
    try {
      let heldMs = performance.now();
      while (!this.#stopping.signal.aborted && (await lock.hold())) {
        const next = await takeImport(this.#context.db, venue);
        if (next === null) return;
        await this.#import(next);
        if (performance.now() - heldMs < IMPORT_TURN_MS) continue;
        // Backtests that lack history of this venue wait for the same lock.
        await lock.close();
        await sleep(PAUSE_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
        heldMs = performance.now();
      }
    } finally {
      await lock.close();
    }
  }

  async #import(taken: TakenImport): Promise<void> {
    const { id, key, range, accountId } = taken;
    const { db, market, clock, log, historyMaxBytes, turnMs = IMPORT_TURN_MS } = this.#context;
    const canceling = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, canceling.signal]);
    const begunMs = performance.now();
    let notedMs = 0;
    try {
      const result = await importSeries(db, market, key, range, {
        source: await currentHistorySource(db, key.venue),
        signal,
        paidBy: accountId,
        beforeChunk: async (soFar) => {
          const isOver = soFar.share > 0 && performance.now() - begunMs >= turnMs;
          if (isOver && (await hasOtherImports(db, key.venue, accountId))) throw new ImportTurnOver(soFar);
          await requireHistoryRoom(db, accountId, historyMaxBytes);
        },
        progress: async (progress) => {
          if (performance.now() - notedMs < PROGRESS_PERIOD_MS) return;
          notedMs = performance.now();
          const all = withEarlier(taken, { ...progress, gaps: 0 });
          if (!(await recordImportProgress(db, id, all))) canceling.abort(new Canceled());
        },
      });
      for (const difference of result.differences) {
        log.warn(
          { ...difference, tokenId: key.tokenId },
          'the history of a venue differs from the sealed one',
        );
      }
      const { rows, gaps } = withEarlier(taken, { ...result, share: 1 });
      await endImport(db, id, { ...result, rows, gaps }, await clock(db));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ImportTurnOver)
        return await requeueImport(db, id, withEarlier(taken, error.soFar));
      const isStated = error instanceof VenueError || error instanceof HistoryLimitReached;
      const failure = isStated ? error.message : 'It failed for a reason that is in the log.';
      await endImport(db, id, { failure }, await clock(db));
      if (!isStated) throw error;
    }
  }
}

/** Adds the counts of an import's earlier turns. */
const withEarlier = (
  { rows, gaps, progress }: TakenImport,
  { rows: newRows, gaps: newGaps, share }: ImportedSoFar,
): ImportedSoFar => ({
  rows: rows + newRows,
  gaps: gaps + newGaps,
  share: progress + (1 - progress) * share,
});
