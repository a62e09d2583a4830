import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { inTime } from './in-time.ts';
import { lockKey } from './lock-session.ts';
import type { LogOnce } from './log-once.ts';
import type { RunnerContext } from './options.ts';
import { BATCH, TIDYING } from './tidying.ts';

const PERIOD_MS = 60_000;
/** Batches of one table in one round; the rest waits for the next. */
const BATCHES_MAX = 20;

/** Deletes what nobody needs any more, in small batches, one process at a time. */
export class Housekeeper {
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #stopping = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(context: RunnerContext, log: LogOnce) {
    this.#context = context;
    this.#log = log;
  }

  start(): void {
    this.#loop = this.#tidyForever();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  /** One round over all rules. A rule that fails keeps no other from its work. */
  async tidy(): Promise<void> {
    for (const rule of TIDYING) {
      try {
        await inTime(this.#context.log, `tidying up ${rule.what}`, (signal) =>
          this.#apply(rule.delete, signal),
        );
        this.#log.recovered(`tidying up ${rule.what}`);
      } catch (error) {
        this.#log.trouble(`tidying up ${rule.what}`, error);
      }
    }
  }

  async #tidyForever(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.tidy();
      await sleep(PERIOD_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #apply(deletion: RawBuilder<unknown>, late: AbortSignal): Promise<void> {
    const { signal } = this.#stopping;
    for (let batch = 0; batch < BATCHES_MAX && !signal.aborted && !late.aborted; batch++) {
      if ((await this.#deleteBatch(deletion)) < BATCH) return;
    }
  }

  /** Rows deleted; 0 while another process is at it. */
  async #deleteBatch(deletion: RawBuilder<unknown>): Promise<number> {
    const [space, lock] = lockKey('housekeeping');
    return this.#context.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ ours: boolean }>`
        select pg_try_advisory_xact_lock(${space}::int, ${lock}::int) as ours`.execute(tx);
      if (rows[0]?.ours !== true) return 0;
      const { numAffectedRows } = await deletion.execute(tx);
      return Number(numAffectedRows ?? 0n);
    });
  }
}
