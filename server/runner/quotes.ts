import { sql } from 'kysely';
import type { MarketStatus } from '../../db/entities/market.ts';
import type { Db } from '../../db/tables.ts';
import type { Quote } from '../../engine/graph/types.ts';

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

/**
 * The stored quotes as the graph reads them, one map per process, kept current by what is newer than the last number
 * seen. Numbers rise in the order of commits (the feed sees to it), so nothing is passed over.
 */
export class QuoteCache {
  readonly byToken = new Map<string, Quote>();
  readonly #db: Db;
  #seq = '0';

  constructor(db: Db) {
    this.#db = db;
  }

  /** `toFeedTime` turns the database's time into the feed's. */
  async refresh(toFeedTime: (databaseMs: number) => number): Promise<void> {
    const { rows } = await sql<QuoteRow>`
      select q.token_id, q.bid, q.bid_size, q.ask, q.ask_size, q.last, q.volume24h, q.open_interest, q.change24h,
        q.market_status, i.settlement_value, q.as_of, q.seq
      from quote q left join instrument i on i.token_id = q.token_id
      where q.seq > ${this.#seq}::bigint order by q.seq`.execute(this.#db);
    for (const row of rows) this.byToken.set(row.token_id, quoteOf(row, toFeedTime));
    this.#seq = rows.at(-1)?.seq ?? this.#seq;
  }
}

const quoteOf = (row: QuoteRow, toFeedTime: (databaseMs: number) => number): Quote => ({
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
  asOf: toFeedTime(Date.parse(row.as_of)),
  seq: Number(row.seq),
});

const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));
