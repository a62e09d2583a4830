import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Pool, unscopedDb } from '../../db/pool.ts';
import { LOCK_SPACE, RUNNER_LOCK } from './rounds/lock-session.ts';

const PERIOD_MS = 1_000;
/** Longer than a lock is free between a dead runner and the next, and than a restart takes. */
export const RUNNER_GRACE_MS = 10_000;

export type RunnerLivenessOptions = {
  pool: Pool;
  /** Whether only other processes run a runner: false if this process runs one. */
  isNeeded: boolean;
  /** How long runners may be missing before that is reported, ms. */
  graceMs: number;
};

/**
 * Whether a runner lives. One of them holds the lock of the daily-loss watch, and loses it within 8 s once frozen. Uses the
 * clock of this process, and counts only answers of the database: its outage says nothing about runners.
 */
export class RunnerLiveness {
  readonly #options: RunnerLivenessOptions;
  readonly #stopping = new AbortController();
  #missingMs = 0;
  #checkedAtMs: number | null = null;
  #checking: Promise<void> = Promise.resolve();

  constructor(options: RunnerLivenessOptions) {
    this.#options = options;
  }

  start(): void {
    const { isNeeded, graceMs } = this.#options;
    if (isNeeded && graceMs !== Number.POSITIVE_INFINITY) this.#checking = this.#checkForever();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#checking;
  }

  /** Whether runners were missing for too long for a restart. */
  get isMissing(): boolean {
    return this.#missingMs >= this.#options.graceMs;
  }

  async #checkForever(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#check();
      await sleep(PERIOD_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #check(): Promise<void> {
    try {
      const isThere = await this.#isSeen();
      const nowMs = performance.now();
      // On a busy machine checks are late; of an hour in which this process was frozen, two seconds count.
      const passedMs = Math.min(nowMs - (this.#checkedAtMs ?? nowMs), 2 * PERIOD_MS);
      this.#missingMs = isThere ? 0 : this.#missingMs + passedMs;
      this.#checkedAtMs = nowMs;
    } catch {
      this.#missingMs = 0;
      this.#checkedAtMs = null;
    }
  }

  async #isSeen(): Promise<boolean> {
    const { rows } = await sql<{ isThere: boolean }>`
      select exists (
        select 1 from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
        where l.locktype = 'advisory' and l.granted and l.classid = ${LOCK_SPACE}
          and l.objid = ${RUNNER_LOCK}::int8::oid
      ) as "isThere"`.execute(unscopedDb(this.#options.pool));
    return rows[0]?.isThere === true;
  }
}
