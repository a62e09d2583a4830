import { type RawBuilder, sql } from 'kysely';
import type { Db } from './tables.ts';

/** Reads the rows of one query in batches: the database sorts them once and stores them. Lasts as long as its transaction. */
export class SqlCursor<Row> {
  readonly #trx: Db;
  readonly #name: RawBuilder<unknown>;
  #isExhausted = false;

  private constructor(trx: Db, name: string) {
    this.#trx = trx;
    this.#name = sql.id(name);
  }

  static async open<Row>(trx: Db, name: string, query: RawBuilder<Row>): Promise<SqlCursor<Row>> {
    const cursor = new SqlCursor<Row>(trx, name);
    await sql`declare ${cursor.#name} no scroll cursor for ${query}`.execute(trx);
    return cursor;
  }

  /** Whether all rows were read. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Reads the next `count` rows, or those that are left. */
  async take(count: number): Promise<Row[]> {
    if (this.#isExhausted || count <= 0) return [];
    const { rows } = await sql<Row>`fetch ${sql.lit(count)} from ${this.#name}`.execute(this.#trx);
    if (rows.length < count) {
      this.#isExhausted = true;
      await sql`close ${this.#name}`.execute(this.#trx);
    }
    return rows;
  }

  /** Reads all rows, `count` at a time. */
  async *pages(count: number): AsyncGenerator<Row[]> {
    while (!this.#isExhausted) {
      const rows = await this.take(count);
      if (rows.length > 0) yield rows;
    }
  }
}
