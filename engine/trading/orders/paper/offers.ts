import type { InstrumentKind, Side } from '../../../../db/vocabulary.ts';
import { type MarketData, VenueError } from '../../../../venues/port.ts';
import { KIND_RULES } from '../../../platform/instruments/kinds.ts';
import { type Offers, offersOfBook, offersOfQuote } from './opposite-side.ts';

/** Market data that the paper venue needs. */
export type PaperMarketData = Pick<MarketData, 'now' | 'quotes' | 'orderBook' | 'closedCandles'>;

/**
 * Returns the offers for an arriving order: the whole book, or the best quote with its size, by the kind of instrument.
 *
 * @throws VenueError while there is no market data.
 */
export async function offersFor(
  market: PaperMarketData,
  order: { tokenId: string; side: Side },
  kind: InstrumentKind,
): Promise<Offers> {
  if (KIND_RULES[kind].paperOffers === 'quote') {
    const [quote] = await market.quotes([order.tokenId]);
    if (quote === undefined) throw VenueError.notFound(`There is no quote of ${order.tokenId}.`);
    return offersOfQuote(quote, order.side);
  }
  return offersOfBook(await market.orderBook(order.tokenId), order.side);
}
