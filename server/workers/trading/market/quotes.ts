import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type { MarketStatus } from '../../../../db/vocabulary.ts';
import { FUTURE_MAX_MS } from '../../../../engine/platform/clock/freshness.ts';
import type { GraphQuote } from '../../../../engine/strategy/graph/types.ts';
import { QuoteCursor } from './quote-cursor.ts';

type QuoteRow = {
  token_id: string;
  bid: string | null;
  bid_size: string | null;
  ask: string | null;
  ask_size: string | null;
  last: string | null;
  volume24h: string | null;
  open_interest: string | null;
  change24h: string | null;
  market_status: MarketStatus;
  settlement_value: string | null;
  as_of: string;
  seq: string;
};

type Known = { quote: GraphQuote; databaseMs: number };

/** The database's time now, and its conversion to feed time. */
type Times = { databaseNow(): number; toFeed(databaseMs: number): number };

/**
 * The stored quotes as the graph reads them, one map per process, updated from the last number read. Numbers rise in the order
 * of commits (the feed ensures it), so no quote is skipped.
 */
export class QuoteCache {
  /** Quotes for decisions: none with a future time. */
  readonly byToken = new Map<string, GraphQuote>();
  readonly #known = new Map<string, Known>();
  readonly #db: Db;
  readonly #cursor: QuoteCursor;

  constructor(db: Db) {
    this.#db = db;
    this.#cursor = new QuoteCursor(db);
  }

  /** Increases whenever the database was rolled back. */
  get generation(): number {
    return this.#cursor.generation;
  }

  async refresh(times: Times): Promise<void> {
    const { seq, isFromStart } = await this.#cursor.locate();
    const rows = await quotesAfter(this.#db, seq);
    if (isFromStart) this.#known.clear();
    for (const row of rows) {
      const databaseMs = Date.parse(row.as_of);
      this.#known.set(row.token_id, { quote: quoteOf(row, databaseMs), databaseMs });
    }
    this.#cursor.markRead(rows.at(-1)?.seq ?? seq);
    this.#show(times);
  }

  /** Converts times at every refresh, because the feed's clock may be faster: a time converted once would age too quickly. */
  #show(times: Times): void {
    const nowMs = times.databaseNow();
    this.byToken.clear();
    for (const [tokenId, { quote, databaseMs }] of this.#known) {
      if (databaseMs - nowMs > FUTURE_MAX_MS) continue;
      const asOf = times.toFeed(databaseMs);
      this.byToken.set(tokenId, asOf === quote.asOf ? quote : { ...quote, asOf });
    }
  }
}

async function quotesAfter(db: Db, seq: string): Promise<QuoteRow[]> {
  const { rows } = await sql<QuoteRow>`
    select q.token_id, q.bid, q.bid_size, q.ask, q.ask_size, q.last, q.volume24h, q.open_interest, q.change24h,
      q.market_status, i.settlement_value, q.as_of, q.seq
    from quote q left join instrument i on i.token_id = q.token_id
    where q.seq > ${seq}::bigint order by q.seq`.execute(db);
  return rows;
}

const quoteOf = (row: QuoteRow, asOf: number): GraphQuote => ({
  bid: numberOf(row.bid),
  ask: numberOf(row.ask),
  last: numberOf(row.last),
  bidSize: numberOf(row.bid_size),
  askSize: numberOf(row.ask_size),
  volume24h: numberOf(row.volume24h),
  openInterest: numberOf(row.open_interest),
  change24h: numberOf(row.change24h),
  marketStatus: row.market_status,
  settlementValue: numberOf(row.settlement_value),
  asOf,
  seq: Number(row.seq),
});

const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));
