import type { Side } from '../../../db/entities/order.ts';
import { Decimal, type Exact, floorTo, ZERO } from '../../decimal.ts';

/** What the other side of the market shows at one price. */
export type Offer = { price: Exact; size: Exact };

/** How much of each offer, by its price, this account's orders have taken already. */
export type Taken = ReadonlyMap<string, Exact>;

/** A trade: at which price, how much, and which offer it used up. */
export type Execution = { price: Exact; amount: Exact; offerPrice: Exact };

export type PaperDemand = { side: Side; limitPrice: Exact; left: Exact };

/** A candle's part that a resting order may claim: we were not alone at that price. */
const CANDLE_SHARE = '0.1';

/** Whether an order with this limit trades at `price`. */
export const reaches = (side: Side, limitPrice: Exact, price: Exact): boolean =>
  side === 'buy' ? price.lte(limitPrice) : price.gte(limitPrice);

/**
 * An arriving order takes the offers, best first, each at its own price, as far as its limit and their sizes go.
 * What earlier orders of the account took of the same offers is not there twice.
 */
export function takeOffers(demand: PaperDemand, offers: readonly Offer[], taken: Taken): Execution[] {
  const executions: Execution[] = [];
  let { left } = demand;
  for (const { price, size } of offers) {
    if (left.lte(0) || !reaches(demand.side, demand.limitPrice, price)) break;
    const amount = Decimal.min(left, available(price, size, taken));
    if (amount.lte(0)) continue;
    executions.push({ price, amount, offerPrice: price });
    left = left.minus(amount);
  }
  return executions;
}

/**
 * A resting order is reached by an offer at its limit or better: it trades at its own limit, because it was there
 * first, and no more than the offer shows.
 */
export function meetResting(demand: PaperDemand, offer: Offer, taken: Taken): Execution | null {
  if (!reaches(demand.side, demand.limitPrice, offer.price)) return null;
  const amount = Decimal.min(demand.left, available(offer.price, offer.size, taken));
  if (amount.lte(0)) return null;
  return { price: demand.limitPrice, amount, offerPrice: offer.price };
}

export type CandleRange = { low: Exact; high: Exact; volume: Exact };

/**
 * A resting order that a closed candle traded through, strictly: at the limit itself others may have been first. It
 * trades at its limit, and no more than a tenth of the candle's volume.
 */
export function meetCandle(
  demand: PaperDemand,
  candle: CandleRange,
  taken: Taken,
  stepSize: Exact,
): Execution | null {
  const { side, limitPrice, left } = demand;
  const isThrough = side === 'buy' ? candle.low.lt(limitPrice) : candle.high.gt(limitPrice);
  if (!isThrough) return null;
  const share = floorTo(candle.volume.times(CANDLE_SHARE), stepSize);
  const used = [...taken.values()].reduce((sum, amount) => sum.plus(amount), ZERO);
  const amount = Decimal.min(left, share.minus(used));
  if (amount.lte(0)) return null;
  return { price: limitPrice, amount, offerPrice: limitPrice };
}

const available = (price: Exact, size: Exact, taken: Taken): Exact =>
  size.minus(taken.get(price.toFixed()) ?? ZERO);

/** Price, then time: who bids more or asks less is first, then who came first. */
export function byPriority<Order extends { side: Side; limitPrice: Exact; placedAt: Date; id: string }>(
  a: Order,
  b: Order,
): number {
  const byPrice = a.side === 'buy' ? b.limitPrice.cmp(a.limitPrice) : a.limitPrice.cmp(b.limitPrice);
  if (byPrice !== 0) return byPrice;
  return a.placedAt.getTime() - b.placedAt.getTime() || (a.id < b.id ? -1 : 1);
}
