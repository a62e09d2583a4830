import type { FillRow } from '../../../books/accounting/booking.ts';
import { type Exact, exact, ZERO } from '../../../platform/decimal.ts';
import type { OrderRow } from '../../../trading/orders/row.ts';
import type { TopOfBook } from '../bars/top-of-book.ts';
import { plainDecimal } from '../plain-decimal.ts';
import type { BacktestSummary } from '../result.ts';

type Book = Pick<TopOfBook, 'bid' | 'ask'> | null;
type Kind = 'fee' | 'spread' | 'slippage' | 'delay' | 'unfilled';

/**
 * Adds up what orders cost against the midpoint at their decision (implementation shortfall, Perold 1988).
 * - `delay`: the midpoint moved until the fill, or up to its price where no midpoint is known then.
 * - `spread`: from there to the top of the book, or to the price of a resting order.
 * - `slippage`: beyond the top.
 * - `unfilled`: the midpoint moved until the order ended, for the amount that was not filled.
 */
export class ExecutionCosts {
  readonly #decidedAt = new Map<string, Exact>();
  readonly #costs: Record<Kind, Exact> = {
    fee: ZERO,
    spread: ZERO,
    slippage: ZERO,
    delay: ZERO,
    unfilled: ZERO,
  };
  #notional = ZERO;
  #measuredNotional = ZERO;
  #orders = 0;
  #unmeasured = 0;

  decided(order: Pick<OrderRow, 'id'>, book: Book): void {
    const mid = midOf(book);
    this.#orders++;
    if (mid === null) this.#unmeasured++;
    else this.#decidedAt.set(order.id, mid);
  }

  filled(
    order: Pick<OrderRow, 'id' | 'side'>,
    fill: Pick<FillRow, 'amount' | 'price' | 'fee' | 'liquidity'>,
    book: Book,
  ): void {
    this.#costs.fee = this.#costs.fee.plus(fill.fee);
    const price = exact(fill.price);
    const notional = price.times(fill.amount);
    this.#notional = this.#notional.plus(notional);
    const decided = this.#decidedAt.get(order.id);
    if (decided === undefined) return;
    this.#measuredNotional = this.#measuredNotional.plus(notional);
    const mid = midOf(book);
    const side = order.side === 'buy' ? book?.ask : book?.bid;
    const top =
      fill.liquidity === 'maker' || mid === null || side == null ? price : exact(plainDecimal(side));
    // Without two sides at the fill, all of the distance counts as the market's move.
    this.#add('delay', order, (mid ?? price).minus(decided), fill.amount);
    this.#add('spread', order, top.minus(mid ?? price), fill.amount);
    this.#add('slippage', order, price.minus(top), fill.amount);
  }

  ended(order: Pick<OrderRow, 'id' | 'side' | 'amount' | 'filled_amount'>, book: Book): void {
    const decided = this.#decidedAt.get(order.id);
    this.#decidedAt.delete(order.id);
    const unfilled = exact(order.amount).minus(order.filled_amount);
    if (decided === undefined || unfilled.isZero()) return;
    const mid = midOf(book);
    if (mid === null) this.#unmeasured++;
    else this.#add('unfilled', order, mid.minus(decided), unfilled);
  }

  costs(): BacktestSummary['costs'] {
    const { fee, spread, slippage, delay, unfilled } = this.#costs;
    return {
      notional: this.#notional.toFixed(),
      measuredNotional: this.#measuredNotional.toFixed(),
      fee: fee.toFixed(),
      spread: spread.toFixed(),
      slippage: slippage.toFixed(),
      delay: delay.toFixed(),
      unfilled: unfilled.toFixed(),
      orders: this.#orders,
      unmeasured: this.#unmeasured,
    };
  }

  /** A higher price costs a buy, and earns a sell. */
  #add(kind: Kind, { side }: Pick<OrderRow, 'side'>, move: Exact, amount: Exact | string): void {
    if (move.isZero()) return;
    const cost = move.times(amount);
    this.#costs[kind] = side === 'buy' ? this.#costs[kind].plus(cost) : this.#costs[kind].minus(cost);
  }
}

const HALF = exact('0.5');

const midOf = (book: Book): Exact | null =>
  book === null || book.bid === null || book.ask === null
    ? null
    : exact(plainDecimal(book.bid)).plus(plainDecimal(book.ask)).times(HALF);
