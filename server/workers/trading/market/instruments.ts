import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import { instrumentFactsOf } from '../../../../engine/strategy/graph/instrument-facts.ts';
import type { InstrumentFacts } from '../../../../engine/strategy/graph/types.ts';
import type { InstrumentRow } from '../../../../engine/trading/orders/row.ts';
import { ensureInstrument } from '../../../../engine/trading/orders/terms/instruments.ts';
import type { MarketData } from '../../../../venues/port.ts';

/** How often changes of instruments (a close moved, a market settled) are read; they are rare. */
const REFRESH_MS = 2_000;

/** Rows committed late may have an earlier time than ones already read; after a clock went backwards, none is later. */
const OVERLAP_MS = 30_000;

/** Facts of the instruments in use, one map per process. */
export class InstrumentCache {
  readonly facts = new Map<string, InstrumentFacts>();
  /** Instruments whose venue has stated their settlement value. */
  readonly settled = new Set<string>();
  readonly #db: Db;
  readonly #market: MarketData;
  #refreshAtMs = 0;
  #seenUntilMs = OVERLAP_MS;

  constructor(db: Db, market: MarketData) {
    this.#db = db;
    this.#market = market;
  }

  async refresh(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#refreshAtMs) return;
    const rows = await this.#db
      .selectFrom('instrument')
      .selectAll()
      .where(
        'updated_at',
        '>',
        sql<string>`least(${new Date(this.#seenUntilMs)}, clock_timestamp()) - ${OVERLAP_MS} * interval '1 millisecond'`,
      )
      .execute();
    for (const row of rows) this.#take(row);
    this.#refreshAtMs = nowMs + REFRESH_MS;
  }

  /** Returns the known facts; null if no venue knows an instrument, absent if its venue does not answer now. */
  async known(tokenIds: readonly string[]): Promise<Map<string, InstrumentFacts | null>> {
    await this.#load(tokenIds.filter((tokenId) => !this.facts.has(tokenId)));
    const known = new Map<string, InstrumentFacts | null>();
    for (const tokenId of tokenIds) {
      const facts = this.facts.get(tokenId);
      if (facts !== undefined) known.set(tokenId, facts);
      else await this.#fetchFacts(tokenId, known);
    }
    return known;
  }

  async #load(tokenIds: readonly string[]): Promise<void> {
    if (tokenIds.length === 0) return;
    const rows = await this.#db
      .selectFrom('instrument')
      .selectAll()
      .where('token_id', '=', sql<string>`any(${tokenIds}::text[])`)
      .execute();
    for (const row of rows) this.#take(row);
  }

  /** A venue that does not answer is no reason to fail a release: unknown instruments pass. */
  async #fetchFacts(tokenId: string, known: Map<string, InstrumentFacts | null>): Promise<void> {
    try {
      const row = await ensureInstrument(this.#db, this.#market, tokenId);
      if (row !== null) this.#take(row);
      known.set(tokenId, row && instrumentFactsOf(row));
    } catch {
      known.delete(tokenId);
    }
  }

  #take(row: Omit<InstrumentRow, 'fee_schedule'>): void {
    this.facts.set(row.token_id, instrumentFactsOf(row));
    if (row.status === 'settled' && row.settlement_value !== null) this.settled.add(row.token_id);
    this.#seenUntilMs = Math.max(this.#seenUntilMs, Date.parse(row.updated_at));
  }
}
