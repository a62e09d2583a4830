import type { Side } from '../../../db/vocabulary.ts';
import type { BrokerOrder, VenueOrder } from '../../../venues/broker.ts';
import type { Candle, OrderBook, Quote } from '../../../venues/port.ts';
import { exact } from '../../platform/decimal.ts';
import { knownSchedule } from '../../platform/instruments/fee-schedule.ts';
import { executeArrival } from '../../trading/orders/paper/execute-arrival.ts';
import {
  matchResting,
  type PaperFillRow,
  type PaperOrderRow,
} from '../../trading/orders/paper/match-orders.ts';
import { offersOfBook, offersOfQuote } from '../../trading/orders/paper/opposite-side.ts';
import type { TakenLevels } from '../../trading/orders/paper/taken-levels.ts';
import { CANCELED, venueOrderOf } from '../../trading/orders/paper/venue-order.ts';
import type { Market } from '../../trading/orders/row.ts';

/** The market that an arriving order sees: a whole book, or the best quote; null while it is not visible. */
export type MarketSnapshot =
  | { readonly book: Pick<OrderBook, 'asks' | 'bids' | 'asOf'> }
  | { readonly quote: Pick<Quote, 'ask' | 'askSize' | 'bid' | 'bidSize' | 'asOf'> }
  | null;

/** Levels that one account has taken, by side of the market. */
type SideLevels = Readonly<Record<Side, TakenLevels>>;
const NONE: SideLevels = { buy: new Map(), sell: new Map() };

/**
 * The paper venue in memory, for one account: orders, trades and the rest of the offers, as rows. Matching uses the same
 * functions as the venue in the database.
 */
export class MemoryPaperVenue {
  readonly orders = new Map<string, PaperOrderRow>();
  /** By order, in the order of creation. */
  readonly fills = new Map<string, readonly PaperFillRow[]>();
  /** By instrument. */
  readonly levels = new Map<string, SideLevels>();
  /** By instrument, by time. */
  readonly #trades = new Map<string, PaperFillRow[]>();
  /** Resting orders, by instrument. */
  readonly #resting = new Map<string, Set<string>>();
  readonly #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Accepts an order; the clock of the market is that of the venue. */
  place(order: BrokerOrder, { instrument }: Market, snapshot: MarketSnapshot, now: Date): VenueOrder {
    const { tokenId, side } = order;
    const levels = this.levels.get(tokenId) ?? NONE;
    const arrival = executeArrival(
      order,
      { instrument, offers: offersIn(snapshot, side), levels: levels[side], feedNowMs: now.getTime() },
      { now, newId: this.#newId },
    );
    this.levels.set(tokenId, { ...levels, [side]: arrival.levels });
    this.#keep([arrival.order], arrival.fills);
    return venueOrderOf(arrival.order, arrival.fills);
  }

  /** Cancels a resting order. */
  cancel(id: string, now: Date): void {
    const order = this.orders.get(id);
    if (order?.status === 'open') {
      this.#keep([{ ...order, ...CANCELED, updated_at: now.toISOString() }], []);
    }
  }

  find(id: string): VenueOrder | null {
    const order = this.orders.get(id);
    return order === undefined ? null : venueOrderOf(order, this.fills.get(id) ?? []);
  }

  /** Drops an ended order and its trades, except for the volume it took of a candle. */
  drop(id: string): void {
    this.orders.delete(id);
    this.fills.delete(id);
  }

  /** Resets the taken levels of an instrument: quotes and candle volume are untouched from here on. */
  refresh(tokenId: string): void {
    this.levels.delete(tokenId);
    this.#trades.delete(tokenId);
  }

  rests(tokenId: string): boolean {
    return (this.#resting.get(tokenId)?.size ?? 0) > 0;
  }

  /** Does what `matchRestingOrders` does, for one market and its closed minutes. Returns the orders that traded. */
  advance({ instrument, quote }: Market, candles: readonly Candle[], now: Date): string[] {
    const { token_id } = instrument;
    const orders = [...(this.#resting.get(token_id) ?? [])].flatMap((id) => this.orders.get(id) ?? []);
    if (orders.length === 0) return [];
    const matched = matchResting(
      {
        orders,
        fills: this.#tradesMet(orders, token_id, candles),
        levels: this.levels.get(token_id) ?? NONE,
        quote,
        candles,
      },
      {
        now,
        schedule: knownSchedule(instrument),
        stepSize: exact(instrument.step_size),
        newId: this.#newId,
      },
    );
    this.levels.set(token_id, matched.levels);
    this.#keep(matched.orders, matched.fills);
    return [...new Set(matched.fills.map(({ order_id }) => order_id))];
  }

  /** Returns trades of these orders, and the account's other trades in the instrument that may have used these minutes. */
  #tradesMet(
    orders: readonly PaperOrderRow[],
    tokenId: string,
    [oldest]: readonly Candle[],
  ): readonly PaperFillRow[] {
    const own = orders.flatMap(({ id }) => this.fills.get(id) ?? []);
    if (oldest === undefined) return own;
    // No volume of a minute is taken before it has closed, and trades are stored by time.
    const trades = this.#trades.get(tokenId) ?? [];
    const before = trades.findLastIndex(({ at }) => Date.parse(at) < oldest.closeTimeMs);
    const ids = new Set(orders.map(({ id }) => id));
    return [...own, ...trades.slice(before + 1).filter(({ order_id }) => !ids.has(order_id))];
  }

  #keep(orders: readonly PaperOrderRow[], fills: readonly PaperFillRow[]): void {
    for (const order of orders) {
      this.orders.set(order.id, order);
      const resting = this.#resting.get(order.token_id) ?? new Set();
      this.#resting.set(order.token_id, resting);
      if (order.status === 'open') resting.add(order.id);
      else resting.delete(order.id);
    }
    for (const fill of fills) {
      this.fills.set(fill.order_id, [...(this.fills.get(fill.order_id) ?? []), fill]);
      const trades = this.#trades.get(fill.token_id) ?? [];
      trades.push(fill);
      this.#trades.set(fill.token_id, trades);
    }
  }
}

function offersIn(snapshot: MarketSnapshot, side: Side) {
  if (snapshot === null) return null;
  return 'book' in snapshot ? offersOfBook(snapshot.book, side) : offersOfQuote(snapshot.quote, side);
}
