import type { Selectable } from 'kysely';
import type { OrderStatus } from '../../../db/entities/order.ts';
import type { Database } from '../../../db/tables.ts';
import {
  type AccountDayRow,
  type Booking,
  type CashRow,
  type FillPartRow,
  type FillRow,
  moveAccount,
  moveDay,
  movePosition,
  type PositionRow,
  type TradingAccountRow,
} from '../../books/accounting/booking.ts';
import type { MarkedQuote } from '../../books/accounting/mark.ts';
import type { AuditEntry } from '../../platform/audit/audit.ts';
import { utcDay } from '../../platform/clock/utc-day.ts';
import type { BooksKey } from '../../platform/context.ts';
import { exact } from '../../platform/decimal.ts';
import { notFound } from '../../platform/errors.ts';
import type { AccountEvent } from '../../platform/events/events.ts';
import { isLive } from '../../platform/order-states.ts';
import {
  type DrawdownState,
  type DrawdownStateRow,
  rowOfDrawdownState,
  startDrawdownState,
} from '../../risk/drawdown-state.ts';
import { measureRisk } from '../../risk/measure-risk.ts';
import type { RiskSnapshot } from '../../risk/risk-snapshot.ts';
import { rulesOf } from '../../risk/rule-limits.ts';
import {
  type Books,
  type Deployment,
  type ExtraOrderLimits,
  NO_EXTRA_LIMITS,
} from '../../trading/orders/entry/account/books.ts';
import { type OrderChange, withOrderChange } from '../../trading/orders/lifecycle/order-change.ts';
import type { InstrumentRow, Market, OrderRow } from '../../trading/orders/row.ts';
import type { Allocation, FreeHolding } from '../../trading/orders/terms/allocate.ts';
import { freeHoldings, type HoldingsQuery } from '../../trading/orders/terms/free-holdings.ts';
import { noSuchInstrumentError } from '../../trading/orders/terms/market-checks.ts';
import type { RulesRow } from '../../usecases/risk-rules/change.ts';

export type TransitionRow = Omit<Selectable<Database['order_transition']>, 'seq' | 'digest'>;
export type AllocationRow = Selectable<Database['order_allocation']>;

/** The books that an account starts with. */
export type OpeningBooks = {
  readonly key: BooksKey;
  readonly rules: RulesRow;
  readonly account: TradingAccountRow;
  /**
   * Stores only rows that decisions read, and deletes those that {@link SimulatedBooks.drop} is called for. Logs are not collected:
   * transitions, parts of fills, cash entries, audit rows and events. Memory thus does not grow with trades.
   */
  readonly isLean?: boolean;
};

/** A cleared buy counts for this long in the rate of the last minute. */
const CLEARED_COUNTS_MS = 60_000;

/**
 * The rows of one account in one mode, and of its markets, in the form of the database. Makes no decisions: rows are found,
 * inserted and changed.
 */
export class SimulatedBooks implements Books {
  readonly key: BooksKey;
  rules: RulesRow;
  account: TradingAccountRow;
  /** State of the drawdown stop, while it is on. */
  watch: DrawdownStateRow | null;
  readonly days = new Map<string, AccountDayRow>();
  readonly orders = new Map<string, OrderRow>();
  readonly transitions: TransitionRow[] = [];
  readonly allocations = new Map<string, readonly AllocationRow[]>();
  readonly positions = new Map<string, PositionRow>();
  readonly fills = new Map<string, FillRow[]>();
  readonly payouts: FillRow[] = [];
  readonly parts: FillPartRow[] = [];
  readonly cash: CashRow[] = [];
  readonly audits: AuditEntry[] = [];
  readonly events: (AccountEvent & { readonly at: string })[] = [];
  readonly deployments = new Map<string, Deployment>();
  readonly instruments = new Map<string, InstrumentRow>();
  readonly quotes = new Map<string, MarkedQuote>();
  /** Live orders, and the number of log rows of each. */
  readonly #live = new Set<string>();
  readonly #steps = new Map<string, number>();
  /** By deployment, node and step: a step creates one order. */
  readonly #ofSteps = new Map<string, OrderRow['id']>();
  /** Orders in the order of their clearing, at least those of the last minute. */
  #cleared: string[] = [];
  /** Orders created or changed since they were last taken. */
  #touched = new Set<string>();
  readonly #isLean: boolean;

  constructor({ key, rules, account, isLean = false }: OpeningBooks) {
    this.key = key;
    this.rules = rules;
    this.account = account;
    this.watch =
      rulesOf(rules).maxDrawdown === undefined
        ? null
        : rowOfDrawdownState(startDrawdownState(exact(account.realized_pnl), new Date(account.created_at)));
    this.#isLean = isLean;
  }

  get hasTouched(): boolean {
    return this.#touched.size > 0;
  }

  /** Returns the orders created or changed since the last call, in that order. */
  takeTouched(): OrderRow[] {
    const touched = [...this.#touched].flatMap((id) => this.orders.get(id) ?? []);
    this.#touched = new Set();
    return touched;
  }

  /** Drops an ended order and its fills: they have been read. */
  drop({ id, deployment_id, node_id, step_at }: OrderRow): void {
    this.orders.delete(id);
    this.allocations.delete(id);
    this.fills.delete(id);
    this.#steps.delete(id);
    if (deployment_id !== null && node_id !== null && step_at !== null) {
      this.#ofSteps.delete(stepKey(deployment_id, node_id, step_at));
    }
  }

  audit(entries: readonly AuditEntry[], actor: string): void {
    if (!this.#isLean) this.audits.push(...entries.map((entry) => ({ actor, ...entry })));
  }

  tell(events: readonly AccountEvent[], now: Date): void {
    if (!this.#isLean) this.events.push(...events.map((event) => ({ ...event, at: now.toISOString() })));
  }

  /** Returns the order that a step has created already. */
  orderOfStep(deploymentId: string, nodeId: string, stepAt: string): OrderRow | undefined {
    return this.orders.get(this.#ofSteps.get(stepKey(deploymentId, nodeId, stepAt)) ?? '');
  }

  order(id: string): OrderRow {
    const order = this.orders.get(id);
    if (order === undefined) throw notFound();
    return order;
  }

  allocationsOf(orderId: string): readonly AllocationRow[] {
    return this.allocations.get(orderId) ?? [];
  }

  deployment(id: string): Deployment | undefined {
    return this.deployments.get(id);
  }

  market(tokenId: string): Market {
    const instrument = this.instruments.get(tokenId);
    if (instrument === undefined) throw noSuchInstrumentError(tokenId);
    return { instrument, quote: this.quotes.get(tokenId) ?? null };
  }

  holdings(query: HoldingsQuery): FreeHolding[] {
    return freeHoldings(this.positions.values(), this.reserving(), query);
  }

  liveSells(): OrderRow[] {
    return this.liveOrders();
  }

  liveBuys(): OrderRow[] {
    return this.liveOrders();
  }

  /** Measures what the rules see at `now`. The order `leaveOut` does not count against itself. */
  snapshot(now: Date, excludedId?: string): RiskSnapshot {
    const { rules, account, watch, days, positions, quotes } = this;
    return measureRisk(
      {
        rules,
        account,
        watch,
        dayOn: (day) => days.get(day),
        orders: this.measuredOrders(now),
        positions: positions.values(),
        quoteOf: (tokenId) => quotes.get(tokenId),
      },
      now,
      excludedId,
    );
  }

  /** Paper money without keys has no bounds. */
  bounds(): ExtraOrderLimits {
    return NO_EXTRA_LIMITS;
  }

  trip(at: Date, reason: string): void {
    this.account = { ...this.account, tripped_at: at.toISOString(), trip_reason: reason };
  }

  /** Live orders, oldest first. */
  liveOrders(): OrderRow[] {
    return [...this.#live].sort().flatMap((id) => this.orders.get(id) ?? []);
  }

  /** Yields live orders, and those cleared in the last minute. */
  *measuredOrders(now: Date): Generator<OrderRow> {
    const since = now.getTime() - CLEARED_COUNTS_MS;
    this.#cleared = this.#cleared.filter((id) => {
      const at = this.orders.get(id)?.queued_at;
      return at != null && Date.parse(at) > since;
    });
    for (const id of new Set([...this.#live, ...this.#cleared])) {
      const order = this.orders.get(id);
      if (order !== undefined) yield order;
    }
  }

  /** Returns the amounts that live orders may take from positions. */
  reserving() {
    return this.liveOrders().flatMap((order) =>
      (this.allocations.get(order.id) ?? []).map((allocation) => ({ ...allocation, order })),
    );
  }

  /** Returns sells of an instrument that wait for approval, with their reserves. */
  waitingSells(tokenId: string) {
    const waiting = this.liveOrders().filter(
      ({ status, side, token_id }) => status === 'pending' && side === 'sell' && token_id === tokenId,
    );
    return waiting.map((order) => ({
      order,
      allocations: (this.allocations.get(order.id) ?? []).map(({ position_id, amount }) => ({
        positionId: position_id,
        blueprintId: this.positions.get(position_id)?.blueprint_id ?? '',
        amount: exact(amount),
      })),
    }));
  }

  /** Inserts an order, with the first row of its log and its reserves. */
  insertOrder(order: OrderRow, allocations: readonly Allocation[], actor: string): void {
    this.#put(order);
    const { id, deployment_id, node_id, step_at } = order;
    if (deployment_id !== null && node_id !== null && step_at !== null) {
      this.#ofSteps.set(stepKey(deployment_id, node_id, step_at), id);
    }
    this.#log(order, { from: null, actor, reason: order.reason });
    if (allocations.length === 0) return;
    this.allocations.set(
      order.id,
      allocations.map(({ positionId, amount }, index) => ({
        account_id: order.account_id,
        order_id: order.id,
        number: index + 1,
        position_id: positionId,
        amount: amount.toFixed(),
        filled_amount: '0',
      })),
    );
  }

  changeOrders(changes: readonly OrderChange[]): void {
    for (const change of changes) this.#changeOrder(change);
  }

  #changeOrder(change: OrderChange): void {
    const { before, step, released } = change;
    const after = withOrderChange(change);
    this.#put(after);
    this.#setAllocations(after.id, (each) =>
      released.includes(each.position_id) ? { ...each, amount: '0' } : each,
    );
    if (step !== null) {
      this.#log(after, { from: before.status, actor: step.actor, reason: step.reason });
    }
  }

  /** Sets the venue's id of an order, which is no change of status. */
  nameOrder(id: string, venueOrderId: string): void {
    const order = this.orders.get(id);
    if (order !== undefined) this.orders.set(id, { ...order, venue_order_id: venueOrderId });
  }

  /** Subtracts a fill from the reserves of its order. */
  drawAllocations(
    orderId: string,
    changed: readonly { readonly position_id: string; readonly filled_amount: string }[],
  ): void {
    this.#setAllocations(orderId, (each) => {
      const after = changed.find(({ position_id }) => position_id === each.position_id);
      return after === undefined ? each : { ...each, filled_amount: after.filled_amount };
    });
  }

  storeWatch(watch: DrawdownState | null): void {
    this.watch = watch && rowOfDrawdownState(watch);
  }

  openDay(day: AccountDayRow): void {
    if (!this.days.has(day.day)) this.days.set(day.day, day);
  }

  book({ fill, positions, parts, cash, account, at }: Booking): void {
    if (fill.order_id === null) this.payouts.push(fill);
    else this.fills.set(fill.order_id, [...(this.fills.get(fill.order_id) ?? []), fill]);
    for (const move of positions) {
      const position = this.positions.get(move.positionId);
      if (position !== undefined) this.positions.set(position.id, movePosition(position, move, at));
    }
    if (!this.#isLean) {
      this.parts.push(...parts);
      this.cash.push(...cash);
    }
    this.account = moveAccount(this.account, account, at);
    const day = this.days.get(utcDay(at));
    if (day !== undefined) this.days.set(day.day, moveDay(day, account));
  }

  #put(order: OrderRow): void {
    const before = this.orders.get(order.id);
    this.orders.set(order.id, order);
    this.#touched.add(order.id);
    if (isLive(order.status)) this.#live.add(order.id);
    else this.#live.delete(order.id);
    if (order.queued_at !== null && before?.queued_at == null) this.#cleared.push(order.id);
  }

  #log(order: OrderRow, step: { from: OrderStatus | null; actor: string; reason: string | null }): void {
    if (this.#isLean) return;
    const number = (this.#steps.get(order.id) ?? 0) + 1;
    this.#steps.set(order.id, number);
    this.transitions.push({
      account_id: order.account_id,
      order_id: order.id,
      number,
      from_status: step.from,
      to_status: order.status,
      at: order.updated_at,
      expires_at: order.expires_at,
      actor: step.actor,
      reason: step.reason,
    });
  }

  #setAllocations(orderId: string, change: (each: AllocationRow) => AllocationRow): void {
    const allocations = this.allocations.get(orderId);
    if (allocations !== undefined) this.allocations.set(orderId, allocations.map(change));
  }
}

const stepKey = (...parts: readonly [deploymentId: string, nodeId: string, stepAt: string]): string =>
  parts.join(' ');
