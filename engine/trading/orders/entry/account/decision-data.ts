import type { AccountDayRow } from '../../../../books/accounting/booking.ts';
import type { AuditEntry } from '../../../../platform/audit/audit.ts';
import type { BooksKey } from '../../../../platform/context.ts';
import { exact } from '../../../../platform/decimal.ts';
import { notFound } from '../../../../platform/errors.ts';
import type { AccountEvent } from '../../../../platform/events/events.ts';
import { isLive, isReserving } from '../../../../platform/order-states.ts';
import type { DrawdownState } from '../../../../risk/drawdown-state.ts';
import { withMeasuredOrder } from '../../../../risk/measure-risk.ts';
import type { RiskSnapshot } from '../../../../risk/risk-snapshot.ts';
import { type OrderChange, withOrderChange } from '../../lifecycle/order-change.ts';
import type { WaitingSell } from '../../lifecycle/plan-waiting-sell-release.ts';
import type { Market, OrderRow } from '../../row.ts';
import type { Allocation, FreeHolding } from '../../terms/allocate.ts';
import type { HoldingsQuery } from '../../terms/free-holdings.ts';
import { noSuchInstrumentError } from '../../terms/market-checks.ts';
import type { Sell } from '../active-deployment.ts';
import type { AllocatedHoldings } from '../evaluate-proposal.ts';
import type { Books, Deployment, ExtraOrderLimits } from './books.ts';

/** A rechecked order with its allocations. */
export type RecheckedOrder = Pick<AllocatedHoldings, 'allocations'> & { readonly order: OrderRow };

/** A position with its free amount. */
export type HeldUnits = FreeHolding & { readonly tokenId: string };

/** Parts of an account's books, read under its lock. */
export type Loaded = {
  readonly deployments: readonly Deployment[];
  readonly ordersOfSteps: readonly OrderRow[];
  readonly markets: ReadonlyMap<string, Market>;
  /** Positions in the instruments that are to be sold, oldest first. */
  readonly holdings: readonly HeldUnits[];
  /** Live sells in these instruments, and below those that wait for approval. */
  readonly sells: readonly Sell[];
  readonly waitingSells: readonly WaitingSell[];
  /** Null for an account without rules or money in this mode, which has no holdings. */
  readonly snapshot: RiskSnapshot | null;
  readonly bounds: ExtraOrderLimits;
  /** The rechecked order: the snapshot, the holdings and the limits exclude it. */
  readonly rechecked: RecheckedOrder | null;
  /** Empty unless the account is to be stopped. */
  readonly liveBuys: readonly OrderRow[];
};

/** A new order with its actor. */
export type NewOrder = {
  readonly order: OrderRow;
  readonly allocations: readonly Allocation[];
  readonly actor: string;
};

/** Changes made by decisions, each kind in the order of its occurrence. */
export type Changes = {
  readonly day: AccountDayRow | null;
  readonly orders: readonly NewOrder[];
  readonly changes: readonly OrderChange[];
  readonly trip: { readonly at: Date; readonly reason: string } | null;
  readonly watch: DrawdownState | null;
  readonly audits: readonly AuditEntry[];
  readonly events: readonly AccountEvent[];
};

const NONE: Changes = { day: null, orders: [], changes: [], trip: null, watch: null, audits: [], events: [] };

/** The books as a read would return them if every decision were stored. */
type AccountState = Pick<Loaded, 'snapshot' | 'holdings' | 'sells' | 'liveBuys'> & { readonly made: Changes };

/** Books loaded under the account's lock. Collects changes until they are saved or dropped; replaces values, never edits. */
export class DecisionData implements Books {
  readonly key: BooksKey;
  readonly #loaded: Loaded;
  #state: AccountState;

  constructor(key: BooksKey, loaded: Loaded) {
    const { snapshot, holdings, sells, liveBuys } = loaded;
    this.key = key;
    this.#loaded = loaded;
    this.#state = { snapshot, holdings, sells, liveBuys, made: NONE };
  }

  get made(): Changes {
    return this.#state.made;
  }

  /**
   * Whether more than new orders has changed, or the newest sell waits for approval, which a later decision may cancel: then save
   * and load again before the next decision.
   */
  get isSpent(): boolean {
    const { changes, trip, orders } = this.made;
    const newest = orders.at(-1)?.order;
    return changes.length > 0 || trip !== null || (newest?.side === 'sell' && newest.status === 'pending');
  }

  /** Makes a decision; if it throws, restores the state before it. */
  attempt<Result>(decide: () => Result): Result {
    const before = this.#state;
    try {
      return decide();
    } catch (error) {
      this.#state = before;
      throw error;
    }
  }

  deployment(id: string): Deployment | undefined {
    return this.#loaded.deployments.find((deployment) => deployment.id === id);
  }

  orderOfStep(deploymentId: string, nodeId: string, stepAt: string): OrderRow | undefined {
    const stepMs = Date.parse(stepAt);
    return this.#loaded.ordersOfSteps.find(
      ({ deployment_id, node_id, step_at }) =>
        deployment_id === deploymentId &&
        node_id === nodeId &&
        step_at !== null &&
        Date.parse(step_at) === stepMs,
    );
  }

  order(id: string): OrderRow {
    const order = this.#loaded.rechecked?.order;
    if (order?.id !== id) throw notFound();
    return order;
  }

  allocationsOf(orderId: string): AllocatedHoldings['allocations'] {
    const { rechecked } = this.#loaded;
    return rechecked?.order.id === orderId ? rechecked.allocations : [];
  }

  market(tokenId: string): Market {
    const market = this.#loaded.markets.get(tokenId);
    if (market === undefined) throw noSuchInstrumentError(tokenId);
    return market;
  }

  holdings({ tokenId, blueprintId }: HoldingsQuery): FreeHolding[] {
    return this.#state.holdings.filter(
      (held) => held.tokenId === tokenId && (blueprintId === null || held.blueprintId === blueprintId),
    );
  }

  liveSells(): readonly Sell[] {
    return this.#state.sells;
  }

  waitingSells(tokenId: string): readonly WaitingSell[] {
    return this.#loaded.waitingSells.filter(({ order }) => order.token_id === tokenId);
  }

  snapshot(): RiskSnapshot {
    const { snapshot } = this.#state;
    if (snapshot === null)
      throw new Error(`Account ${this.key.accountId} has no rules or no trading account.`);
    return snapshot;
  }

  bounds(): ExtraOrderLimits {
    return this.#loaded.bounds;
  }

  liveBuys(): readonly OrderRow[] {
    return this.#state.liveBuys;
  }

  openDay(day: AccountDayRow): void {
    const opened = {
      realizedPnl: exact(day.realized_pnl),
      openingUnrealizedPnl: exact(day.opening_unrealized_pnl),
    };
    this.#state = { ...this.#state, snapshot: { ...this.snapshot(), day: opened } };
    this.#make({ day });
  }

  insertOrder(order: OrderRow, allocations: readonly Allocation[], actor: string): void {
    const { holdings, sells } = this.#state;
    this.#state = {
      ...this.#state,
      snapshot: withMeasuredOrder(this.snapshot(), order),
      holdings: isReserving(order.status) ? without(holdings, order.token_id, allocations) : holdings,
      sells: order.side === 'sell' && isLive(order.status) ? [...sells, order] : sells,
    };
    this.#make({ orders: [...this.made.orders, { order, allocations, actor }] });
  }

  changeOrders(changes: readonly OrderChange[]): void {
    const after = new Map(changes.map((change) => [change.before.id, withOrderChange(change)]));
    const liveBuys = this.#state.liveBuys.map((buy) => after.get(buy.id) ?? buy);
    this.#state = { ...this.#state, liveBuys };
    this.#make({ changes: [...this.made.changes, ...changes] });
  }

  trip(at: Date, reason: string): void {
    this.#state = { ...this.#state, snapshot: { ...this.snapshot(), trippedAt: at } };
    this.#make({ trip: { at, reason } });
  }

  storeWatch(watch: DrawdownState | null): void {
    this.#make({ watch });
  }

  audit(entries: readonly AuditEntry[], actor: string): void {
    this.#make({ audits: [...this.made.audits, ...entries.map((entry) => ({ actor, ...entry }))] });
  }

  tell(events: readonly AccountEvent[]): void {
    this.#make({ events: [...this.made.events, ...events] });
  }

  #make(more: Partial<Changes>): void {
    this.#state = { ...this.#state, made: { ...this.made, ...more } };
  }
}

/** Subtracts the amounts that an order has reserved from the holdings of an instrument. */
function without(
  holdings: readonly HeldUnits[],
  tokenId: string,
  allocations: readonly Allocation[],
): readonly HeldUnits[] {
  if (allocations.length === 0) return holdings;
  return holdings.map((held) => {
    const allocation = allocations.find(({ positionId }) => positionId === held.positionId);
    if (held.tokenId !== tokenId || allocation === undefined) return held;
    return { ...held, free: held.free.minus(allocation.amount) };
  });
}
