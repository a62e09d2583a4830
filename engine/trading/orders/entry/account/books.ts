import type { AccountDayRow } from '../../../../books/accounting/booking.ts';
import type { AuditEntry } from '../../../../platform/audit/audit.ts';
import type { BooksKey } from '../../../../platform/context.ts';
import type { AccountEvent } from '../../../../platform/events/events.ts';
import type { DrawdownState } from '../../../../risk/drawdown-state.ts';
import type { LiveOrderInputs, RouteInputs, SpendingLimitInputs } from '../../../../risk/risk-inputs.ts';
import type { RiskSnapshot } from '../../../../risk/risk-snapshot.ts';
import type { OrderChange } from '../../lifecycle/order-change.ts';
import type { WaitingSell } from '../../lifecycle/plan-waiting-sell-release.ts';
import type { Market, OrderRow } from '../../row.ts';
import type { Allocation, FreeHolding } from '../../terms/allocate.ts';
import type { HoldingsQuery } from '../../terms/free-holdings.ts';
import type { RaisingDeployment, Sell } from '../active-deployment.ts';
import type { AllocatedHoldings } from '../evaluate-proposal.ts';

/** A deployment as far as it raises intents. */
export type Deployment = RaisingDeployment & { readonly id: string; readonly blueprint_id: string };

/** Limits of an order in addition to the rules: spending limits of its key and, with real money, route and live limits. */
export type ExtraOrderLimits = {
  readonly envelope: SpendingLimitInputs | null;
  readonly route: RouteInputs | null;
  readonly live: LiveOrderInputs | null;
};

export const NO_EXTRA_LIMITS: ExtraOrderLimits = { envelope: null, route: null, live: null };

/**
 * The books of one account in one mode, as decisions read and change them under one lock or in memory. No method waits, and
 * each decision reads the changes of those before it. The books include the markets that the account trades in.
 */
export type Books = {
  readonly key: BooksKey;

  deployment(id: string): Deployment | undefined;
  /** Returns the order that a step has already created. */
  orderOfStep(deploymentId: string, nodeId: string, stepAt: string): OrderRow | undefined;
  /** @throws DomainError `not_found`. */
  order(id: string): OrderRow;
  /** @throws DomainError `not_found`. */
  market(tokenId: string): Market;
  /** Returns the positions that a sell may draw on, oldest first. */
  holdings(query: HoldingsQuery): FreeHolding[];
  /** Returns at least the live sells of an instrument. */
  liveSells(tokenId: string): readonly Sell[];
  /** Returns the sells of an instrument that wait for approval, oldest first. */
  waitingSells(tokenId: string): readonly WaitingSell[];
  /** Returns the positions allocated to a pending sell. */
  allocationsOf(orderId: string): AllocatedHoldings['allocations'];
  /** Measures the rules' inputs at `now`. `leaveOut` is an order that must not count against itself when it is rechecked. */
  snapshot(now: Date, leaveOut?: string): RiskSnapshot;
  /** Returns the additional limits of the order under decision. */
  bounds(): ExtraOrderLimits;
  /** Returns at least the buys that can still trade. Loaded only if the account is about to be stopped. */
  liveBuys(): readonly OrderRow[];

  openDay(day: AccountDayRow): void;
  /** Inserts a new order with its allocations and the first step of its log. */
  insertOrder(order: OrderRow, allocations: readonly Allocation[], actor: string): void;
  changeOrders(changes: readonly OrderChange[]): void;
  /** Records that the daily loss has reached its limit. */
  trip(at: Date, reason: string): void;
  /** Stores the state of the drawdown stop; null turns it off. */
  storeWatch(watch: DrawdownState | null): void;
  audit(entries: readonly AuditEntry[], actor: string): void;
  tell(events: readonly AccountEvent[], now: Date): void;
};
