/** The properties of simulated markets that Kalshi's trading needs. */
import { Decimal } from 'decimal.js';
import { SECOND_MS } from '../../../venues/time.ts';
import { bookRecord, gridOf, shardOf } from '../../kalshi-records.ts';
import { phaseOf, resolvedYes, type SimMarket } from '../../world/event.ts';
import type { Catalogue } from '../../world/event-series.ts';
import type { Rules } from '../exchange.ts';
import type { Level, WorldBook } from '../orders.ts';

/** After the close no order can be canceled; the venue ends them itself after this time. */
const CLOSE_LAG_MS = 3 * SECOND_MS;

/** The asset name of an account's dollars on a shard. */
export const cashOf = (shard: number): string => `USD/${shard}`;
export const cashOfMarket = (market: SimMarket): string => cashOf(shardOf(market.event));

const level = ([price = '', size = '']: readonly string[]): Level => ({
  price: new Decimal(price),
  size: new Decimal(size),
});
const mirrored = ({ price, size }: Level): Level => ({ price: new Decimal(1).minus(price), size });

/** The book that market data shows, as bids and asks of yes. */
export function worldBook(market: SimMarket, tickMs: number): WorldBook | null {
  if (phaseOf(market.event, tickMs) !== 'open') return null;
  const { yes_dollars: yes, no_dollars: no } = bookRecord(market, 0, tickMs).orderbook_fp;
  return { bids: yes.map(level).reverse(), asks: no.map(level).map(mirrored).reverse() };
}

/** The reason why an order cannot rest on a market; null if it can. */
export function whyOrderCannotRest(market: SimMarket | null, tickMs: number): string | null {
  if (market === null) return 'closed';
  return tickMs >= market.event.closesMs + CLOSE_LAG_MS ? 'closed' : null;
}

export const marketRules = (catalogue: Catalogue): Pick<Rules, 'bookAt' | 'endOf'> => ({
  bookAt: (ticker, tickMs) => {
    const market = catalogue.market(ticker);
    return market === null ? null : worldBook(market, tickMs);
  },
  endOf: (ticker, tickMs) => whyOrderCannotRest(catalogue.market(ticker), tickMs),
});

/** The payout of one yes contract, once the venue has stated it. */
export function payoutOf(market: SimMarket, tickMs: number): Decimal | null {
  if (phaseOf(market.event, tickMs) !== 'settled') return null;
  return new Decimal(resolvedYes(market) ? 1 : 0);
}

/** Whether a price is on the market's ladder, strictly between 0 and 1. */
export function isOnGrid(market: SimMarket, price: Decimal): boolean {
  if (price.lessThanOrEqualTo(0) || price.greaterThanOrEqualTo(1)) return false;
  const ranges = gridOf(market).price_ranges;
  const range = ranges.find(({ start, end }) => price.greaterThanOrEqualTo(start) && price.lessThan(end));
  return range !== undefined && price.modulo(range.step).isZero();
}
