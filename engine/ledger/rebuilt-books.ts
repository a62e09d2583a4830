import type { OrderStatus } from '../../db/entities/order.ts';
import { applyFill, type FillPart } from '../books/accounting/apply-fill.ts';
import { feeWithheldInKind } from '../books/accounting/fee-withheld-in-kind.ts';
import { utcDay } from '../platform/clock/utc-day.ts';
import { type DecimalInput, Exact, exact, sumOf, ZERO } from '../platform/decimal.ts';
import { canExpire, isLive, RESERVING_STATUSES } from '../platform/order-states.ts';
import { BuyReserves, type Reserved } from './buy-reserves.ts';
import type {
  CashRow,
  FillEntry,
  FillRow,
  FirstSeen,
  LedgerOrderRow,
  Report,
  ReservationRow,
  StepRow,
  StoredBooks,
} from './rows.ts';

export type BookedPosition = {
  id: string;
  tokenId: string;
  blueprintId: string;
  amount: Exact;
  totalCost: Exact;
  realizedPnl: Exact;
  fees: Exact;
  fillCount: number;
  /** The time of its last opening from nothing; absent before. */
  openedAt?: string;
};

/** The values of the books from one moment on. */
export type BooksSnapshot = { atMs: number; cash: Exact; realizedPnl: Exact; totalCost: Exact };

type NewOrder = Omit<FirstSeen, 'dispatch'> & Partial<Pick<FirstSeen, 'dispatch'>>;
export type BookedOrder = {
  readonly row: LedgerOrderRow;
  readonly allocations: readonly ReservationRow[];
  readonly dispatch: FirstSeen['dispatch'];
  status: OrderStatus | null;
  /** The moment from which it can no longer trade, though no step says so. Infinity: it never lapses by time. */
  lapsesAtMs: number;
  /** Steps taken so far. */
  readonly steps: StepRow[];
  /** The venue's ids of its trades. */
  readonly tradeIds: Set<string>;
  /** Steps and fills still to come. */
  entriesLeft: number;
  filledAmount: Exact;
  filledNotional: Exact;
  fees: Exact;
  /** The amount its fills drew from each position. */
  readonly soldByPosition: Map<string, Exact>;
};

/**
 * Rebuilds the account's books from the fills and steps alone, in the order of the ledger. It uses the same pure functions.
 * Their values at any moment are those that a decision of that moment should have seen.
 */
export class RebuiltBooks {
  readonly positions = new Map<string, BookedPosition>();
  readonly realizedByDay = new Map<string, Exact>();
  /** The money paid for buys, not rounded, by UTC day and then by connection. */
  readonly paidByDay = new Map<string, Map<string | null, Exact>>();
  cash: Exact;
  realizedPnl: Exact = ZERO;
  lastLossAt: Date | null = null;
  /** The values since the last fill, or the deposit. */
  moment: BooksSnapshot;
  #totalCost: Exact = ZERO;
  readonly #orders = new Map<string | null, BookedOrder>();
  readonly #live = new Set<BookedOrder>();
  readonly #reserves = new BuyReserves();
  /** When orders entered `queued`, in the order of the ledger: buys, and all of them. */
  readonly #buysQueuedAtMs: number[] = [];
  readonly #queuedAtMs: number[] = [];
  readonly #report: Report;

  constructor({ deposits, positions }: Pick<StoredBooks, 'deposits' | 'positions'>, report: Report) {
    this.#report = report;
    this.cash = sumOf(deposits.map(({ amount }) => amount));
    this.moment = { atMs: 0, cash: this.cash, realizedPnl: ZERO, totalCost: ZERO };
    for (const { id, token_id, blueprint_id } of positions) {
      this.positions.set(id, {
        id,
        tokenId: token_id,
        blueprintId: blueprint_id,
        amount: ZERO,
        totalCost: ZERO,
        realizedPnl: ZERO,
        fees: ZERO,
        fillCount: 0,
      });
    }
  }

  /** Begins the record of an order. */
  open({ row, allocations, entries, dispatch = null }: NewOrder): BookedOrder {
    const order: BookedOrder = {
      row,
      allocations,
      dispatch,
      status: null,
      lapsesAtMs: Number.POSITIVE_INFINITY,
      steps: [],
      tradeIds: new Set(),
      entriesLeft: entries,
      filledAmount: ZERO,
      filledNotional: ZERO,
      fees: ZERO,
      soldByPosition: new Map(),
    };
    this.#orders.set(row.id, order);
    return order;
  }

  /** The record of an order that more entries follow. Undefined if none follow, or for a fill without an order. */
  order(id: string | null): BookedOrder | undefined {
    return this.#orders.get(id);
  }

  /** Forgets an order that no entry follows; while it lives it still reserves. */
  forget({ row }: BookedOrder): void {
    this.#orders.delete(row.id);
  }

  /** Books a step of an order. */
  step(order: BookedOrder, step: StepRow): void {
    order.status = step.to_status;
    order.lapsesAtMs = lapsesAtMs(step);
    order.steps.push(step);
    if (step.to_status === 'queued') {
      this.#queuedAtMs.push(Date.parse(step.at));
      if (order.row.side === 'buy') this.#buysQueuedAtMs.push(Date.parse(step.at));
    }
    if (isLive(step.to_status)) this.#live.add(order);
    else this.#live.delete(order);
    this.#reserve(order);
  }

  /** Books a fill, and reports each part of it that was booked differently. */
  fill({ fill, parts, cash }: FillEntry): void {
    const facts = {
      side: fill.side,
      amount: exact(fill.amount),
      price: exact(fill.price),
      fee: exact(fill.fee),
      withheld: feeWithheldInKind({
        side: fill.side,
        tokenId: fill.token_id,
        feeAsset: fill.fee_asset,
        feeAmount: fill.fee_amount,
      }),
    };
    const known = parts.flatMap((part) => {
      const position = this.positions.get(part.position_id);
      return position === undefined ? [] : [{ position, part }];
    });
    const applied = applyFill(
      facts,
      known.map(({ position, part }) => ({
        positionId: position.id,
        amount: position.amount,
        totalCost: position.totalCost,
        draw: exact(part.amount),
      })),
    );
    const [first] = parts;
    if (facts.side === 'buy' && first !== undefined)
      this.#compare('fill_allocation', fill.id, 'amount', facts.amount.minus(facts.withheld), first.amount);
    for (const [index, part] of applied.parts.entries()) {
      const booked = known[index];
      if (booked === undefined) continue;
      this.#compare('fill_allocation', fill.id, 'cost', part.cost, booked.part.cost);
      this.#compare('fill_allocation', fill.id, 'fee', part.fee, booked.part.fee);
      this.#compare('fill_allocation', fill.id, 'realizedPnl', part.realizedPnl, booked.part.realized_pnl);
      this.#movePosition(booked.position, fill, part);
    }
    const order = this.order(fill.order_id);
    if (order !== undefined) {
      order.tradeIds.add(fill.venue_trade_id);
      const sign = fill.kind === 'reversal' ? -1 : 1;
      order.filledAmount = order.filledAmount.plus(facts.amount.times(sign));
      order.filledNotional = order.filledNotional.plus(applied.notional.times(sign));
      order.fees = order.fees.plus(facts.fee);
      for (const { positionId, amount } of applied.parts) {
        order.soldByPosition.set(
          positionId,
          (order.soldByPosition.get(positionId) ?? ZERO).plus(amount.times(sign)),
        );
      }
      this.#reserve(order);
    }
    const proceeds = facts.side === 'buy' ? applied.traded.negated() : applied.traded;
    this.#moveCash(fill, proceeds.minus(facts.fee), cash);
    this.realizedPnl = this.realizedPnl.plus(applied.realizedPnl);
    const day = utcDay(new Date(fill.applied_at));
    this.realizedByDay.set(day, (this.realizedByDay.get(day) ?? ZERO).plus(applied.realizedPnl));
    if (fill.kind === 'trade' && fill.side === 'buy')
      this.#paid(day, fill.connection_id, facts.amount.times(facts.price));
    if (applied.isLoss) this.lastLossAt = new Date(fill.applied_at);
    this.#remember(fill.applied_at);
  }

  /** Books money that moved without a fill. */
  move({ kind, amount, at }: CashRow): void {
    this.cash = this.cash.plus(amount);
    if (kind === 'fee_true_up') {
      const day = utcDay(new Date(at));
      this.realizedPnl = this.realizedPnl.plus(amount);
      this.realizedByDay.set(day, (this.realizedByDay.get(day) ?? ZERO).plus(amount));
    }
    this.#remember(at);
  }

  #reserve(order: BookedOrder): void {
    if (order.row.side === 'buy' && this.#live.has(order)) this.#reserves.put(order);
    else this.#reserves.drop(order);
  }

  #remember(at: string): void {
    const { cash, realizedPnl } = this;
    this.moment = { atMs: Date.parse(at), cash, realizedPnl, totalCost: this.#totalCost };
  }

  #paid(day: string, connectionId: string | null, usd: Exact): void {
    const paid = this.paidByDay.get(day) ?? new Map<string | null, Exact>();
    paid.set(connectionId, (paid.get(connectionId) ?? ZERO).plus(usd));
    this.paidByDay.set(day, paid);
  }

  #movePosition(position: BookedPosition, { id, side, applied_at }: FillRow, part: FillPart): void {
    const sign = side === 'buy' ? 1 : -1;
    if (side === 'buy' && position.amount.isZero()) position.openedAt = applied_at;
    this.#totalCost = this.#totalCost.plus(part.cost.times(sign));
    position.amount = position.amount.plus(part.amount.times(sign));
    position.totalCost = position.totalCost.plus(part.cost.times(sign));
    position.realizedPnl = position.realizedPnl.plus(part.realizedPnl);
    position.fees = position.fees.plus(part.fee);
    position.fillCount++;
    if (position.amount.isNegative()) {
      this.#report(
        'position',
        position.id,
        `amount after fill ${id}`,
        '0 or more',
        position.amount.toFixed(),
      );
    }
  }

  #moveCash({ id }: FillRow, change: Exact, entries: readonly CashRow[]): void {
    this.cash = this.cash.plus(change);
    this.#compare('cash_entry', id, 'amount', change, sumOf(entries.map(({ amount }) => amount)));
  }

  /** The current holdings, by instrument. */
  heldByToken(): Map<string, { amount: Exact; totalCost: Exact }> {
    const held = new Map<string, { amount: Exact; totalCost: Exact }>();
    for (const { tokenId, amount, totalCost } of this.positions.values()) {
      if (amount.lte(0)) continue;
      const sum = held.get(tokenId) ?? { amount: ZERO, totalCost: ZERO };
      held.set(tokenId, { amount: sum.amount.plus(amount), totalCost: sum.totalCost.plus(totalCost) });
    }
    return held;
  }

  /** Counts buys that entered `queued` after a moment, or all such orders. */
  queuedAfter(sinceMs: number, { withSells = false }: { withSells?: boolean } = {}): number {
    const moments = withSells ? this.#queuedAtMs : this.#buysQueuedAtMs;
    return moments.length - (moments.findLastIndex((queuedAtMs) => queuedAtMs <= sinceMs) + 1);
  }

  /** The reserves of buys that can still trade at `now`, except one order. */
  reservedAt(now: Date, exceptOrderId: string): Reserved {
    return this.#reserves.at(now.getTime(), exceptOrderId);
  }

  /** Buys that can still trade at `now`, except one order. */
  liveBuys(now: Date, exceptOrderId: string): BookedOrder[] {
    return this.#liveAt(now, exceptOrderId).filter(({ row }) => row.side === 'buy');
  }

  /** The free amount of a position at `now`: held, less what the other cleared sells still intend to sell. */
  freeOf({ id, amount }: BookedPosition, now: Date, exceptOrderId: string): Exact {
    const reserved = this.#liveAt(now, exceptOrderId)
      .filter(({ status }) => RESERVING.has(status))
      .flatMap((order) =>
        order.allocations
          .filter(({ position_id }) => position_id === id)
          .map((reservation) => exact(reservation.amount).minus(order.soldByPosition.get(id) ?? ZERO)),
      );
    return reserved.reduce((free, left) => free.minus(Exact.max(left, ZERO)), amount);
  }

  #liveAt(now: Date, exceptOrderId: string): BookedOrder[] {
    return [...this.#live].filter(
      ({ row, lapsesAtMs }) => row.id !== exceptOrderId && lapsesAtMs > now.getTime(),
    );
  }

  #compare(subject: string, id: string, field: string, expected: Exact, actual: DecimalInput): void {
    if (!expected.eq(actual)) this.#report(subject, id, field, expected.toFixed(), exact(actual).toFixed());
  }
}

const RESERVING: ReadonlySet<OrderStatus | null> = new Set(RESERVING_STATUSES);

const lapsesAtMs = ({ to_status: status, expires_at }: StepRow): number =>
  expires_at !== null && canExpire(status) ? Date.parse(expires_at) : Number.POSITIVE_INFINITY;
