import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';

/**
 * The position of a reader of quotes. Quotes are numbered from a sequence, and a higher number is newer. But a database can be
 * rolled back: by a restore, or by a fail-over that lost the last moments. Then its numbers start again below the reader's,
 * which would read nothing and report no error. The reader therefore starts from the beginning after any of these: another
 * server, another timeline of its log, or a highest number below the last one read.
 */
export class QuoteCursor {
  readonly #db: Db;
  #history = '';
  #generation = 0;
  #seq = '0';

  constructor(db: Db) {
    this.#db = db;
  }

  /** Increases whenever the database was rolled back: data read before may be invalid. */
  get generation(): number {
    return this.#generation;
  }

  /** Checks the database, and returns the number to continue from, and whether that is the beginning. */
  async locate(): Promise<{ seq: string; isFromStart: boolean }> {
    const { rows } = await sql<{ history: string; last: string }>`
      select (select system_identifier from pg_control_system()) || ' ' ||
          case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as history,
        coalesce((select max(seq) from quote), 0) as last`.execute(this.#db);
    const { history, last } = rows[0] ?? { history: this.#history, last: '0' };
    const isFromStart =
      this.#history !== '' && (history !== this.#history || BigInt(last) < BigInt(this.#seq));
    if (isFromStart) {
      this.#generation += 1;
      this.#seq = '0';
    }
    this.#history = history;
    return { seq: this.#seq, isFromStart };
  }

  /** Marks everything up to this number as read. */
  markRead(seq: string): void {
    this.#seq = seq;
  }
}
