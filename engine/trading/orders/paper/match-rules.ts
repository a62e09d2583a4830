import type { Liquidity, Side } from '../../../../db/vocabulary.ts';
import { type Exact, floorTo } from '../../../platform/decimal.ts';

/** Size offered on the other side of the market at one price. */
export type Offer = { price: Exact; size: Exact };

/** A trade. */
export type Execution = { price: Exact; amount: Exact };

export type PaperDemand = { side: Side; limitPrice: Exact; left: Exact };

/** Fraction of a candle's volume that resting orders may take: other orders rest at that price too. */
const CANDLE_SHARE = '0.1';

/** Returns how much of a size an order takes: its whole rest, or less in whole steps. Venues trade no part of a step. */
const fillable = (left: Exact, size: Exact, stepSize: Exact): Exact =>
  size.gte(left) ? left : floorTo(size, stepSize);

/** Whether an order with this limit trades at `price`. */
export const isWithinLimit = (side: Side, limitPrice: Exact, price: Exact): boolean =>
  side === 'buy' ? price.lte(limitPrice) : price.gte(limitPrice);

/** Executes an arriving order against the offers, best first, each at its own price, within its limit and their sizes. */
export function takeOffers(demand: PaperDemand, offers: readonly Offer[], stepSize: Exact): Execution[] {
  const executions: Execution[] = [];
  let { left } = demand;
  for (const { price, size } of offers) {
    if (left.lte(0) || !isWithinLimit(demand.side, demand.limitPrice, price)) break;
    const amount = fillable(left, size, stepSize);
    if (amount.lte(0)) continue;
    executions.push({ price, amount });
    left = left.minus(amount);
  }
  return executions;
}

export type Match = Execution & { liquidity: Liquidity };

/**
 * Matches a resting order with an offer: it trades at the offer's price, at most the offer's size. At its own limit it was
 * first and is the maker. Beyond the limit the sequence is unknown, so it pays the taker fee.
 */
export function matchOffer(demand: PaperDemand, { price, size }: Offer, stepSize: Exact): Match | null {
  if (!isWithinLimit(demand.side, demand.limitPrice, price)) return null;
  const amount = fillable(demand.left, size, stepSize);
  return amount.lte(0) ? null : { price, amount, liquidity: liquidityAt(demand, price) };
}

const liquidityAt = ({ limitPrice }: PaperDemand, price: Exact): Liquidity =>
  price.eq(limitPrice) ? 'maker' : 'taker';

export type CandleRange = { low: Exact; high: Exact; volume: Exact };

/**
 * Matches a resting order with a closed candle that traded strictly through its limit: at the limit itself others may have been
 * first. It trades at its limit as maker, never better, because the price reached the limit first. It takes at most a tenth of
 * the volume, less what the account has `used`.
 */
export function matchCandle(
  demand: PaperDemand,
  { low, high, volume }: CandleRange,
  used: Exact,
  stepSize: Exact,
): Match | null {
  const { side, limitPrice, left } = demand;
  const isThrough = side === 'buy' ? low.lt(limitPrice) : high.gt(limitPrice);
  if (!isThrough) return null;
  const amount = fillable(left, volume.times(CANDLE_SHARE).minus(used), stepSize);
  if (amount.lte(0)) return null;
  return { price: limitPrice, amount, liquidity: 'maker' };
}

/** Compares by price, then time: the higher bid or lower ask is first, then the earlier order. */
export function byPriority<Order extends { side: Side; limitPrice: Exact; placedAt: Date; id: string }>(
  a: Order,
  b: Order,
): number {
  const byPrice = a.side === 'buy' ? b.limitPrice.cmp(a.limitPrice) : a.limitPrice.cmp(b.limitPrice);
  if (byPrice !== 0) return byPrice;
  return a.placedAt.getTime() - b.placedAt.getTime() || (a.id < b.id ? -1 : 1);
}
