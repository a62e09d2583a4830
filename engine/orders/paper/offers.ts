import type { Venue } from '../../../db/columns.ts';
import type { Side } from '../../../db/entities/order.ts';
import { type MarketData, VenueError } from '../../../venues/port.ts';
import { exact } from '../../decimal.ts';
import type { Offer } from './match.ts';

/** What the paper venue needs to see of the real market. */
export type PaperMarketData = Pick<MarketData, 'now' | 'quotes' | 'orderBook' | 'closedCandles'>;

/** The other side of the market at one moment, best first. `asOf` names the moment: the same offers, the same name. */
export type Offers = { levels: Offer[]; asOf: Date };

/**
 * What an arriving order would meet: the whole book of venues A and B, the best quote and its size for crypto.
 *
 * @throws VenueError while the market cannot be seen.
 */
export async function offersFor(
  market: PaperMarketData,
  order: { tokenId: string; venue: Venue; side: Side },
): Promise<Offers> {
  if (order.venue === 'crypto') {
    const [quote] = await market.quotes([order.tokenId]);
    if (quote === undefined) throw VenueError.notFound(`There is no quote of ${order.tokenId}.`);
    const [price, size] = order.side === 'buy' ? [quote.ask, quote.askSize] : [quote.bid, quote.bidSize];
    return {
      levels: price === null || size === null ? [] : [{ price: exact(price), size: exact(size) }],
      asOf: new Date(quote.asOf),
    };
  }
  const book = await market.orderBook(order.tokenId);
  const levels = order.side === 'buy' ? book.asks : book.bids;
  return {
    levels: levels.map(({ price, size }) => ({ price: exact(price), size: exact(size) })),
    asOf: new Date(book.asOf),
  };
}
