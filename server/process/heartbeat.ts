import { hostname } from 'node:os';
import { sql } from 'kysely';
import { type Pool, unscopedDb } from '../../db/pool.ts';
import { newId } from '../../engine/platform/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Rounds, startRounds } from '../kernel/rounds/rounds.ts';

const PERIOD_MS = 5_000;
/** A process that is silent for longer counts as dead. */
const SILENT_MAX_SEC = 30;

/**
 * Whether a process lives, by its `seen_at`. One dated ahead has said nothing since the clock was set back. The clock is rounded
 * as `seen_at` is, or a process that was seen just now would lie ahead.
 */
export const isAlive = (seenAt: string) =>
  sql<boolean>`${sql.ref(seenAt)} between clock_timestamp() - ${SILENT_MAX_SEC} * interval '1 second' and clock_timestamp()::timestamptz(3)`;

export type HeartbeatOptions = {
  readonly pool: Pool;
  readonly role: 'all' | 'api' | 'runner';
  readonly version: string;
  readonly log: Logger;
};

/**
 * Says every five seconds that this process is there, and reads whether it is to drain: to give its shards and connections away,
 * and to take none. The last one that works never drains, because then nothing would trade or cancel.
 */
export class Heartbeat {
  /** Names the process in the table and its leases. */
  readonly id = newId();
  readonly #options: HeartbeatOptions;
  #rounds: Rounds | null = null;
  #isDraining = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Whether another process is to do the work of this one. Unknown, while the database does not answer, is no. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  start(): void {
    this.#rounds = startRounds(() => this.beat(), PERIOD_MS);
  }

  async stop(): Promise<void> {
    await this.#rounds?.stop();
    await sql`delete from process where id = ${this.id}`
      .execute(unscopedDb(this.#options.pool))
      .catch(() => {});
  }

  /** Says once that this process is there. A started heartbeat does so every five seconds. */
  async beat(): Promise<void> {
    const { pool, role, version, log } = this.#options;
    const was = this.#isDraining;
    try {
      const { rows } = await sql<{ drains: boolean }>`
        with gone as (delete from process where seen_at < clock_timestamp() - interval '1 hour')
        insert into process as own (id, role, version, host, started_at, seen_at)
        values (${this.id}, ${role}, ${version}, ${hostname().slice(0, 120)}, clock_timestamp(), clock_timestamp())
        on conflict (id) do update set seen_at = excluded.seen_at
        returning own.drains_since is not null and exists (select from process o where o.id <> own.id and o.role <> 'api'
          and o.drains_since is null and ${isAlive('o.seen_at')}) as drains`.execute(unscopedDb(pool));
      this.#isDraining = rows[0]?.drains === true;
    } catch {
      this.#isDraining = false;
    }
    if (was === this.#isDraining) return;
    log.warn(was ? 'taking shards and connections again' : 'draining, as an operator asked');
  }
}
