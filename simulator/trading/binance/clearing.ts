/**
 * Binance's money: coins and currencies side by side. A buy pays its commission from the coin bought, a sale from the proceeds.
 * An account that pays in BNB pays three quarters of that from its BNB, while the balance suffices.
 */
import { Decimal } from 'decimal.js';
import { bookOf, type CoinMarket } from '../../binance.ts';
import { SYMBOLS, type SymbolSpec } from '../../world/crypto-path.ts';
import type { PriceOverrides } from '../../world/price-overrides.ts';
import type { Account } from '../account.ts';
import type { Exchange, Rules } from '../exchange.ts';
import { type Fill, type Order, remainingOf, type WorldBook } from '../orders.ts';

const RATE = new Decimal('0.001');
const BNB_DISCOUNT = new Decimal('0.75');
/** Levels of the world's book that an order can hit. */
const LEVELS = 20;
/** Trade ids per symbol and millisecond, so that a restarted simulator repeats no id. */
const TRADE_IDS_PER_MS = 1_000;

export const specOf = (symbol: string): SymbolSpec | null =>
  SYMBOLS.find((spec) => spec.symbol === symbol) ?? null;

/** Whether an account pays its commissions in BNB: a tag of any of its keys. */
const paysInBnb = ({ keys }: Account): boolean =>
  [...keys.values()].some(({ tags }) => tags['bnb'] === 'true');

export class Clearing implements Rules {
  readonly #coins: CoinMarket;
  readonly #priceOverrides: PriceOverrides;
  readonly #exchange: () => Exchange;
  /** The next trade id of each symbol. */
  readonly #trades = new Map<string, number>();

  constructor(coins: CoinMarket, priceOverrides: PriceOverrides, exchange: () => Exchange) {
    this.#coins = coins;
    this.#priceOverrides = priceOverrides;
    this.#exchange = exchange;
  }

  bookAt(symbol: string, tickMs: number): WorldBook | null {
    const path = this.#coins.get(symbol)?.path;
    if (path === undefined) return null;
    const { bids, asks } = bookOf(path, this.#priceOverrides, tickMs, LEVELS);
    const level = ([price, size]: readonly [string, string]) => ({
      price: new Decimal(price),
      size: new Decimal(size),
    });
    return { bids: bids.map(level), asks: asks.map(level) };
  }

  endOf(): null {
    return null;
  }

  idOf(kind: 'order' | 'trade', count: number, { instrument }: { instrument: string }): string {
    if (kind === 'order') return String(this.#exchange().startedMs + count);
    const next = (this.#trades.get(instrument) ?? this.#exchange().startedMs * TRADE_IDS_PER_MS) + 1;
    this.#trades.set(instrument, next);
    return String(next);
  }

  book({ id, order, price, amount, atMs }: Omit<Fill, 'fee' | 'feeAsset'>, account: Account) {
    const { base, quote } = this.#spec(order.instrument);
    const notional = price.times(amount);
    const isBuy = order.side === 'buy';
    const entry = { atMs, kind: 'trade', ref: id } as const;
    const exchange = this.#exchange();
    exchange.post(account, { ...entry, asset: base, amount: isBuy ? amount : amount.negated() });
    exchange.post(account, { ...entry, asset: quote, amount: isBuy ? notional.negated() : notional });
    const { fee, feeAsset } =
      this.#inBnb(account, notional, quote, atMs) ?? ownFee(isBuy ? amount : notional, isBuy ? base : quote);
    exchange.post(account, { atMs, kind: 'fee', asset: feeAsset, amount: fee.negated(), ref: id });
    return { fee, feeAsset };
  }

  /** The balance that no resting order reserves. */
  free(account: Account, asset: string): Decimal {
    return account.holds(asset).minus(this.locked(account, asset));
  }

  locked(account: Account, asset: string): Decimal {
    return this.#exchange()
      .openOrders(account)
      .reduce((sum, order) => sum.plus(this.#lockedBy(order, asset)), new Decimal(0));
  }

  #lockedBy(order: Order, asset: string): Decimal {
    const { base, quote } = this.#spec(order.instrument);
    const remaining = remainingOf(order);
    if (order.side === 'sell') return asset === base ? remaining : new Decimal(0);
    return asset === quote ? remaining.times(order.price) : new Decimal(0);
  }

  #inBnb(account: Account, notional: Decimal, quote: string, atMs: number) {
    if (!paysInBnb(account) || quote !== 'USDT') return null;
    const price = this.bookAt('BNBUSDT', atMs)?.bids[0]?.price;
    if (price === undefined) return null;
    const fee = notional.times(RATE).times(BNB_DISCOUNT).div(price).toDecimalPlaces(8, Decimal.ROUND_DOWN);
    return account.holds('BNB').gte(fee) ? { fee, feeAsset: 'BNB' } : null;
  }

  #spec(symbol: string): SymbolSpec {
    const spec = specOf(symbol);
    if (spec === null) throw new Error(`no symbol ${symbol}`);
    return spec;
  }
}

const ownFee = (received: Decimal, feeAsset: string) => ({
  fee: received.times(RATE).toDecimalPlaces(8, Decimal.ROUND_DOWN),
  feeAsset,
});
