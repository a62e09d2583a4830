/**
 * Kalshi's money: dollars by shard, one signed position per market (no contracts are negative), collateral of resting orders,
 * fees, settlement. Yes and no are netted at once: an owner of no contracts who buys yes gets a dollar per pair.
 */
import { Decimal } from 'decimal.js';
import { feeTypeOf, shardOf } from '../../kalshi-records.ts';
import type { SimMarket } from '../../world/event.ts';
import type { Catalogue } from '../../world/event-series.ts';
import type { Account } from '../account.ts';
import type { Exchange, Rules } from '../exchange.ts';
import { type Fill, isOpen, type Order, type OrderDraft, remainingOf } from '../orders.ts';
import { chargeOf } from './fees.ts';
import { cashOfMarket, marketRules, payoutOf } from './market.ts';

const ZERO = new Decimal(0);
const ONE = new Decimal(1);
const TAKER_RATE = new Decimal('0.07');
const MAKER_RATE = new Decimal('0.0175');

export type Settlement = {
  readonly account: Account;
  readonly market: SimMarket;
  /** Signed, as it was held. */
  readonly position: Decimal;
  readonly payout: Decimal;
  readonly revenue: Decimal;
  readonly atMs: number;
};

type Part = Pick<OrderDraft, 'side' | 'price' | 'amount'>;

/** The closing and the opening amount of an order or a fill. */
export function partsOf({ side, amount }: Part, position: Decimal): { closing: Decimal; opening: Decimal } {
  const against = side === 'buy' ? position.negated() : position;
  const closing = Decimal.max(ZERO, Decimal.min(against, amount));
  return { closing, opening: amount.minus(closing) };
}

/** The collateral of one contract: its price, or for an ask the cost of one no contract. */
const unitCost = ({ side, price }: Part): Decimal => (side === 'buy' ? price : ONE.minus(price));

export class Clearing implements Rules {
  readonly bookAt: Rules['bookAt'];
  readonly endOf: Rules['endOf'];
  readonly settlements: Settlement[] = [];
  /** Balances are multiples of it; the default is that of direct members. */
  precision = new Decimal('0.0001');
  readonly #catalogue: Catalogue;
  readonly #exchange: () => Exchange;
  /** The sum of rounding fees by order. */
  readonly #rounded = new Map<string, Decimal>();

  constructor(catalogue: Catalogue, exchange: () => Exchange) {
    this.#catalogue = catalogue;
    this.#exchange = exchange;
    const { bookAt, endOf } = marketRules(catalogue);
    this.bookAt = bookAt;
    this.endOf = endOf;
  }

  book({ id, order, price, amount, liquidity, atMs }: Omit<Fill, 'fee' | 'feeAsset'>, account: Account) {
    const market = this.#market(order.instrument);
    const part = { side: order.side, price, amount };
    const { closing, opening } = partsOf(part, account.holds(order.instrument));
    const revenue = closing.times(ONE.minus(unitCost(part))).minus(opening.times(unitCost(part)));
    const rate = liquidity === 'taker' ? TAKER_RATE : makerRate(market);
    const terms = { rate, precision: this.precision };
    const charge = chargeOf({ price, amount, revenue }, terms, this.#rounded.get(order.id) ?? ZERO);
    this.#rounded.set(order.id, charge.accumulated);
    const asset = cashOfMarket(market);
    const signed = order.side === 'buy' ? amount : amount.negated();
    const exchange = this.#exchange();
    exchange.post(account, { atMs, kind: 'trade', asset: order.instrument, amount: signed, ref: id });
    exchange.post(account, { atMs, kind: 'trade', asset, amount: revenue, ref: id });
    exchange.post(account, { atMs, kind: 'fee', asset, amount: charge.fee.negated(), ref: id });
    return { fee: charge.fee, feeAsset: 'USD' };
  }

  /** Pays settled markets; cancels the orders that asked to be canceled when trading pauses. */
  atTick(tickMs: number): void {
    const exchange = this.#exchange();
    for (const account of exchange.accounts.values()) {
      if (exchange.pause !== null) this.#pausing(exchange, account);
      for (const [ticker, position] of account.holdings()) this.#settle(account, ticker, position, tickMs);
    }
  }

  /** Dollars that an order takes out of the free balance: its collateral, with the highest fee of a taker. */
  needs(draft: Part & { readonly instrument: string }, account: Account): Decimal {
    const { opening } = partsOf(draft, account.holds(draft.instrument));
    const fee = TAKER_RATE.times(draft.amount).times(draft.price).times(ONE.minus(draft.price));
    return opening.times(unitCost(draft)).plus(fee.toDecimalPlaces(4, Decimal.ROUND_UP));
  }

  /** Dollars of a shard that no resting order reserves. */
  free(account: Account, shard: number): Decimal {
    const resting = this.#exchange()
      .openOrders(account)
      .filter((order) => isOpen(order) && this.shardOf(order.instrument) === shard);
    return resting.reduce(
      (free, order) => free.minus(this.#held(order, account)),
      account.holds(`USD/${shard}`),
    );
  }

  shardOf(ticker: string): number {
    const market = this.#catalogue.market(ticker);
    return market === null ? 0 : shardOf(market.event);
  }

  #held(order: Order, account: Account): Decimal {
    const { opening } = partsOf({ ...order, amount: remainingOf(order) }, account.holds(order.instrument));
    return opening.times(unitCost(order));
  }

  #market(ticker: string): SimMarket {
    const market = this.#catalogue.market(ticker);
    if (market === null) throw new Error(`no market ${ticker}`);
    return market;
  }

  #pausing(exchange: Exchange, account: Account): void {
    for (const order of exchange.openOrders(account)) {
      if (order.tags['cancelOnPause'] === 'true') exchange.cancel(order, 'paused');
    }
  }

  #settle(account: Account, ticker: string, position: Decimal, atMs: number): void {
    const market = position.isZero() ? null : this.#catalogue.market(ticker);
    const payout = market === null ? null : payoutOf(market, atMs);
    if (market === null || payout === null) return;
    const unit = position.isPositive() ? payout : ONE.minus(payout);
    const revenue = position.abs().times(unit);
    const entry = { atMs, kind: 'settlement', ref: ticker } as const;
    const exchange = this.#exchange();
    exchange.post(account, { ...entry, asset: ticker, amount: position.negated() });
    exchange.post(account, { ...entry, asset: cashOfMarket(market), amount: revenue });
    this.settlements.push({ account, market, position, payout, revenue, atMs });
  }
}

const makerRate = ({ event }: SimMarket): Decimal =>
  feeTypeOf(event.series) === 'quadratic_with_maker_fees' ? MAKER_RATE : ZERO;
