import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';

/** The rows of one query, some at a time: the database sorts them once and keeps them. Lasts as long as its transaction. */
export class Cursor<Row> {
  readonly #trx: Db;
  readonly #name: RawBuilder<unknown>;
  #isOver = false;

  private constructor(trx: Db, name: string) {
    this.#trx = trx;
    this.#name = sql.id(name);
  }

  static async open<Row>(trx: Db, name: string, query: RawBuilder<Row>): Promise<Cursor<Row>> {
    const cursor = new Cursor<Row>(trx, name);
    await sql`declare ${cursor.#name} no scroll cursor for ${query}`.execute(trx);
    return cursor;
  }

  /** Whether there are no more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The next `count` rows, or what is left of them. */
  async take(count: number): Promise<Row[]> {
    if (this.#isOver || count <= 0) return [];
    const { rows } = await sql<Row>`fetch ${sql.lit(count)} from ${this.#name}`.execute(this.#trx);
    if (rows.length < count) {
      this.#isOver = true;
      await sql`close ${this.#name}`.execute(this.#trx);
    }
    return rows;
  }

  /** All of them, `count` at a time. */
  async *pages(count: number): AsyncGenerator<Row[]> {
    while (!this.#isOver) {
      const rows = await this.take(count);
      if (rows.length > 0) yield rows;
    }
  }
}
