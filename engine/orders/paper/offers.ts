import type { Venue } from '../../../db/columns.ts';
import type { Side } from '../../../db/entities/order.ts';
import { type MarketData, VenueError } from '../../../venues/port.ts';
import { type Offers, offersOfBook, offersOfQuote } from './opposite-side.ts';

/** What the paper venue needs to see of the real market. */
export type PaperMarketData = Pick<MarketData, 'now' | 'quotes' | 'orderBook' | 'closedCandles'>;

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
    return offersOfQuote(quote, order.side);
  }
  return offersOfBook(await market.orderBook(order.tokenId), order.side);
}
