import type { AccountDayRow } from '../../../../books/accounting/booking.ts';
import type { AuditEntry } from '../../../../platform/audit/audit.ts';
import type { BooksKey } from '../../../../platform/context.ts';
import type { AccountEvent } from '../../../../platform/events/events.ts';
import type { Basis } from '../../../../risk/basis.ts';
import type { EnvelopeFacts, LiveFacts, PassageFacts } from '../../../../risk/facts.ts';
import type { Watch } from '../../../../risk/high-water.ts';
import type { OrderChange } from '../../lifecycle/order-change.ts';
import type { WaitingSell } from '../../lifecycle/withdrawal.ts';
import type { Market, OrderRow } from '../../row.ts';
import type { Allocation, FreeHolding } from '../../terms/allocate.ts';
import type { HoldingsQuery } from '../../terms/free-holdings.ts';
import type { RaisingDeployment, Sell } from '../fence.ts';
import type { Drawable } from '../judge.ts';

/** A deployment as far as it raises intents. */
export type Deployment = RaisingDeployment & { readonly id: string; readonly blueprint_id: string };

/** Bounds of an order in addition to the rules: the envelope of its key and, with real money, the route to its venue. */
export type Bounds = {
  readonly envelope: EnvelopeFacts | null;
  readonly route: PassageFacts | null;
  readonly live: LiveFacts | null;
};

export const NO_BOUNDS: Bounds = { envelope: null, route: null, live: null };

/**
 * The books of one account in one mode, as decisions read and change them under one lock or in memory: nothing here waits,
 * and each decision sees what those before it have changed. The markets it trades in are part of them.
 */
export type Books = {
  readonly key: BooksKey;

  deployment(id: string): Deployment | undefined;
  /** The order that a step has made already. */
  orderOfStep(deploymentId: string, nodeId: string, stepAt: string): OrderRow | undefined;
  /** @throws DomainError `not_found`. */
  order(id: string): OrderRow;
  /** @throws DomainError `not_found`. */
  market(tokenId: string): Market;
  /** Positions that a sell may draw on, oldest first. */
  holdings(query: HoldingsQuery): FreeHolding[];
  /** Live sells of an instrument, at least. */
  liveSells(tokenId: string): readonly Sell[];
  /** Sells of an instrument that wait for a person, oldest first. */
  waitingSells(tokenId: string): readonly WaitingSell[];
  /** Positions that a pending sell was shown to draw on. */
  allocationsOf(orderId: string): Drawable['allocations'];
  /** Measures what the rules see at `now`. `leaveOut` is an order that must not count against itself when it is checked again. */
  basis(now: Date, leaveOut?: string): Basis;
  /** Bounds of the order that is decided. */
  bounds(): Bounds;
  /** Buys that can still trade, at least: known where the account is to be stopped. */
  liveBuys(): readonly OrderRow[];

  openDay(day: AccountDayRow): void;
  /** A new order, with the first line of its log and what it would draw on. */
  insertOrder(order: OrderRow, allocations: readonly Allocation[], actor: string): void;
  changeOrders(changes: readonly OrderChange[]): void;
  /** The loss of the day has reached its limit. */
  trip(at: Date, reason: string): void;
  /** Keeps what the drawdown stop remembers; null turns it off. */
  keepWatch(watch: Watch | null): void;
  audit(entries: readonly AuditEntry[], actor: string): void;
  tell(events: readonly AccountEvent[], now: Date): void;
};
