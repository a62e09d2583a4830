import type { Side } from '../../../../db/vocabulary.ts';
import { Exact, ZERO } from '../../../platform/decimal.ts';
import { PRICING_QUOTE_MAX_AGE_MS } from '../settings.ts';
import { type Execution, isWithinLimit, type Offer } from './match-rules.ts';

/** A price that an account has taken from: the size last shown there, and the part left for the account. */
export type TakenLevel = { price: Exact; visible: Exact; left: Exact; seenAt: Date };

/** Levels of one side of a market that an account has taken from, by price. Other prices are absent. */
export type TakenLevels = ReadonlyMap<string, TakenLevel>;

/** A snapshot of the offers, best first: all of them, or only the best. */
export type OfferSnapshot = { offers: readonly Offer[]; isWhole: boolean; at: Date };

const keyOf = (price: Exact): string => price.toFixed();

/**
 * Updates what an account may still take, from a snapshot. If a level shows more than before, the increase is new. If it shows
 * less, others took it. If it is empty, every later size there is new. An unchanged level stays as it is. A snapshot older than
 * the stored level is ignored.
 */
export function updateLevels(side: Side, levels: TakenLevels, sight: OfferSnapshot): TakenLevels {
  if (levels.size === 0) return levels;
  return new Map(
    [...levels].map(([key, level]) => {
      const size = sight.at > level.seenAt ? sizeAt(side, sight, level.price) : null;
      const isNews = size !== null && !(size.eq(level.visible) && level.left.eq(level.visible));
      return [key, isNews ? { ...level, visible: size, left: leftOf(level, size), seenAt: sight.at } : level];
    }),
  );
}

const leftOf = ({ visible, left }: TakenLevel, size: Exact): Exact =>
  size.gt(visible) ? left.plus(size).minus(visible) : Exact.min(left, size);

/** Returns the size shown at a price; null if the snapshot does not cover it. */
function sizeAt(side: Side, { offers, isWhole }: OfferSnapshot, price: Exact): Exact | null {
  const offer = offers.find((each) => each.price.eq(price));
  if (offer !== undefined) return offer.size;
  const best = offers[0];
  const isSeen = isWhole || (best !== undefined && isWithinLimit(side, best.price, price));
  return isSeen ? ZERO : null;
}

/** Returns the offers, less what the account has taken of them. */
export function untakenOffers(levels: TakenLevels, offers: readonly Offer[]): readonly Offer[] {
  if (levels.size === 0) return offers;
  return offers.map(({ price, size }) => {
    const level = levels.get(keyOf(price));
    return { price, size: level === undefined ? size : Exact.min(level.left, size) };
  });
}

/** Drops full levels once no older snapshot can arrive. */
export function pruneLevels(before: TakenLevels, after: TakenLevels): TakenLevels {
  const updated = [...after].filter(([key, level]) => before.get(key) !== level);
  const newest = Math.max(...updated.map(([, { seenAt }]) => seenAt.getTime()));
  const isRetained = ({ left, visible, seenAt }: TakenLevel): boolean =>
    !left.eq(visible) || seenAt.getTime() >= newest - PRICING_QUOTE_MAX_AGE_MS;
  return updated.length === 0 ? after : new Map([...after].filter(([, level]) => isRetained(level)));
}

/** Records what was taken of the offers of a snapshot. */
export function takeFromLevels(
  levels: TakenLevels,
  { offers, at }: OfferSnapshot,
  executions: readonly Execution[],
): TakenLevels {
  const after = new Map(levels);
  for (const { price, amount } of executions) {
    const level = after.get(keyOf(price));
    const visible = offers.find((offer) => offer.price.eq(price))?.size ?? amount;
    const { left } = level ?? { left: visible };
    after.set(keyOf(price), { price, visible, seenAt: at, ...level, left: left.minus(amount) });
  }
  return after;
}
