import type { Selectable } from 'kysely';
import type { Database } from '../../../db/tables.ts';
import { exact } from '../../platform/decimal.ts';

/** A quote with the mark that is stored beside it. */
export type MarkedQuote = Selectable<Database['quote']>;

/** A mark that fell to 0 this recently may be a book that empties for a moment. Seconds. */
export const MARK_FALL_GRACE_SEC = 10;

/** An open market must have had no bid for this long before its mark falls to 0. */
const NO_BID_GRACE_MS = 10_000;
/** A quote this much older than the newest is late. One that is older still comes from a clock that was wrong before. */
const LATE_MS = 30_000;

/** A quote before its mark is computed. */
export type NewQuote = Pick<MarkedQuote, 'bid' | 'ask' | 'touch_known' | 'market_status' | 'as_of'>;

/** The fields of a quote that are stored to value holdings. */
export type Mark = Pick<
  MarkedQuote,
  'mark_price' | 'mark_at' | 'no_bid_since' | 'mark_fell_at' | 'mark_before_fall' | 'seen_at'
>;

const NEVER_QUOTED: Mark = {
  mark_price: null,
  mark_at: null,
  no_bid_since: null,
  mark_fell_at: null,
  mark_before_fall: null,
  seen_at: null,
};

const msOf = (moment: string | null): number | null => (moment === null ? null : Date.parse(moment));

/**
 * Computes the mark after a quote: its best bid; 0 once an open market has had no bid for 10 s; the last known bid while the
 * market is not open or its top of book is unknown. The trigger `keep_mark` computes the same in the database.
 */
export function nextMark(quote: NewQuote, last: Mark = NEVER_QUOTED): Mark {
  const before = markIn(last);
  const asOfMs = Date.parse(quote.as_of);
  const seenMs = msOf(before.seen_at) ?? Number.NEGATIVE_INFINITY;
  if (asOfMs < seenMs && asOfMs > seenMs - LATE_MS) return before;
  const seen = { ...before, seen_at: quote.as_of };
  if (!quote.touch_known || isCrossed(quote)) return { ...seen, no_bid_since: null };
  if (quote.bid !== null && exact(quote.bid).gt(0)) {
    return {
      mark_price: quote.bid,
      mark_at: quote.as_of,
      no_bid_since: null,
      mark_fell_at: null,
      mark_before_fall: null,
      seen_at: quote.as_of,
    };
  }
  if (quote.market_status !== 'open') {
    return { ...seen, no_bid_since: null, ...(before.mark_price !== null && { mark_at: quote.as_of }) };
  }
  return withoutBid(before, seen, quote.as_of);
}

/** The mark alone, from a row that has more columns. */
const markIn = ({
  mark_price,
  mark_at,
  no_bid_since,
  mark_fell_at,
  mark_before_fall,
  seen_at,
}: Mark): Mark => ({
  mark_price,
  mark_at,
  no_bid_since,
  mark_fell_at,
  mark_before_fall,
  seen_at,
});

const isCrossed = ({ bid, ask }: NewQuote): boolean => bid !== null && ask !== null && exact(bid).gte(ask);

function withoutBid(before: Mark, seen: Mark, asOf: string): Mark {
  const asOfMs = Date.parse(asOf);
  const [sinceMs, seenMs] = [msOf(before.no_bid_since), msOf(before.seen_at)];
  const isNews =
    sinceMs === null || asOfMs < sinceMs || (seenMs !== null && asOfMs > seenMs + NO_BID_GRACE_MS);
  const updated = { ...seen, no_bid_since: isNews ? asOf : before.no_bid_since };
  const isZero = before.mark_price !== null && exact(before.mark_price).isZero();
  if (isNews || asOfMs < sinceMs + NO_BID_GRACE_MS) return isZero ? { ...updated, mark_at: asOf } : updated;
  const fallen = isZero ? {} : { mark_fell_at: asOf, mark_before_fall: before.mark_price };
  return { ...updated, ...fallen, mark_price: '0', mark_at: asOf };
}

/**
 * The mark that a day opens on. A mark that fell to 0 less than 10 s before `now` is replaced by the one before it. Null if
 * there was never a bid.
 */
export function steadyMarkOf(
  mark: Pick<Mark, 'mark_price' | 'mark_fell_at' | 'mark_before_fall'>,
  now: Date,
) {
  const fellMs = msOf(mark.mark_fell_at);
  const isUnsure = fellMs !== null && fellMs > now.getTime() - MARK_FALL_GRACE_SEC * 1_000;
  return isUnsure ? mark.mark_before_fall : mark.mark_price;
}
