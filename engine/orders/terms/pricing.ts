import type { Venue } from '../../../db/columns.ts';
import type { Side } from '../../../db/entities/order.ts';
import { Decimal, type Exact, floorTo, toMoney, ZERO } from '../../decimal.ts';
import { endsOf, onLadder, type PriceLadder } from '../../price-ladder.ts';

/**
 * The price band of a market order: the quote it would trade at, moved by the slippage cap against us, on the ladder.
 * Slippage is USD per contract for predictions, whose prices stay inside 0 and 1, and a fraction for crypto.
 */
export function priceBand(order: {
  venue: Venue;
  side: Side;
  /** The ask for a buy, the bid for a sell. */
  quoted: Exact;
  slippage: Exact;
  ladder: PriceLadder;
}): Exact {
  const { venue, side, quoted, slippage, ladder } = order;
  const distance = venue === 'crypto' ? quoted.times(slippage) : slippage;
  const moved = onLadder(side, side === 'buy' ? quoted.plus(distance) : quoted.minus(distance), ladder);
  if (venue === 'crypto') return Decimal.max(moved, ladder.tickSize);
  const { lowest, highest } = endsOf(ladder);
  return Decimal.min(Decimal.max(moved, lowest), highest);
}

/** Notional the rules judge, USD: amount times limit, for a sell times the best bid where that is higher. */
export function orderSize(side: Side, amount: Exact, limitPrice: Exact, bid: Exact | null): Exact {
  const price = side === 'sell' ? Decimal.max(limitPrice, bid ?? ZERO) : limitPrice;
  return toMoney(amount.times(price));
}

export type SizeLimits = { stepSize: Exact; minSize: Exact; minNotional: Exact };

/** Why the venue would not take this little, or null. `price` is what the order is expected to trade at. */
export function tooSmall(amount: Exact, price: Exact, limits: SizeLimits): string | null {
  if (amount.lte(0)) return `The amount rounds down to 0: the venue's step is ${limits.stepSize.toFixed()}.`;
  if (amount.lt(limits.minSize)) {
    return `The amount ${amount.toFixed()} is below the venue's minimum of ${limits.minSize.toFixed()}.`;
  }
  const notional = amount.times(price);
  if (notional.lt(limits.minNotional)) {
    return `The order's ${notional.toFixed()} USD are below the venue's minimum of ${limits.minNotional.toFixed()} USD.`;
  }
  return null;
}

/** Whether `amount` is a multiple of the venue's step. */
export const isOnStep = (amount: Exact, stepSize: Exact): boolean => floorTo(amount, stepSize).eq(amount);
