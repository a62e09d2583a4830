import type { Liquidity, Side } from '../../../db/vocabulary.ts';
import { Decimal, type Exact, floorTo } from '../../decimal.ts';

/** What the other side of the market shows at one price. */
export type Offer = { price: Exact; size: Exact };

/** A trade. */
export type Execution = { price: Exact; amount: Exact };

export type PaperDemand = { side: Side; limitPrice: Exact; left: Exact };

/** A candle's part that a resting order may claim: we were not alone at that price. */
const CANDLE_SHARE = '0.1';

/** Whether an order with this limit trades at `price`. */
export const reaches = (side: Side, limitPrice: Exact, price: Exact): boolean =>
  side === 'buy' ? price.lte(limitPrice) : price.gte(limitPrice);

/**
 * An arriving order takes the offers, best first, each at its own price, as far as its limit and their sizes go.
 */
export function takeOffers(demand: PaperDemand, offers: readonly Offer[]): Execution[] {
  const executions: Execution[] = [];
  let { left } = demand;
  for (const { price, size } of offers) {
    if (left.lte(0) || !reaches(demand.side, demand.limitPrice, price)) break;
    const amount = Decimal.min(left, size);
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
export function meetOffer(demand: PaperDemand, { price, size }: Offer): Meeting | null {
  if (!reaches(demand.side, demand.limitPrice, price)) return null;
  const amount = Decimal.min(demand.left, size);
  return amount.lte(0) ? null : { price, amount, liquidity: liquidityAt(demand, price) };
}

const liquidityAt = ({ limitPrice }: PaperDemand, price: Exact): Liquidity =>
  price.eq(limitPrice) ? 'maker' : 'taker';

export type CandleRange = { low: Exact; high: Exact; volume: Exact };

/**
 * A resting order that a closed candle traded through, strictly: at the limit itself others may have been first. It
 * trades at its limit, or, where the whole candle lay beyond that, at the candle's price nearest to it; and no more than
 * a tenth of the volume, of which the account has `used` some.
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
  const amount = Decimal.min(left, floorTo(volume.times(CANDLE_SHARE), stepSize).minus(used));
  if (amount.lte(0)) return null;
  const price = side === 'buy' ? Decimal.min(limitPrice, high) : Decimal.max(limitPrice, low);
  return { price, amount, liquidity: liquidityAt(demand, price) };
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
