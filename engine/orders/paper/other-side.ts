import type { Side } from '../../../db/entities/order.ts';
import type { OrderBook, Quote } from '../../../venues/port.ts';
import { exact } from '../../decimal.ts';
import type { Offer } from './match.ts';

/** The other side of the market at one moment, best first. `asOf` names the moment: the same offers, the same name. */
export type Offers = { levels: Offer[]; asOf: Date };

/** What a quote offers an order: its best price, if it shows one with a size. */
export function offersOfQuote(
  quote: Pick<Quote, 'ask' | 'askSize' | 'bid' | 'bidSize' | 'asOf'>,
  side: Side,
): Offers {
  const [price, size] = side === 'buy' ? [quote.ask, quote.askSize] : [quote.bid, quote.bidSize];
  return {
    levels: price === null || size === null ? [] : [{ price: exact(price), size: exact(size) }],
    asOf: new Date(quote.asOf),
  };
}

/** What a book offers an order: all of its other side. */
export function offersOfBook(book: Pick<OrderBook, 'asks' | 'bids' | 'asOf'>, side: Side): Offers {
  const levels = side === 'buy' ? book.asks : book.bids;
  return {
    levels: levels.map(({ price, size }) => ({ price: exact(price), size: exact(size) })),
    asOf: new Date(book.asOf),
  };
}
