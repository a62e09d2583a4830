import type { Liquidity, Side } from '../../../../db/vocabulary.ts';
import { type Exact, floorTo } from '../../../platform/decimal.ts';

/** What the other side of the market shows at one price. */
export type Offer = { price: Exact; size: Exact };

/** A trade. */
export type Execution = { price: Exact; amount: Exact };

export type PaperDemand = { side: Side; limitPrice: Exact; left: Exact };

/** A candle's part that a resting order may claim: we were not alone at that price. */
const CANDLE_SHARE = '0.1';

/** As much of a size as an order takes: all that it still wants, or less in whole steps. Venues trade no part of a step. */
const fillable = (left: Exact, size: Exact, stepSize: Exact): Exact =>
  size.gte(left) ? left : floorTo(size, stepSize);

/** Whether an order with this limit trades at `price`. */
export const reaches = (side: Side, limitPrice: Exact, price: Exact): boolean =>
  side === 'buy' ? price.lte(limitPrice) : price.gte(limitPrice);

/**
 * An arriving order takes the offers, best first, each at its own price, as far as its limit and their sizes go.
 */
export function takeOffers(demand: PaperDemand, offers: readonly Offer[], stepSize: Exact): Execution[] {
  const executions: Execution[] = [];
  let { left } = demand;
  for (const { price, size } of offers) {
    if (left.lte(0) || !reaches(demand.side, demand.limitPrice, price)) break;
    const amount = fillable(left, size, stepSize);
    if (amount.lte(0)) continue;
    executions.push({ price, amount });
    left = left.minus(amount);
  }
  return executions;
}

export type Meeting = Execution & { liquidity: Liquidity };

/**
 * A resting order is reached by an offer: it trades at the offer's price and no more than it shows. At its own limit it was
 * there first and is the maker; beyond it, nobody can tell who came first, so it pays as a taker.
 */
export function meetOffer(demand: PaperDemand, { price, size }: Offer, stepSize: Exact): Meeting | null {
  if (!reaches(demand.side, demand.limitPrice, price)) return null;
  const amount = fillable(demand.left, size, stepSize);
  return amount.lte(0) ? null : { price, amount, liquidity: liquidityAt(demand, price) };
}

const liquidityAt = ({ limitPrice }: PaperDemand, price: Exact): Liquidity =>
  price.eq(limitPrice) ? 'maker' : 'taker';

export type CandleRange = { low: Exact; high: Exact; volume: Exact };

/**
 * A resting order that a closed candle traded through, strictly: at the limit itself others may have been first. It trades
 * at its limit as maker, never better: the trade that went through reached the limit first. It takes a tenth of
 * the volume at most, of which the account has `used` some.
 */
export function meetCandle(
  demand: PaperDemand,
  { low, high, volume }: CandleRange,
  used: Exact,
  stepSize: Exact,
): Meeting | null {
  const { side, limitPrice, left } = demand;
  const isThrough = side === 'buy' ? low.lt(limitPrice) : high.gt(limitPrice);
  if (!isThrough) return null;
  const amount = fillable(left, volume.times(CANDLE_SHARE).minus(used), stepSize);
  if (amount.lte(0)) return null;
  return { price: limitPrice, amount, liquidity: 'maker' };
}

/** Price, then time: who bids more or asks less is first, then who came first. */
export function byPriority<Order extends { side: Side; limitPrice: Exact; placedAt: Date; id: string }>(
  a: Order,
  b: Order,
): number {
  const byPrice = a.side === 'buy' ? b.limitPrice.cmp(a.limitPrice) : a.limitPrice.cmp(b.limitPrice);
  if (byPrice !== 0) return byPrice;
  return a.placedAt.getTime() - b.placedAt.getTime() || (a.id < b.id ? -1 : 1);
}
