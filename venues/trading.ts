/** The methods of each connector for the feed, the brokers and the engine, and their shared helpers. */
import { VenueError } from './errors.ts';
import type { BookLevel, InstrumentInfo, OrderBook, Quote } from './reads.ts';

/** One venue's part of the port, for tokens of that venue only. */
export type Trading = {
  /** Throws `not_found` if the venue does not know the token. */
  instrument(tokenId: string): Promise<InstrumentInfo>;
  quotes(tokenIds: readonly string[]): Promise<Quote[]>;
  orderBook(tokenId: string): Promise<OrderBook>;
};

/** Currencies that count as US dollars; instruments quoted in another are data only. */
export const DOLLARS: readonly string[] = ['USD', 'USDT', 'USDC'];
export const isDollar = (currency: string): boolean => DOLLARS.includes(currency);

/** Whether a currency counts as dollars one to one at a venue: quote currencies, and the collateral of venue B. */
export const isMoney = (currency: string): boolean => isDollar(currency) || currency === 'pUSD';

type Sides = Pick<OrderBook, 'bids' | 'asks'>;

/** Bids from the highest, asks from the lowest, without empty levels, for input in any order. */
export function bestFirst(bids: readonly BookLevel[], asks: readonly BookLevel[]): Sides {
  const filled = ({ size }: BookLevel) => Number(size) > 0;
  return {
    bids: bids.filter(filled).sort((a, b) => Number(b.price) - Number(a.price)),
    asks: asks.filter(filled).sort((a, b) => Number(a.price) - Number(b.price)),
  };
}

/** An ask at or below a bid: a glitch of the venue, not a market. */
export function isCrossed({ bids: [bid], asks: [ask] }: Sides): boolean {
  return bid !== undefined && ask !== undefined && Number(bid.price) >= Number(ask.price);
}

/** {@link bestFirst}, but a crossed book is refused. */
export function levelsBestFirst(bids: readonly BookLevel[], asks: readonly BookLevel[]): Sides {
  const sides = bestFirst(bids, asks);
  if (isCrossed(sides)) throw VenueError.unavailable('the venue sent a crossed order book');
  return sides;
}

/** Splits a list into pieces of at most `size`. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const pieces: T[][] = [];
  for (let start = 0; start < items.length; start += size) pieces.push(items.slice(start, start + size));
  return pieces;
}
