/**
 * Trades of venue B as its records show them: one for each order that takes, with all its counterparties among the makers. A
 * trade is matched first and confirmed on the chain later. If it fails there, all its effects are undone.
 */
import { Decimal } from 'decimal.js';
import type { Account } from '../account.ts';
import { uuidOf } from '../exchange.ts';
import type { Fill, Order } from '../orders.ts';
import type { Markets } from './market.ts';
import { secondsOf } from './replies.ts';

export type TradeStatus = 'MATCHED' | 'MINED' | 'CONFIRMED' | 'RETRYING' | 'FAILED';
type Trade = {
  readonly id: string;
  readonly atMs: number;
  readonly fills: Fill[];
  forced: TradeStatus | null;
};

/** World ms from the match until a trade is mined, and until it is confirmed. */
const MINED_MS = 2_000;
const CONFIRMED_MS = 4_000;

const STRANGER = { address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', owner: '' };
const strangerId = (text: string): string =>
  `0x${`${uuidOf(text)}${uuidOf(`${text}/more`)}`.replaceAll('-', '')}`;

export class Trades {
  readonly #markets: Markets;
  readonly #trades = new Map<string, Trade>();

  constructor(markets: Markets) {
    this.#markets = markets;
  }

  add(fill: Fill): void {
    const trade = this.#trades.get(fill.id);
    if (trade === undefined) {
      this.#trades.set(fill.id, { id: fill.id, atMs: fill.atMs, fills: [fill], forced: null });
    } else trade.fills.push(fill);
  }

  get(id: string): Trade | undefined {
    return this.#trades.get(id);
  }

  statusOf({ atMs, forced }: Trade, nowMs: number): TradeStatus {
    if (forced !== null) return forced;
    if (nowMs - atMs < MINED_MS) return 'MATCHED';
    return nowMs - atMs < CONFIRMED_MS ? 'MINED' : 'CONFIRMED';
  }

  /** Trades of an account that were matched up to a time, oldest first. */
  of(account: Account, untilMs: number): Trade[] {
    return [...this.#trades.values()].filter(
      ({ atMs, fills }) => atMs <= untilMs && fills.some(({ order }) => order.account === account),
    );
  }

  idsOf(order: Order): string[] {
    return [...new Set(order.fills.map(({ id }) => id))];
  }

  /** A trade as the account sees it. */
  record(trade: Trade, account: Account, nowMs: number) {
    const taken = trade.fills.filter(
      ({ liquidity, order }) => liquidity === 'taker' && order.account === account,
    );
    const [first] = taken;
    return first === undefined
      ? this.#asMaker(trade, account, nowMs)
      : this.#asTaker(trade, first, taken, account, nowMs);
  }

  #asTaker(trade: Trade, first: Fill, taken: readonly Fill[], account: Account, nowMs: number) {
    const { order } = first;
    return {
      ...this.#common(trade, nowMs),
      taker_order_id: order.id,
      asset_id: order.instrument,
      outcome: this.#markets.outcomeOf(order.instrument),
      market: this.#markets.conditionOf(order.instrument),
      side: sideOf(order),
      size: taken.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0)).toFixed(),
      // The last price of the sweep: the venue does not document which price it states.
      price: (taken.at(-1) ?? first).price.toFixed(),
      owner: ownerOf(account),
      maker_address: account.id,
      trader_side: 'TAKER',
      maker_orders: taken.map((fill, at) => this.#counterparty(trade, fill, at)),
    };
  }

  #asMaker(trade: Trade, account: Account, nowMs: number) {
    const makers = trade.fills.filter(({ liquidity }) => liquidity === 'maker');
    const own = makers.find(({ order }) => order.account === account) ?? makers[0];
    if (own === undefined) throw new Error(`trade ${trade.id} has no maker`);
    const { order, price } = own;
    // The world took the order: half of the time by buying the other outcome.
    const isOther = !trade.fills.some(({ liquidity }) => liquidity === 'taker') && isOdd(trade.id);
    const token = isOther ? this.#markets.complementOf(order.instrument) : order.instrument;
    const taker = trade.fills.find(({ liquidity }) => liquidity === 'taker')?.order;
    const opposite = order.side === 'buy' ? 'SELL' : 'BUY';
    return {
      ...this.#common(trade, nowMs),
      taker_order_id:
        taker?.account === undefined || taker.account === null ? strangerId(trade.id) : taker.id,
      asset_id: token,
      outcome: this.#markets.outcomeOf(token),
      market: this.#markets.conditionOf(token),
      side: isOther ? sideOf(order) : opposite,
      size: makers.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0)).toFixed(),
      price: (isOther ? new Decimal(1).minus(price) : price).toFixed(),
      owner: STRANGER.owner,
      maker_address: STRANGER.address,
      trader_side: 'MAKER',
      maker_orders: makers.map((fill) => this.#entry(fill)),
    };
  }

  #common({ id, atMs, ...trade }: Trade, nowMs: number) {
    return {
      id,
      fee_rate_bps: '0',
      status: this.statusOf({ id, atMs, ...trade }, nowMs),
      match_time: String(secondsOf(atMs)),
      last_update: String(secondsOf(nowMs)),
      bucket_index: 0,
      transaction_hash: '',
    };
  }

  /** The counterparty of a taking order: a resting order, or the world, half of the time as a buyer of the other outcome. */
  #counterparty({ id, fills }: Trade, { order, price, amount }: Fill, at: number) {
    const maker = fills.filter(
      (fill) => fill.liquidity === 'maker' && fill.price.equals(price) && fill.amount.equals(amount),
    )[0];
    if (maker !== undefined) return this.#entry(maker);
    const isOther = isOdd(`${id}/${at}`);
    const token = isOther ? this.#markets.complementOf(order.instrument) : order.instrument;
    const opposite = order.side === 'buy' ? 'SELL' : 'BUY';
    return {
      order_id: strangerId(`${id}/${at}`),
      owner: STRANGER.owner,
      maker_address: STRANGER.address,
      matched_amount: amount.toFixed(),
      price: (isOther ? new Decimal(1).minus(price) : price).toFixed(),
      fee_rate_bps: '0',
      asset_id: token,
      outcome: this.#markets.outcomeOf(token),
      side: isOther ? sideOf(order) : opposite,
    };
  }

  #entry({ order, price, amount }: Fill) {
    return {
      order_id: order.account === null ? strangerId(order.id) : order.id,
      owner: order.account === null ? STRANGER.owner : ownerOf(order.account),
      maker_address: order.account?.id ?? STRANGER.address,
      matched_amount: amount.toFixed(),
      price: price.toFixed(),
      fee_rate_bps: '0',
      asset_id: order.instrument,
      outcome: this.#markets.outcomeOf(order.instrument),
      side: sideOf(order),
    };
  }
}

export const sideOf = ({ side }: Pick<Order, 'side'>): 'BUY' | 'SELL' => (side === 'buy' ? 'BUY' : 'SELL');
export const ownerOf = (account: Account): string => [...account.keys.keys()][0] ?? '';
const isOdd = (text: string): boolean => Number.parseInt(uuidOf(text).slice(0, 1), 16) % 2 === 1;
