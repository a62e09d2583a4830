import type { InstrumentKind } from '../../../db/vocabulary.ts';
import { Exact, exact } from '../decimal.ts';
import { type PriceLadder, probabilityPriceBounds } from './price-ladder.ts';

/** Rules that depend on the kind of instrument, whichever venue lists it. */
type KindRules = {
  /** The allowed prices of an order, in words. */
  readonly priceRange: string;
  isPrice(price: Exact): boolean;
  /** Returns the nearest price of the ladder that an order may name. */
  nearestPrice(price: Exact, ladder: PriceLadder): Exact;
  /** USD. Returns how far from a quoted price this slippage may go. */
  slippageDistance(quoted: Exact, slippage: Exact): Exact;
  /** USD. The most one unit can ever pay out; null if unbounded. */
  readonly payoutMax: Exact | null;
  /** The part of the real market that an order meets when it arrives at the paper venue. */
  readonly paperOffers: 'book' | 'quote';
  /** Whether its venues have candles: a resting order at the paper venue meets the trades between two quotes by them. */
  readonly hasCandles: boolean;
};

export const KIND_RULES: Readonly<Record<InstrumentKind, KindRules>> = {
  /** A probability: never 0, never 1. Slippage is USD per contract. */
  outcome: {
    priceRange: 'between 0 and 1',
    isPrice: (price) => price.gt(0) && price.lt(1),
    nearestPrice: (price, ladder) => {
      const { lowest, highest } = probabilityPriceBounds(ladder);
      return Exact.min(Exact.max(price, lowest), highest);
    },
    slippageDistance: (_quoted, slippage) => slippage,
    payoutMax: exact(1),
    paperOffers: 'book',
    hasCandles: false,
  },
  /** A coin: any price above 0. Slippage is a fraction of the price. */
  spot: {
    priceRange: 'above 0',
    isPrice: (price) => price.gt(0),
    nearestPrice: (price, { tickSize }) => Exact.max(price, exact(tickSize)),
    slippageDistance: (quoted, slippage) => quoted.times(slippage),
    payoutMax: null,
    paperOffers: 'quote',
    hasCandles: true,
  },
};
