import type { Side } from '../../../../db/vocabulary.ts';
import type { OrderBook, Quote } from '../../../../venues/port.ts';
import { exact } from '../../../platform/decimal.ts';
import type { Offer } from './match-rules.ts';

/** The other side of the market, best first: all of it, or only the best. `asOf` is the feed's time. */
export type Offers = { levels: Offer[]; isWhole: boolean; asOf: Date };

/** Returns the offers of a quote for an order: its best price, if it has one with a size. */
export function offersOfQuote(
  quote: Pick<Quote, 'ask' | 'askSize' | 'bid' | 'bidSize' | 'asOf'>,
  side: Side,
): Offers {
  const [price, size] = side === 'buy' ? [quote.ask, quote.askSize] : [quote.bid, quote.bidSize];
  return { levels: bestLevel(price, size), isWhole: false, asOf: new Date(quote.asOf) };
}

/** Returns the best price as the only level of a quote. */
export const bestLevel = (price: string | null, size: string | null): Offer[] =>
  price === null || size === null ? [] : [{ price: exact(price), size: exact(size) }];

/** Returns the offers of a book for an order: its whole other side, one level a price. */
export function offersOfBook(book: Pick<OrderBook, 'asks' | 'bids' | 'asOf'>, side: Side): Offers {
  const levels: Offer[] = [];
  for (const { price, size } of side === 'buy' ? book.asks : book.bids) {
    const before = levels.at(-1);
    if (before?.price.eq(price)) before.size = before.size.plus(size);
    else levels.push({ price: exact(price), size: exact(size) });
  }
  return { levels, isWhole: true, asOf: new Date(book.asOf) };
}
