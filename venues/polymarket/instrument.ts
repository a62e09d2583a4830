/** Polymarket tokens as instruments and quotes. Pure. */
import { listedAt } from '../catalogue.ts';
import { VenueError } from '../errors.ts';
import { trimmed, trimmedOrNull } from '../parse/decimal.ts';
import type { InstrumentInfo, Quote } from '../reads.ts';
import { instrumentStatusOf, outcomeIndexOf, settlementOf, topOfBook } from './normalize.ts';
import { contractOf, feeScheduleOf, ladderOf } from './terms.ts';
import type { WireOffers, WireStatus, WireTerms } from './wire.ts';

/** Shares trade in hundredths; an order that takes liquidity is at least 1 USD. */
const SHARE_STEP = '0.01';
const MIN_NOTIONAL = '1';

export function instrumentOf(
  tokenId: string,
  market: WireTerms,
  series: string | null = market.events,
): InstrumentInfo {
  const { orderPriceMinTickSize: tick, orderMinSize: minSize } = market;
  if (tick === null || Number(tick) <= 0) {
    throw VenueError.notFound(`venue B has no order book for token ${tokenId}`);
  }
  const index = outcomeIndexOf(market, tokenId);
  const tickSize = trimmed(tick);
  const feeSchedule = feeScheduleOf(market);
  const contract = contractOf(market);
  return {
    tokenId,
    ...listedAt('venue-b'),
    market: market.conditionId,
    series,
    outcome: market.outcomes[index] ?? '',
    title: market.question,
    ...(contract === null ? {} : { contract }),
    tickSize,
    priceRanges: [ladderOf(tick)],
    stepSize: SHARE_STEP,
    minSize: trimmed(minSize ?? SHARE_STEP),
    minNotional: MIN_NOTIONAL,
    feeSchedule,
    quoteCurrency: 'USDC',
    tradable: feeSchedule !== null && market.enableOrderBook === true,
    opensAt: market.startDate,
    closesAt: market.endDate,
    status: instrumentStatusOf(market),
    settlementValue: settlementOf(market, index),
  };
}

/** The quote of a token: prices from its book (none for closed markets), status from the record. */
export function quoteOf(
  tokenId: string,
  market: WireStatus,
  book: WireOffers | undefined,
  asOf: string,
): Quote {
  const top = book === undefined ? { bid: null, ask: null, isKnown: false } : topOfBook(book);
  return {
    tokenId,
    bid: trimmedOrNull(top.bid?.price),
    bidSize: trimmedOrNull(top.bid?.size),
    ask: trimmedOrNull(top.ask?.price),
    askSize: trimmedOrNull(top.ask?.size),
    ...(top.isKnown ? {} : { topOfBookUnknown: true }),
    last: trimmedOrNull(book?.last_trade_price),
    volume24h: trimmedOrNull(market.volume24hr),
    openInterest: null,
    change24h: null,
    asOf,
    marketStatus: instrumentStatusOf(market),
    settlementValue: settlementOf(market, outcomeIndexOf(market, tokenId)),
  };
}
