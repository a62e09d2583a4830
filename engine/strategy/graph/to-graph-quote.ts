/** Converts market data of venues for the graph: the same facts in doubles and epoch milliseconds. Pure. */
import type { OrderBook, Quote, BookLevel as VenueLevel } from '../../../venues/port.ts';
import type { Book, BookLevel, GraphQuote } from './types.ts';

/** A quote just requested has no number in the feed's order. */
export const toGraphQuote = (quote: Quote): GraphQuote => ({
  bid: numberOf(quote.bid),
  ask: numberOf(quote.ask),
  last: numberOf(quote.last),
  bidSize: numberOf(quote.bidSize),
  askSize: numberOf(quote.askSize),
  volume24h: numberOf(quote.volume24h),
  openInterest: numberOf(quote.openInterest),
  change24h: numberOf(quote.change24h),
  marketStatus: quote.marketStatus,
  settlementValue: numberOf(quote.settlementValue),
  asOf: Date.parse(quote.asOf),
  seq: 0,
});

export const toGraphBook = ({ bids, asks, asOf }: OrderBook): Book => ({
  bids: bids.map(levelOf),
  asks: asks.map(levelOf),
  asOf: Date.parse(asOf),
});

const levelOf = ({ price, size }: VenueLevel): BookLevel => ({ price: Number(price), size: Number(size) });

const numberOf = (decimal: string | null): number | null => (decimal === null ? null : Number(decimal));
