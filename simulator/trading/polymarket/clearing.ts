/** The state of the simulated venue B beside its exchange: trades, allowances, heartbeats, orders that wait for matching. */
import { Decimal } from 'decimal.js';
import { EXCHANGE_ADDRESSES } from '../../../venues/polymarket/trading/contracts.ts';
import { tradeFee } from '../../../venues/polymarket/trading/fee.ts';
import { unitPrice } from '../../../venues/polymarket/trading/records.ts';
import type { WorldClock } from '../../world/world-clock.ts';
import type { Account } from '../account.ts';
import { Exchange, uuidOf } from '../exchange.ts';
import { type Fill, type Order, type OrderDraft, remainingOf } from '../orders.ts';
import { COLLATERAL, FEE_RATE, type Markets } from './market.ts';
import type { Mode } from './replies.ts';
import { type TradeStatus, Trades } from './trades.ts';

const ZERO = new Decimal(0);
/** Ten seconds without a heartbeat, and a grace of five. */
const HEARTBEAT_MAX_MS = 15_000;
const SCHEDULE = {
  formula: 'probability',
  takerRate: FEE_RATE,
  makerRate: '0',
  exponent: 1,
  roundUpTo: null,
} as const;

type Heartbeat = { readonly account: Account; readonly id: string; readonly atMs: number };
/** An accepted order that waits for matching. */
type Delayed = { readonly draft: OrderDraft; readonly id: string; readonly dueMs: number };

export class Clearing {
  readonly exchange: Exchange;
  readonly markets: Markets;
  readonly trades: Trades;
  readonly heartbeats = new Map<string, Heartbeat>();
  readonly delayed = new Map<string, Delayed>();
  /** In millionths, by account and contract; without an entry there is no limit. */
  readonly #allowances = new Map<string, string>();
  readonly closedOnly = new Set<string>();
  isBlocked = false;
  mode: Mode | null = null;
  /** World ms that marketable orders wait. */
  matchDelayMs = 0;

  constructor(markets: Markets, clock: WorldClock) {
    this.markets = markets;
    this.trades = new Trades(markets);
    this.exchange = new Exchange(
      'polymarket',
      {
        bookAt: (token, tickMs) => markets.bookAt(token, tickMs),
        endOf: (token, tickMs) => markets.endOf(token, tickMs),
        book: (trade, account) => this.#book(trade, account),
        idOf: (kind, count, draft, isComing) =>
          kind === 'order' ? orderIdOf(draft, count) : tradeIdOf(draft as Order, isComing ? null : count),
        atTick: () => this.#missHeartbeats(),
      },
      clock,
    );
    this.exchange.listen((event) => {
      if (event.kind === 'fill') this.trades.add(event.fill);
    });
  }

  /** Matches delayed orders that are due, and advances everything else to the world's time. */
  settle(): void {
    this.exchange.advance();
    const nowMs = this.exchange.now();
    for (const [id, { draft, dueMs }] of this.delayed) {
      if (dueMs > nowMs) continue;
      this.delayed.delete(id);
      this.place(draft);
    }
  }

  /** Matches an order, and charges the taker once for all its fills. */
  place(draft: OrderDraft): Order {
    const order = this.exchange.place(draft);
    const taken = order.fills.filter(({ liquidity }) => liquidity === 'taker');
    if (order.account !== null && taken.length > 0) this.#charge(order.account, taken);
    return order;
  }

  /** The balance less the possible cost of open buys, or less the deliveries of open sells. */
  free(account: Account, asset: string): Decimal {
    const bound = this.exchange
      .openOrders(account)
      .filter(({ side, instrument }) =>
        asset === COLLATERAL ? side === 'buy' : side === 'sell' && instrument === asset,
      )
      .reduce(
        (sum, order) => sum.plus(remainingOf(order).times(order.side === 'buy' ? order.price : 1)),
        ZERO,
      );
    return account.holds(asset).minus(bound);
  }

  allow(account: Account, contract: string, units: string): void {
    this.#allowances.set(`${account.id}/${contract.toLowerCase()}`, units);
  }

  /** In millionths. */
  allowanceOf(account: Account, contract: string): string {
    return this.#allowances.get(`${account.id}/${contract.toLowerCase()}`) ?? String(2n ** 255n);
  }

  allowancesOf(account: Account): Record<string, string> {
    return Object.fromEntries(
      EXCHANGE_ADDRESSES.map((address) => [address, this.allowanceOf(account, address)]),
    );
  }

  /** Sets the on-chain status of a trade. A failed trade is undone. */
  setTradeStatus(tradeId: string, status: TradeStatus): void {
    const trade = this.trades.get(tradeId);
    if (trade === undefined) throw new RangeError(`there is no trade ${tradeId}`);
    if (trade.forced === 'FAILED') throw new RangeError('a failed trade stays failed');
    trade.forced = status;
    if (status !== 'FAILED') return;
    const accounts = new Set(trade.fills.flatMap(({ order }) => order.account ?? []));
    for (const account of accounts) {
      const undone = account.entries.filter(({ ref, kind }) => ref === tradeId && kind !== 'reversal');
      for (const { asset, amount } of undone) {
        this.#post(account, 'reversal', asset, amount.negated(), tradeId, this.exchange.now());
      }
    }
  }

  /** Pays the owner for settled tokens. */
  redeem(account: Account, token: string): void {
    const payout = this.markets.payoutOf(token, this.exchange.now());
    const held = account.holds(token);
    if (payout === null || held.isZero()) throw new RangeError(`${token} cannot be redeemed`);
    const atMs = this.exchange.now();
    this.#post(account, 'redemption', token, held.negated(), token, atMs);
    this.#post(account, 'redemption', COLLATERAL, held.times(payout), token, atMs);
  }

  #book({ id, order, price, amount, atMs }: Omit<Fill, 'fee' | 'feeAsset'>, account: Account) {
    const signed = order.side === 'buy' ? amount : amount.negated();
    this.#post(account, 'trade', order.instrument, signed, id, atMs);
    this.#post(account, 'trade', COLLATERAL, signed.times(price).negated(), id, atMs);
    return { fee: ZERO, feeAsset: COLLATERAL };
  }

  #charge(account: Account, taken: readonly Fill[]): void {
    const [first] = taken;
    if (first === undefined) return;
    const amount = taken.reduce((sum, fill) => sum.plus(fill.amount), ZERO);
    const cost = taken.reduce((sum, fill) => sum.plus(fill.amount.times(fill.price)), ZERO);
    const price = unitPrice(cost, amount, first.order.side).toFixed();
    const fee = tradeFee(SCHEDULE, { amount: amount.toFixed(), price, liquidity: 'taker' });
    // Also posts a fee of zero: this entry announces the trade.
    this.exchange.post(account, {
      atMs: first.atMs,
      kind: 'fee',
      asset: COLLATERAL,
      amount: new Decimal(fee).negated(),
      ref: first.id,
    });
  }

  #post(
    account: Account,
    kind: 'trade' | 'reversal' | 'redemption',
    asset: string,
    amount: Decimal,
    ref: string,
    atMs: number,
  ): void {
    if (!amount.isZero()) this.exchange.post(account, { atMs, kind, asset, amount, ref });
  }

  #missHeartbeats(): void {
    const nowMs = this.exchange.now();
    for (const [key, { account, atMs }] of this.heartbeats) {
      if (nowMs - atMs <= HEARTBEAT_MAX_MS) continue;
      this.heartbeats.delete(key);
      for (const order of this.exchange.openOrders(account)) this.exchange.cancel(order, 'heartbeat');
    }
  }
}

/** The order's hash, if it is signed; orders placed by hand have an id as well. */
const orderIdOf = ({ tags }: OrderDraft, count: number): string =>
  tags?.['hash'] ?? `0x${uuidOf(`polymarket/order/${count}`).replaceAll('-', '').repeat(2)}`;

/** One trade for all fills of an incoming order (no count); each later fill is its own trade. */
const tradeIdOf = ({ id }: Order, count: number | null): string =>
  uuidOf(count === null ? `polymarket/trade/${id}` : `polymarket/trade/${id}/${count}`);
