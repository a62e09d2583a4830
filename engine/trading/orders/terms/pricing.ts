import type { InstrumentKind, Side } from '../../../../db/vocabulary.ts';
import { Exact, exact, ZERO } from '../../../platform/decimal.ts';
import { KIND_RULES } from '../../../platform/instruments/kinds.ts';
import { type Lot, shortfallOf } from '../../../platform/instruments/lot.ts';
import { type PriceLadder, roundToLadder, tickOf } from '../../../platform/instruments/price-ladder.ts';
import { valueAt } from '../../../platform/valuation.ts';

/** Computes the price band of a market order: the quote it would trade at, moved by the slippage against us, on the ladder. */
export function priceBand(order: {
  kind: InstrumentKind;
  side: Side;
  /** The ask for a buy, the bid for a sell. */
  quoted: Exact;
  slippage: Exact;
  ladder: PriceLadder;
  /** A live entry: its band is at most 2 % of the quote or two ticks wide, regardless of the slippage. */
  isLiveEntry?: boolean;
}): Exact {
  const { kind, side, quoted, slippage, ladder, isLiveEntry = false } = order;
  const bySlippage = KIND_RULES[kind].slippageDistance(quoted, slippage);
  const distance = isLiveEntry ? Exact.min(bySlippage, liveBandOf(quoted, ladder)) : bySlippage;
  const moved = side === 'buy' ? quoted.plus(distance) : quoted.minus(distance);
  return KIND_RULES[kind].nearestPrice(roundToLadder(side, moved, ladder), ladder);
}

const LIVE_BAND = exact('0.02');

/** USD. Maximum distance of a live entry from the quote: 2 % of it, or two ticks if that is more. */
const liveBandOf = (quoted: Exact, ladder: PriceLadder): Exact =>
  Exact.max(quoted.times(LIVE_BAND), exact(tickOf(ladder, quoted)).times(2));

/** Returns the notional that the rules check, USD: amount times limit, for a sell times the best bid if that is higher. */
export function orderNotional(side: Side, amount: Exact, limitPrice: Exact, bid: Exact | null): Exact {
  const price = side === 'sell' ? Exact.max(limitPrice, bid ?? ZERO) : limitPrice;
  return valueAt(amount, price);
}

/** Returns why the amount is too small for the venue, or null. `price` is the expected price of the order. */
export function whyTooSmall(amount: Exact, price: Exact | null, lot: Lot): string | null {
  const shortfall = shortfallOf(amount, price, lot);
  switch (shortfall?.of) {
    case undefined:
      return null;
    case 'step':
      return `The amount rounds down to 0: the venue's step is ${exact(lot.stepSize).toFixed()}.`;
    case 'size':
      return `The amount ${amount.toFixed()} is below the venue's minimum of ${exact(lot.minSize).toFixed()}.`;
    case 'notional':
      return `The order's ${shortfall.notional.toFixed()} USD are below the venue's minimum of ${shortfall.minNotional.toFixed()} USD.`;
  }
}
