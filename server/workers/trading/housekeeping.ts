import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { ifLockFree } from '../../kernel/rounds/lock-session.ts';
import type { LogOnce } from '../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../kernel/rounds/options.ts';
import { withDeadline } from '../../kernel/rounds/with-deadline.ts';
import { DELETED_ROWS_MAX, expiredRowDeletions } from './expired-row-deletions.ts';
import { HOUR_MS, ROW_THINNING, type RowThinning } from './row-thinning.ts';

/** Between two rounds: while rows are left to delete, and otherwise. */
const PERIOD_MS = { behind: 60_000, done: 600_000 };
/** Batches of one table in one round; the next round does the rest. */
const BATCHES_MAX = 20;
/** Hours thinned in one round. */
const HOURS_MAX = 500;

/** Deletes expired rows, in small batches, one process at a time. */
export class Housekeeper {
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #stopping = new AbortController();
  /** Until when each kind of row is thinned, epoch ms: a process checks every hour once. */
  readonly #thinnedUntilMs = new Map<RowThinning, number>();
  #loop: Promise<void> | null = null;

  constructor(context: RunnerContext, log: LogOnce) {
    this.#context = context;
    this.#log = log;
  }

  start(): void {
    this.#loop = this.#purgeForever();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  /** Applies all rules once. A rule that fails does not stop the others. True if nothing is left to do. */
  async purge(): Promise<boolean> {
    const done: boolean[] = [];
    for (const rule of expiredRowDeletions(this.#context.retention))
      done.push(await this.#try(rule.what, (signal) => this.#apply(rule.delete, signal)));
    for (const thinning of ROW_THINNING)
      done.push(await this.#try(`${thinning.what} by the hour`, (signal) => this.#thin(thinning, signal)));
    return done.every(Boolean);
  }

  async #try(what: string, task: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
    const subject = `deleting ${what}`;
    try {
      const isDone = await withDeadline(this.#context.log, subject, task);
      this.#log.recovered(subject);
      return isDone;
    } catch (error) {
      this.#log.failed(subject, error);
      return false;
    }
  }

  async #purgeForever(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const isDone = await this.purge();
      await sleep(isDone ? PERIOD_MS.done : PERIOD_MS.behind, undefined, { signal }).catch(() => {});
    }
  }

  /** Whether no such rows are left. */
  async #apply(deletion: RawBuilder<unknown>, late: AbortSignal): Promise<boolean> {
    const { signal } = this.#stopping;
    for (let batch = 0; batch < BATCHES_MAX && !signal.aborted && !late.aborted; batch++) {
      const deleted = await this.#deleteBatch(deletion);
      if (deleted === null) return false;
      if (deleted < DELETED_ROWS_MAX) return true;
    }
    return false;
  }

  /** Hour by hour from the oldest row on, as far as this round gets. */
  async #thin(thinning: RowThinning, late: AbortSignal): Promise<boolean> {
    const { db } = this.#context;
    const { rows } = await sql<{ now: string }>`select statement_timestamp() as now`.execute(db);
    const endMs = Date.parse(rows[0]?.now ?? '') - thinning.afterHours * HOUR_MS;
    let fromMs = this.#thinnedUntilMs.get(thinning) ?? (await this.#oldestMs(thinning));
    for (let hours = 0; hours < HOURS_MAX && fromMs + HOUR_MS <= endMs && !late.aborted; hours++) {
      const deletion = thinning.delete(new Date(fromMs), new Date(fromMs + HOUR_MS));
      if (!(await this.#apply(deletion, late))) return false;
      fromMs += HOUR_MS;
      this.#thinnedUntilMs.set(thinning, fromMs);
    }
    return fromMs + HOUR_MS > endMs;
  }

  /** Returns the hour of the oldest row; without rows, a time after every hour to thin. */
  async #oldestMs({ oldest }: RowThinning): Promise<number> {
    const { rows } = await oldest.execute(this.#context.db);
    const at = rows[0]?.at ?? null;
    return at === null ? Number.POSITIVE_INFINITY : Math.floor(Date.parse(at) / HOUR_MS) * HOUR_MS;
  }

  /** Returns the rows deleted; null while another process does it. */
  #deleteBatch(deletion: RawBuilder<unknown>): Promise<number | null> {
    return ifLockFree(this.#context.db, 'housekeeping', async (tx) => {
      const { numAffectedRows, rows } = await deletion.execute(tx);
      return numAffectedRows === undefined ? rows.length : Number(numAffectedRows);
    });
  }
}
