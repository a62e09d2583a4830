import type { Side } from '../../../../db/vocabulary.ts';
import { Decimal, type Exact, ZERO } from '../../../platform/decimal.ts';
import { PRICING_QUOTE_MAX_AGE_MS } from '../settings.ts';
import { type Execution, type Offer, reaches } from './match.ts';

/** A price an account has taken from: what was shown there last, and how much of it is left for the account. */
export type Level = { price: Exact; shown: Exact; left: Exact; seenAt: Date };

/** What an account remembers of one side of a market, by price. What it never took from is not there. */
export type Levels = ReadonlyMap<string, Level>;

/** One look at the offers, best first: all there are, or only the best. */
export type Sight = { offers: readonly Offer[]; isWhole: boolean; at: Date };

const keyOf = (price: Exact): string => price.toFixed();

/**
 * What an account may still take after a look. Where more is shown than the last time, what is more is new; where less is
 * shown, others were faster; where nothing is shown any more, whatever comes there next is new. What stands as it
 * stood is what it was, however often it is looked at. A look that is older than what is remembered teaches nothing.
 */
export function look(side: Side, levels: Levels, sight: Sight): Levels {
  return new Map(
    [...levels].map(([key, level]) => {
      const size = sight.at > level.seenAt ? sizeAt(side, sight, level.price) : null;
      const isNews = size !== null && !(size.eq(level.shown) && level.left.eq(level.shown));
      return [key, isNews ? { ...level, shown: size, left: leftOf(level, size), seenAt: sight.at } : level];
    }),
  );
}

const leftOf = ({ shown, left }: Level, size: Exact): Exact =>
  size.gt(shown) ? left.plus(size).minus(shown) : Decimal.min(left, size);

/** What is shown at a price; null where the look does not reach. */
function sizeAt(side: Side, { offers, isWhole }: Sight, price: Exact): Exact | null {
  const offer = offers.find((shown) => shown.price.eq(price));
  if (offer !== undefined) return offer.size;
  const best = offers[0];
  const isSeen = isWhole || (best !== undefined && reaches(side, best.price, price));
  return isSeen ? ZERO : null;
}

/** The offers, less what the account has had of them. */
export const untaken = (levels: Levels, offers: readonly Offer[]): Offer[] =>
  offers.map(({ price, size }) => {
    const level = levels.get(keyOf(price));
    return { price, size: level === undefined ? size : Decimal.min(level.left, size) };
  });

/** What of them is remembered: what nothing is missing from is forgotten once no older look can come. */
export function forget(before: Levels, after: Levels): Levels {
  const looks = [...after].filter(([key, level]) => before.get(key) !== level);
  const newest = Math.max(...looks.map(([, { seenAt }]) => seenAt.getTime()));
  const isKept = ({ left, shown, seenAt }: Level): boolean =>
    !left.eq(shown) || seenAt.getTime() >= newest - PRICING_QUOTE_MAX_AGE_MS;
  return looks.length === 0 ? after : new Map([...after].filter(([, level]) => isKept(level)));
}

/** Remembers what was taken of the offers of a look. */
export function take(levels: Levels, { offers, at }: Sight, executions: readonly Execution[]): Levels {
  const after = new Map(levels);
  for (const { price, amount } of executions) {
    const level = after.get(keyOf(price));
    const shown = offers.find((offer) => offer.price.eq(price))?.size ?? amount;
    const { left } = level ?? { left: shown };
    after.set(keyOf(price), { price, shown, seenAt: at, ...level, left: left.minus(amount) });
  }
  return after;
}
