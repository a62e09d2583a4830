/** Kalshi markets as instruments. Pure. */
import { listedAt } from '../catalogue.ts';
import type { FeeSchedule, InstrumentInfo } from '../reads.ts';
import {
  COUNT_STEP,
  coarsestStep,
  instrumentStatusOf,
  priceRangesOf,
  type Side,
  settlementOf,
  titleOf,
} from './normalize.ts';
import type { WireEvent, WireTerms } from './wire.ts';

type Listed = {
  readonly market: WireTerms;
  readonly side: Side;
  readonly event: WireEvent | null;
  readonly feeSchedule: FeeSchedule | null;
  readonly series: string | null;
};

/** One side of a market. */
export function instrumentOf({ market, side, event, feeSchedule, series }: Listed): InstrumentInfo {
  const priceRanges = priceRangesOf(market, side);
  return {
    tokenId: `${market.ticker}:${side}`,
    ...listedAt('venue-a'),
    market: market.ticker,
    series,
    outcome: side,
    title: titleOf(market, event),
    tickSize: coarsestStep(priceRanges),
    priceRanges,
    stepSize: COUNT_STEP,
    minSize: COUNT_STEP,
    minNotional: null,
    feeSchedule,
    quoteCurrency: 'USD',
    tradable: feeSchedule !== null,
    opensAt: market.open_time,
    closesAt: market.close_time,
    status: instrumentStatusOf(market),
    settlementValue: settlementOf(market, side),
  };
}
