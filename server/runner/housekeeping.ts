import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { inTime } from './in-time.ts';
import { INSTRUMENTS_IN_USE } from './in-use.ts';
import { lockKey } from './lock-session.ts';
import type { LogOnce } from './log-once.ts';
import type { RunnerContext } from './options.ts';

const PERIOD_MS = 60_000;
/** Rows deleted in one transaction, so that none is long. */
const BATCH = 1_000;
/** Batches of one table in one round; the rest waits for the next. */
const BATCHES_MAX = 20;

const RULES: { what: string; delete: RawBuilder<unknown> }[] = [
  {
    what: 'stored answers to idempotent requests',
    delete: sql`delete from idempotency_key where ctid = any(array(select ctid from idempotency_key
      where created_at < clock_timestamp() - interval '72 hours' limit ${BATCH}))`,
  },
  {
    what: 'events',
    delete: sql`delete from account_event where ctid = any(array(select ctid from account_event
      where at < clock_timestamp() - interval '24 hours' limit ${BATCH}))`,
  },
  {
    what: 'quotes of unused instruments',
    delete: sql`delete from quote where ctid = any(array(select ctid from quote
      where as_of < clock_timestamp() - interval '1 hour'
        and token_id not in (${INSTRUMENTS_IN_USE}) limit ${BATCH}))`,
  },
];

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
    for (const rule of RULES) {
      try {
        await inTime(this.#context.log, `tidying up ${rule.what}`, (signal) =>
          this.#apply(rule.delete, signal),
        );
        this.#log.fine(`tidying up ${rule.what}`);
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
