import { z } from 'zod';
import type { Json } from '../../../db/json.ts';
import { type PriceRange, tickAt } from '../../../venues/port.ts';
import { ceilTo, Exact, exact, floorTo, ZERO } from '../decimal.ts';

const Price = z.string().regex(/^\d+(\.\d+)?$/);
const Ranges = z.array(z.object({ start: Price, end: Price, step: Price }));

/** The prices of an instrument: its ranges, ascending, or multiples of one tick if it has none. */
export type PriceLadder = { readonly tickSize: string; readonly priceRanges: readonly PriceRange[] };

/** Parses the ladder stored with an instrument. Throws on anything else: a price is never guessed. */
export const ladderOf = (stored: { tick_size: string; price_ranges: Json }): PriceLadder => ({
  tickSize: stored.tick_size,
  priceRanges: rangesOf(stored.price_ranges),
});

/** Cache of parsed ranges, by the stored value. */
const readRanges = new WeakMap<object, readonly PriceRange[]>();

function rangesOf(stored: Json): readonly PriceRange[] {
  if (!Array.isArray(stored)) return Ranges.parse(stored);
  const ranges = readRanges.get(stored) ?? Ranges.parse(stored);
  readRanges.set(stored, ranges);
  return ranges;
}

/**
 * Rounds to the ladder, never to a worse price for us than `price`: a buy rounds down, a sell up. A buy below the lowest price
 * is 0; a sell above the highest is the next multiple of the tick. Neither can be ordered.
 */
export function roundToLadder(side: 'buy' | 'sell', price: Exact, ladder: PriceLadder): Exact {
  return side === 'buy' ? floorOn(price, ladder) : ceilOn(price, ladder);
}

export const isOnLadder = (price: Exact, ladder: PriceLadder): boolean => floorOn(price, ladder).eq(price);

/** The tick of the prices around `price`, for people to read. */
export const tickOf = ({ tickSize, priceRanges }: PriceLadder, price: Exact): string =>
  exact(tickAt({ tickSize, priceRanges: [...priceRanges] }, price.toFixed())).toFixed();

/** The lowest and the highest price of a probability, which lies between 0 and 1 and is neither. */
export function probabilityPriceBounds(ladder: PriceLadder): { lowest: Exact; highest: Exact } {
  const { tickSize, priceRanges } = ladder;
  const [bottom, top] = [ceilOn(ZERO, ladder), floorOn(exact(1), ladder)];
  return {
    lowest: bottom.gt(0) ? bottom : bottom.plus(priceRanges[0]?.step ?? tickSize),
    highest: top.lt(1) ? top : top.minus(priceRanges.at(-1)?.step ?? tickSize),
  };
}

function floorOn(price: Exact, { tickSize, priceRanges }: PriceLadder): Exact {
  if (priceRanges.length === 0) return floorTo(price, exact(tickSize));
  const range = priceRanges.findLast(({ start }) => price.gte(start));
  if (range === undefined) return ZERO;
  const inside = Exact.min(price, range.end).minus(range.start);
  return floorTo(inside, exact(range.step)).plus(range.start);
}

function ceilOn(price: Exact, { tickSize, priceRanges }: PriceLadder): Exact {
  for (const { start, end, step } of priceRanges) {
    const inside = Exact.max(price.minus(start), ZERO);
    const found = ceilTo(inside, exact(step)).plus(start);
    if (found.lte(end)) return found;
  }
  return ceilTo(price, exact(tickSize));
}
