import type { BrokerOrder, PrepareResult, VenueOrder } from '../../../venues/broker.ts';
import { type BookingContext, planBooking } from '../../books/accounting/booking.ts';
import { type MarkedQuote, type NewQuote, nextMark } from '../../books/accounting/mark.ts';
import { utcDay } from '../../platform/clock/utc-day.ts';
import { exact } from '../../platform/decimal.ts';
import type { RiskSnapshot } from '../../risk/risk-snapshot.ts';
import type { RiskRulesPatch } from '../../risk/rule-limits.ts';
import type { Cancellation } from '../../strategy/graph/types.ts';
import { Account } from '../../trading/orders/entry/account/account.ts';
import type { Deployment } from '../../trading/orders/entry/account/books.ts';
import { ruleViolatedError } from '../../trading/orders/entry/refusals.ts';
import { planReport } from '../../trading/orders/execution/plan-report.ts';
import {
  markSentUnknown,
  NO_LEASE_NEEDED,
  planSubmission,
  rejectUnreceivedOrder,
  type Submission,
} from '../../trading/orders/execution/plan-submission.ts';
import {
  type DeploymentCancel,
  planBuyCancels,
  planDeploymentCancels,
  planNodeCancels,
} from '../../trading/orders/lifecycle/plan-cancel.ts';
import { planCancelByActor, planDecline, planExpiry } from '../../trading/orders/lifecycle/plan-endings.ts';
import type { InstrumentRow, Market, OrderRow, QuoteRow } from '../../trading/orders/row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../../trading/orders/settings.ts';
import { byAge } from '../../trading/orders/terms/free-holdings.ts';
import type { Payout } from '../../trading/positions/plan-settlement.ts';
import { planSettlement } from '../../trading/positions/plan-settlement.ts';
import {
  planWriteOff,
  type WriteOffRequest,
  type WrittenOff,
} from '../../trading/positions/plan-write-off.ts';
import {
  type DrawdownWatchChange,
  planDrawdownWatch,
  planRulesChange,
} from '../../usecases/risk-rules/change.ts';
import { type OpeningBooks, SimulatedBooks } from './simulated-books.ts';

/** The actor and the instant of a change. */
export type ActorAndTime = { readonly actor: string; readonly now: Date };

/**
 * Options of a simulated account. `newId` creates ids of new rows: rising UUIDs, so that sorting by id is sorting by creation.
 */
export type SimulatedAccountOptions = OpeningBooks & {
  readonly newId: () => string;
  readonly settings?: TradingSettings;
};

/**
 * A simulated account: {@link Account} over plain rows of orders, fills, positions and cash, with all that happens to them.
 * Decisions are made by the functions of the service; this class finds the rows, calls them, and stores the results. A refusal
 * leaves everything as it was.
 */
export class SimulatedAccount extends Account {
  readonly rows: SimulatedBooks;
  readonly #newId: () => string;

  constructor({ newId, settings = DEFAULT_TRADING_SETTINGS, ...opening }: SimulatedAccountOptions) {
    const rows = new SimulatedBooks(opening);
    super(rows, { newId, settings });
    this.rows = rows;
    this.#newId = newId;
  }

  /** Sets an instrument to what its venue states from now on. */
  list(instrument: InstrumentRow): void {
    this.rows.instruments.set(instrument.token_id, instrument);
  }

  /** Sets the state of a deployment from now on. */
  deploy(deployment: Deployment): void {
    this.rows.deployments.set(deployment.id, deployment);
  }

  /** Takes a new quote of the market. */
  quote(quote: QuoteRow & NewQuote): void {
    const before = this.rows.quotes.get(quote.token_id);
    this.rows.quotes.set(quote.token_id, {
      volume24h: null,
      open_interest: null,
      change24h: null,
      seq: '0',
      ...quote,
      ...nextMark(quote, before),
    });
  }

  /** Takes a quote whose mark is computed already. */
  show(quote: MarkedQuote): void {
    this.rows.quotes.set(quote.token_id, quote);
  }

  /** Does what `approveOrder` does. */
  override approve(id: string, moment: ActorAndTime, ifVersion?: number): null {
    const denial = super.approve(id, moment, ifVersion);
    if (denial !== null) throw ruleViolatedError(denial, id);
    return null;
  }

  /** Does what `declineOrder` does. */
  decline(id: string, moment: ActorAndTime): void {
    this.carryOut(planDecline(this.order(id), moment), moment);
  }

  /** Does what `cancelOrder` does. */
  cancel(id: string, moment: ActorAndTime): void {
    this.carryOut(planCancelByActor(this.order(id), moment), moment);
  }

  /** Does what `expireOrder` does. */
  expire(id: string, moment: ActorAndTime): void {
    this.carryOut(planExpiry(this.order(id), moment), moment);
  }

  /** Does what `cancelDeploymentOrders` does. */
  cancelDeployment(deploymentId: string, which: DeploymentCancel, actor: string): void {
    const outcome = planDeploymentCancels(this.rows.liveOrders(), deploymentId, which, actor);
    this.carryOut(outcome, { actor, now: which.now });
  }

  /** Does what `cancelNodeOrders` does. */
  cancelByNodes(cancellations: readonly Cancellation[], moment: ActorAndTime): void {
    this.carryOut(planNodeCancels(this.rows.liveOrders(), cancellations, moment), moment);
  }

  /** Does what `updateRules` does. */
  changeRules(patch: RiskRulesPatch, moment: ActorAndTime): void {
    const { rows } = this;
    const change = planRulesChange(rows.rules, patch, moment.now);
    if (change === null) return;
    rows.rules = change.row;
    rows.audit([change.audit], moment.actor);
    if (change.liftsLatch) rows.account = { ...rows.account, tripped_at: null, trip_reason: null };
    if (change.watch !== null) this.#changeWatch(change.watch, moment);
    if (change.buysToCancel !== null) {
      this.carryOut(planBuyCancels(rows.liveOrders(), change.buysToCancel, moment), moment);
    }
    rows.tell([change.event], moment.now);
  }

  /** Submits the order with the request that `prepare` builds of it; null if it is not sent. */
  submit(
    id: string,
    prepare: (order: BrokerOrder) => PrepareResult,
    moment: ActorAndTime,
  ): Extract<Submission, { kind: 'send' }> | null {
    const order = this.order(id);
    const fence = order.deployment_id === null ? null : this.rows.deployments.get(order.deployment_id);
    const submission = planSubmission(order, fence, NO_LEASE_NEEDED, prepare, {
      ...this.rows.key,
      ...moment,
    });
    if (submission === null) return null;
    this.carryOut(submission.outcome, moment);
    return submission.kind === 'send' ? submission : null;
  }

  /** Does what `markUnknown` does. */
  loseAnswer(id: string, reason: string, moment: ActorAndTime): void {
    this.carryOut(markSentUnknown(this.order(id), reason, moment), moment);
  }

  /** Ends an order whose venue has proved that it never received it. */
  giveUp(id: string, moment: ActorAndTime): void {
    this.carryOut(rejectUnreceivedOrder(this.order(id), moment), moment);
  }

  /** Does what `applyReport` does. */
  answer(id: string, report: VenueOrder, moment: ActorAndTime): void {
    const { rows } = this;
    const order = this.order(id);
    const answered = planReport(
      {
        order,
        fills: rows.fills.get(id) ?? [],
        // Its venues bust no trade.
        parts: [],
        allocations: order.side === 'sell' ? (rows.allocations.get(id) ?? []) : [],
        positions: this.#positionsIn(order.token_id),
      },
      report,
      { ...this.#entry(moment.now), actor: moment.actor },
    );
    if (answered.fills.length > 0) this.openDay(moment.now);
    for (const { opened, booking, allocations } of answered.fills) {
      if (opened !== null) rows.positions.set(opened.id, opened);
      rows.book(booking);
      rows.drawAllocations(id, allocations);
    }
    if (answered.venueOrderId !== null) rows.nameOrder(id, answered.venueOrderId);
    this.carryOut(answered, moment);
  }

  /** Does what `settleHolding` does. */
  settle(tokenId: string, moment: ActorAndTime): boolean {
    const settlement = planSettlement(
      this.market(tokenId).instrument,
      { orders: this.rows.liveOrders(), positions: this.#positionsIn(tokenId) },
      moment,
    );
    if (settlement === null) return false;
    this.carryOut(settlement.orders, moment);
    if (settlement.payout === null) return false;
    this.#pay(settlement.payout, moment);
    return true;
  }

  /** Does what `writeOff` does. */
  writeOff(request: WriteOffRequest, moment: ActorAndTime): WrittenOff {
    const { tokenId } = request;
    const { written, ...payout } = planWriteOff(
      request,
      {
        market: this.market(tokenId),
        mark: exact(this.rows.quotes.get(tokenId)?.mark_price ?? 0),
        holdings: this.rows.holdings({ tokenId, blueprintId: null, now: moment.now }),
        positions: this.#positionsIn(tokenId),
      },
      moment.now,
    );
    this.#pay(payout, moment);
    return written;
  }

  /** Does what `openAccountDay` does. */
  openDay(now: Date): void {
    if (!this.rows.days.has(utcDay(now))) this.openDayOn(this.snapshot(now), now);
  }

  /** Measures what the rules see at `now`. */
  snapshot(now: Date): RiskSnapshot {
    return this.rows.snapshot(now);
  }

  /** @throws DomainError `not_found`. */
  order(id: string): OrderRow {
    return this.rows.order(id);
  }

  /** @throws DomainError `not_found`. */
  market(tokenId: string): Market {
    return this.rows.market(tokenId);
  }

  #changeWatch(change: DrawdownWatchChange, { now, actor }: ActorAndTime): void {
    const { watch, audits } = planDrawdownWatch(change, this.snapshot(now), now);
    this.rows.storeWatch(watch);
    this.rows.audit(audits, actor);
  }

  #pay({ fills, audits, events }: Payout, { actor, now }: ActorAndTime): void {
    if (fills.length > 0) this.openDay(now);
    for (const { fill, draws } of fills) this.rows.book(planBooking(fill, draws, this.#entry(now)));
    this.rows.audit(audits, actor);
    this.rows.tell(events, now);
  }

  #entry(at: Date): BookingContext {
    return { ...this.rows.key, at, newId: this.#newId };
  }

  #positionsIn(tokenId: string) {
    return [...this.rows.positions.values()].filter(({ token_id }) => token_id === tokenId).sort(byAge);
  }
}
