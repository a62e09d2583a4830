import type { MarketData } from '../../../../venues/port.ts';
import { isFresh } from '../../../platform/clock/freshness.ts';
import type { Work } from '../../../platform/context.ts';
import type { Market } from '../row.ts';
import { PRICING_QUOTE_MAX_AGE_MS } from '../settings.ts';
import { freshInstrument } from './instruments.ts';
import { readMarket } from './read-market.ts';

/** Reads an instrument and its quote. The feed quotes instruments in use; others are asked of their venue. */
export async function fetchMarket(
  work: Work,
  marketData: Pick<MarketData, 'instrument' | 'quotes'>,
  tokenId: string,
  now: Date,
): Promise<Market> {
  await freshInstrument(work.db, marketData, tokenId);
  const market = await readMarket(work, tokenId);
  const { quote } = market;
  if (quote !== null && isFresh(Date.parse(quote.as_of), now.getTime(), PRICING_QUOTE_MAX_AGE_MS))
    return market;
  const [venueQuote] = await marketData.quotes([tokenId]);
  if (venueQuote === undefined) return market;
  return {
    ...market,
    quote: {
      token_id: tokenId,
      bid: venueQuote.bid,
      bid_size: venueQuote.bidSize,
      ask: venueQuote.ask,
      ask_size: venueQuote.askSize,
      last: venueQuote.last,
      market_status: venueQuote.marketStatus,
      as_of: now.toISOString(),
    },
  };
}
