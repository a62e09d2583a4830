/** The simulated markets of venue B as its exchange uses them: tokens, books, contracts, ends. */
import { Decimal } from 'decimal.js';
import {
  domainOf,
  type ExchangeDomain,
  type ExchangeKind,
} from '../../../venues/polymarket/trading/contracts.ts';
import { hasBook } from '../../gamma-records.ts';
import { sizeAt } from '../../world/book.ts';
import { endedYes, phaseOf, type SimMarket, touchOf } from '../../world/event.ts';
import type { Catalogue } from '../../world/series.ts';
import { conditionOf, findToken, type TokenPlace, tokenOf } from '../../world/tokens.ts';
import type { Environment } from '../account.ts';
import type { Level, WorldBook } from '../orders.ts';

export const COLLATERAL = 'pUSD';
/** The fee rate of every simulated market; see `gamma-records.ts`. */
export const FEE_RATE = '0.04';
export const SIZE_MIN = 5;

const DEPTH = 24;

export class Markets {
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  place(token: string): TokenPlace | null {
    return findToken(this.#catalogue, token);
  }

  conditionOf(token: string): string {
    const place = this.place(token);
    return place === null ? '' : conditionOf(place.market);
  }

  /** The token of the other outcome. */
  complementOf(token: string): string {
    const place = this.place(token);
    return place === null ? '' : tokenOf(this.#catalogue, place.market, place.outcome === 0 ? 1 : 0);
  }

  outcomeOf(token: string): string {
    const place = this.place(token);
    return place === null ? '' : place.market.outcomes[place.outcome];
  }

  bookAt(token: string, timeMs: number): WorldBook | null {
    const place = this.place(token);
    return place === null || !hasBook(place.market, timeMs) ? null : bookOf(place, timeMs);
  }

  endOf(token: string, timeMs: number): string | null {
    const place = this.place(token);
    return place === null || phaseOf(place.market.event, timeMs) !== 'open' ? 'market_resolved' : null;
  }

  /** The payout of one token once its market is settled; null until then. */
  payoutOf(token: string, timeMs: number): number | null {
    const place = this.place(token);
    if (place === null || phaseOf(place.market.event, timeMs) !== 'settled') return null;
    return endedYes(place.market) === (place.outcome === 0) ? 1 : 0;
  }
}

export const isNegRisk = ({ event }: SimMarket): boolean => event.exclusive && event.markets.length > 1;
export const kindOf = (market: SimMarket): ExchangeKind => (isNegRisk(market) ? 'neg_risk' : 'standard');

/** The test network of the simulated venue has no exchange. */
export const exchangeOf = (environment: Environment, market: SimMarket): ExchangeDomain | null =>
  environment === 'testnet' ? null : domainOf(environment, kindOf(market));

/** The book that `/book` shows, best first. */
function bookOf({ market, outcome }: TokenPlace, timeMs: number): WorldBook {
  const ticks = Math.round(1 / market.tick);
  const yes = touchOf(market, timeMs);
  const touch = outcome === 0 ? yes : { bid: ticks - yes.ask, ask: ticks - yes.bid };
  // A bid for one outcome is an offer of the other: both books show the same sizes.
  const level = (price: number, isBid: boolean, distance: number): Level => ({
    price: new Decimal(price).times(market.tick),
    size: new Decimal(
      sizeAt(`${market.id}/${isBid === (outcome === 0)}`, distance, timeMs, market.volumePerDay / 60, 2),
    ),
  });
  const bids = Math.min(DEPTH, touch.bid);
  const asks = Math.min(DEPTH, ticks - touch.ask);
  return {
    bids: Array.from({ length: bids }, (_, at) => level(touch.bid - at, true, at)),
    asks: Array.from({ length: asks }, (_, at) => level(touch.ask + at, false, at)),
  };
}
