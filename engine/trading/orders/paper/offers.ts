import type { InstrumentKind, Side } from '../../../../db/vocabulary.ts';
import { type MarketData, VenueError } from '../../../../venues/port.ts';
import { KINDS } from '../../../platform/instruments/kinds.ts';
import { type Offers, offersOfBook, offersOfQuote } from './opposite-side.ts';

/** What the paper venue needs to see of the real market. */
export type PaperMarketData = Pick<MarketData, 'now' | 'quotes' | 'orderBook' | 'closedCandles'>;

/**
 * What an arriving order would meet: the whole book, or the best quote and its size, as the kind of instrument has it.
 *
 * @throws VenueError while the market cannot be seen.
 */
export async function offersFor(
  market: PaperMarketData,
  order: { tokenId: string; side: Side },
  kind: InstrumentKind,
): Promise<Offers> {
  if (KINDS[kind].paperOffers === 'quote') {
    const [quote] = await market.quotes([order.tokenId]);
    if (quote === undefined) throw VenueError.notFound(`There is no quote of ${order.tokenId}.`);
    return offersOfQuote(quote, order.side);
  }
  return offersOfBook(await market.orderBook(order.tokenId), order.side);
}
