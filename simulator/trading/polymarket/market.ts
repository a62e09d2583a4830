/** The simulated markets of venue B as its exchange uses them: tokens, books, contracts, ends. */
import { Decimal } from 'decimal.js';
import {
  domainOf,
  type ExchangeDomain,
  type ExchangeKind,
} from '../../../venues/polymarket/trading/contracts.ts';
import { hasBook } from '../../gamma-records.ts';
import { phaseOf, resolvedYes, type SimMarket, topOfBook } from '../../world/event.ts';
import type { Catalogue } from '../../world/event-series.ts';
import { levelSizeAt } from '../../world/level-size.ts';
import { conditionOf, findToken, type TokenSide, tokenOf } from '../../world/tokens.ts';
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

  tokenSide(token: string): TokenSide | null {
    return findToken(this.#catalogue, token);
  }

  conditionOf(token: string): string {
    const tokenSide = this.tokenSide(token);
    return tokenSide === null ? '' : conditionOf(tokenSide.market);
  }

  /** The token of the other outcome. */
  complementOf(token: string): string {
    const tokenSide = this.tokenSide(token);
    return tokenSide === null
      ? ''
      : tokenOf(this.#catalogue, tokenSide.market, tokenSide.outcome === 0 ? 1 : 0);
  }

  outcomeOf(token: string): string {
    const tokenSide = this.tokenSide(token);
    return tokenSide === null ? '' : tokenSide.market.outcomes[tokenSide.outcome];
  }

  bookAt(token: string, timeMs: number): WorldBook | null {
    const tokenSide = this.tokenSide(token);
    return tokenSide === null || !hasBook(tokenSide.market, timeMs) ? null : bookOf(tokenSide, timeMs);
  }

  endOf(token: string, timeMs: number): string | null {
    const tokenSide = this.tokenSide(token);
    return tokenSide === null || phaseOf(tokenSide.market.event, timeMs) !== 'open'
      ? 'market_resolved'
      : null;
  }

  /** The payout of one token once its market is settled; null until then. */
  payoutOf(token: string, timeMs: number): number | null {
    const tokenSide = this.tokenSide(token);
    if (tokenSide === null || phaseOf(tokenSide.market.event, timeMs) !== 'settled') return null;
    return resolvedYes(tokenSide.market) === (tokenSide.outcome === 0) ? 1 : 0;
  }
}

export const isNegRisk = ({ event }: SimMarket): boolean => event.exclusive && event.markets.length > 1;
export const kindOf = (market: SimMarket): ExchangeKind => (isNegRisk(market) ? 'neg_risk' : 'standard');

/** The test network of the simulated venue has no exchange. */
export const exchangeOf = (environment: Environment, market: SimMarket): ExchangeDomain | null =>
  environment === 'testnet' ? null : domainOf(environment, kindOf(market));

/** The book that `/book` shows, best first. */
function bookOf({ market, outcome }: TokenSide, timeMs: number): WorldBook {
  const ticks = Math.round(1 / market.tick);
  const yes = topOfBook(market, timeMs);
  const top = outcome === 0 ? yes : { bid: ticks - yes.ask, ask: ticks - yes.bid };
  // A bid for one outcome is an offer of the other: both books show the same sizes.
  const level = (price: number, isBid: boolean, distance: number): Level => ({
    price: new Decimal(price).times(market.tick),
    size: new Decimal(
      levelSizeAt(`${market.id}/${isBid === (outcome === 0)}`, distance, timeMs, market.volumePerDay / 60, 2),
    ),
  });
  const bids = Math.min(DEPTH, top.bid);
  const asks = Math.min(DEPTH, ticks - top.ask);
  return {
    bids: Array.from({ length: bids }, (_, at) => level(top.bid - at, true, at)),
    asks: Array.from({ length: asks }, (_, at) => level(top.ask + at, false, at)),
  };
}
