import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';

/**
 * How far a reader of quotes has come. Quotes are numbered from a sequence, and what is numbered higher is news; but a
 * database can go back: by a restore, or by a fail-over that lost the last moments. Then its numbers start again below
 * what was read, and a reader that waits for higher ones reads nothing while all looks well. Another server, another
 * timeline of its log or a highest number below the one read last mean reading from the beginning.
 */
export class QuoteCursor {
  readonly #db: Db;
  #history = '';
  #generation = 0;
  #seq = '0';

  constructor(db: Db) {
    this.#db = db;
  }

  /** Rises whenever the database went back: what a process knows of it may be untrue then. */
  get generation(): number {
    return this.#generation;
  }

  /** Looks where the database is and answers the number to read on from, and whether that is the beginning. */
  async look(): Promise<{ seq: string; isAnew: boolean }> {
    const { rows } = await sql<{ history: string; last: string }>`
      select (select system_identifier from pg_control_system()) || ' ' ||
          case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as history,
        coalesce((select max(seq) from quote), 0) as last`.execute(this.#db);
    const { history, last } = rows[0] ?? { history: this.#history, last: '0' };
    const isAnew = this.#history !== '' && (history !== this.#history || BigInt(last) < BigInt(this.#seq));
    if (isAnew) {
      this.#generation += 1;
      this.#seq = '0';
    }
    this.#history = history;
    return { seq: this.#seq, isAnew };
  }

  /** Everything up to this number was read. */
  reached(seq: string): void {
    this.#seq = seq;
  }
}
