import { type Exact, exact, sumOf } from '../../platform/decimal.ts';
import { isFinal } from '../../platform/order-states.ts';
import type { BookedOrder } from '../rebuilt-books.ts';
import type { FillRow, LedgerPage, PaperFillRow, PaperOrderRow, Report } from '../rows.ts';

/**
 * The paper venue's own record. Every booked trade must be in it, and each of its trades must be booked once its order ended.
 */
export class PaperVenueCheck {
  readonly #orders: ReadonlyMap<string, PaperOrderRow>;
  readonly #trades: ReadonlyMap<string, PaperFillRow>;
  readonly #tradesOf: ReadonlyMap<string, readonly PaperFillRow[]>;

  constructor({ paperOrders, paperFills }: Pick<LedgerPage, 'paperOrders' | 'paperFills'>) {
    this.#orders = new Map(paperOrders.map((order) => [order.id, order]));
    this.#trades = new Map(paperFills.map((trade) => [trade.id, trade]));
    this.#tradesOf = Map.groupBy(paperFills, ({ order_id }) => order_id);
  }

  compareFillWithOrder(fill: FillRow, report: Report): void {
    if (fill.kind !== 'trade') return;
    const trade = this.#trades.get(fill.venue_trade_id);
    if (trade === undefined)
      report('fill', fill.id, 'venueTradeId', 'a trade of the venue', fill.venue_trade_id);
    else compareWords('fill', fill.id, 'trade of the venue', inWords(trade), inWords(fill), report);
  }

  /** Compares an order without entries to come. */
  compareOrder({ row, status, tradeIds }: BookedOrder, report: Report): void {
    const trades = this.#tradesOf.get(row.id) ?? [];
    const isExhausted = status !== null && isFinal(status);
    for (const trade of isExhausted ? trades : []) {
      if (!tradeIds.has(trade.id)) report('paper_fill', trade.id, 'booked', inWords(trade), 'never');
    }
    const stored = this.#orders.get(row.id);
    if (stored === undefined) return;
    const filled: Exact = sumOf(trades.map(({ amount }) => amount));
    if (!filled.eq(stored.filled_amount))
      report('paper_order', row.id, 'filledAmount', filled.toFixed(), exact(stored.filled_amount).toFixed());
    compareWords('paper_order', row.id, 'terms', termsOf(row), termsOf(stored), report);
  }
}

type Trade = Omit<PaperFillRow, 'id' | 'order_id'> & { readonly order_id: string | null };
const inWords = ({ order_id, token_id, side, amount, price, fee }: Trade) =>
  `${side} ${exact(amount).toFixed()} ${token_id} at ${exact(price).toFixed()}, fee ${exact(fee).toFixed()}, of order ${order_id}`;

type Terms = Omit<PaperOrderRow, 'id' | 'filled_amount'>;
const termsOf = ({ token_id, venue, side, amount, limit_price }: Terms) =>
  `${side} ${exact(amount).toFixed()} ${token_id} at ${exact(limit_price).toFixed()} on ${venue}`;

function compareWords(
  subject: string,
  id: string,
  field: string,
  expected: string,
  actual: string,
  report: Report,
): void {
  if (expected !== actual) report(subject, id, field, expected, actual);
}
