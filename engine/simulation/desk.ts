import type { BrokerOrder, Preparation, VenueOrder } from '../../venues/broker.ts';
import { bookFillOn, type Entry } from '../accounting/booking.ts';
import { keepMark, type MarkedQuote, type NewQuote } from '../accounting/mark.ts';
import { exact } from '../decimal.ts';
import { notFound } from '../errors.ts';
import { approve } from '../orders/entry/approval.ts';
import { type CloseRequest, closeOf, closeRequested } from '../orders/entry/closing.ts';
import { composeOrder } from '../orders/entry/compose.ts';
import { fenceOf, refuseSecondSell } from '../orders/entry/fence.ts';
import { approvalByRequest, approvalOf, type ProposedIntent } from '../orders/entry/intent.ts';
import { ruleViolated } from '../orders/entry/refusals.ts';
import { orderChanged } from '../orders/events.ts';
import { answerOrder } from '../orders/execution/answer.ts';
import { type Departure, depart, loseAnswer, neverArrived, UNLEASED } from '../orders/execution/departure.ts';
import { cancelBy, declineBy, expireAt } from '../orders/lifecycle/endings.ts';
import type { Outcome } from '../orders/lifecycle/order-change.ts';
import {
  type DeploymentCancel,
  takeBackBuys,
  takeBackOfDeployment,
} from '../orders/lifecycle/taking-back.ts';
import { hasStopped, isToTrip, lookAtDrawdown, stopOn, tripOn } from '../orders/lifecycle/trip.ts';
import { withdrawSells } from '../orders/lifecycle/withdrawal.ts';
import type { InstrumentRow, Market, OrderRow, QuoteRow } from '../orders/row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../orders/settings.ts';
import { byAge, freeHoldings, type HoldingsQuery } from '../orders/terms/free-holdings.ts';
import type { Payout } from '../positions/settlement.ts';
import { settle } from '../positions/settlement.ts';
import { type WriteOffRequest, type WrittenOff, writeOffAt } from '../positions/writing-off.ts';
import { type Basis, dayOf } from '../risk/basis.ts';
import type { Approval } from '../risk/facts.ts';
import type { RiskRulesPatch } from '../risk/limits.ts';
import { measure } from '../risk/measure.ts';
import { changeRules, changeWatch, type WatchChange } from '../risk-rules/change.ts';
import { utcDay } from '../utc-day.ts';
import { type Deployment, type OpeningBooks, Rows } from './rows.ts';

/** Who acts, and when. */
export type Moment = { readonly actor: string; readonly now: Date };

/** What a desk is made with. `newId` names what comes into being: UUIDs that rise, so that what is sorted by id is by birth. */
export type DeskOptions = OpeningBooks & {
  readonly newId: () => string;
  readonly settings?: TradingSettings;
};

/**
 * A desk in memory: orders, fills, positions and cash of one account as plain rows. Every decision is the function the
 * service decides by; the desk finds the rows, calls, and keeps what comes of it. A refusal leaves everything as it was.
 */
export class MemoryDesk {
  readonly rows: Rows;
  readonly #newId: () => string;
  readonly #settings: TradingSettings;

  constructor({ newId, settings = DEFAULT_TRADING_SETTINGS, ...opening }: DeskOptions) {
    this.rows = new Rows(opening);
    this.#newId = newId;
    this.#settings = settings;
  }

  /** An instrument as its venue states it from now on. */
  list(instrument: InstrumentRow): void {
    this.rows.instruments.set(instrument.token_id, instrument);
  }

  /** A deployment as it is from now on. */
  deploy(deployment: Deployment): void {
    this.rows.deployments.set(deployment.id, deployment);
  }

  /** The market shows another quote. */
  quote(quote: QuoteRow & NewQuote): void {
    const before = this.rows.quotes.get(quote.token_id);
    this.rows.quotes.set(quote.token_id, {
      volume24h: null,
      open_interest: null,
      change24h: null,
      seq: '0',
      ...quote,
      ...keepMark(quote, before),
    });
  }

  /** A quote with the mark that is kept beside it, as somebody else has worked it out. */
  show(quote: MarkedQuote): void {
    this.rows.quotes.set(quote.token_id, quote);
  }

  /** As `proposeIntent`. */
  propose(intent: ProposedIntent, moment: Moment): OrderRow {
    const first = this.#orderOfStep(intent);
    if (first !== undefined) return first;
    const { rows } = this;
    const raising = rows.deployments.get(intent.deploymentId ?? '');
    const isOwn = raising?.blueprint_id === intent.blueprintId;
    const deployment = fenceOf(isOwn ? raising : undefined, intent);
    if (intent.side === 'sell') refuseSecondSell(rows.liveOrders(), intent, moment.now);
    return this.#compose(intent, approvalOf(intent, deployment), moment);
  }

  /** As `closePosition`, without the refusal of a denied order. */
  close(request: CloseRequest, moment: Moment): OrderRow {
    const { tokenId, blueprintId = null } = request;
    const holdings = this.#holdings({ tokenId, blueprintId, now: moment.now });
    const order = this.#compose(closeOf(request, holdings), approvalByRequest(moment), moment);
    this.rows.audit([closeRequested(order, holdings, moment.now)], moment.actor);
    return order;
  }

  /** As `approveOrder`. */
  approve(id: string, moment: Moment, ifVersion?: number): void {
    const order = this.order(id);
    const { now } = moment;
    const basis = this.basis(now, id);
    const { allocations, deployments } = this.rows;
    const approved = approve(
      {
        order,
        hasEnded: order.deployment_id !== null && deployments.get(order.deployment_id)?.ended_at !== null,
        market: this.market(order.token_id),
        basis,
        drawable: {
          allocations: allocations.get(id) ?? [],
          holdings: this.#holdings({ tokenId: order.token_id, blueprintId: null, now, leaveOut: id }),
        },
      },
      moment,
      ifVersion,
    );
    if (approved === null) return;
    this.#openDay(basis, now);
    if (approved.kind === 'cleared') {
      this.#carryOut(approved.outcome, moment);
      return;
    }
    this.#trip(basis, now);
    if (approved.denial !== null) throw ruleViolated(approved.denial, id);
  }

  /** As `declineOrder`. */
  decline(id: string, moment: Moment): void {
    this.#carryOut(declineBy(this.order(id), moment), moment);
  }

  /** As `cancelOrder`. */
  cancel(id: string, moment: Moment): void {
    this.#carryOut(cancelBy(this.order(id), moment), moment);
  }

  /** As `expireOrder`. */
  expire(id: string, moment: Moment): void {
    this.#carryOut(expireAt(this.order(id), moment), moment);
  }

  /** As `cancelDeploymentOrders`. */
  cancelDeployment(deploymentId: string, which: DeploymentCancel, actor: string): void {
    const outcome = takeBackOfDeployment(this.rows.liveOrders(), deploymentId, which, actor);
    this.#carryOut(outcome, { actor, now: which.now });
  }

  /** As `updateRules`. */
  changeRules(patch: RiskRulesPatch, moment: Moment): void {
    const { rows } = this;
    const change = changeRules(rows.rules, patch, moment.now);
    if (change === null) return;
    rows.rules = change.row;
    rows.audit([change.audit], moment.actor);
    if (change.liftsLatch) rows.account = { ...rows.account, tripped_at: null, trip_reason: null };
    if (change.watch !== null) this.#changeWatch(change.watch, moment);
    if (change.takesBack !== null) {
      this.#carryOut(takeBackBuys(rows.liveOrders(), change.takesBack, moment), moment);
    }
    rows.tell([change.event], moment.now);
  }

  /** The order leaves, with the request that `prepare` makes of it; null where it does not. */
  depart(
    id: string,
    prepare: (order: BrokerOrder) => Preparation,
    moment: Moment,
  ): Extract<Departure, { kind: 'leaves' }> | null {
    const order = this.order(id);
    const fence = order.deployment_id === null ? null : this.rows.deployments.get(order.deployment_id);
    const departure = depart(order, fence, UNLEASED, prepare, { ...this.rows.key, ...moment });
    if (departure === null) return null;
    this.#carryOut(departure.outcome, moment);
    return departure.kind === 'leaves' ? departure : null;
  }

  /** As `markUnknown`. */
  loseAnswer(id: string, reason: string, moment: Moment): void {
    this.#carryOut(loseAnswer(this.order(id), reason, moment), moment);
  }

  /** The venue has proved that it never received the order. */
  giveUp(id: string, moment: Moment): void {
    this.#carryOut(neverArrived(this.order(id), moment), moment);
  }

  /** As `applyReport`. */
  answer(id: string, told: VenueOrder, moment: Moment): void {
    const { rows } = this;
    const order = this.order(id);
    const answered = answerOrder(
      {
        order,
        fills: rows.fills.get(id) ?? [],
        // Its venues take no trade back.
        parts: [],
        allocations: order.side === 'sell' ? (rows.allocations.get(id) ?? []) : [],
        positions: this.#positionsIn(order.token_id),
      },
      told,
      { ...this.#entry(moment.now), actor: moment.actor },
    );
    if (answered.fills.length > 0) this.openDay(moment.now);
    for (const { opened, booking, allocations } of answered.fills) {
      if (opened !== null) rows.positions.set(opened.id, opened);
      rows.book(booking);
      rows.drawAllocations(id, allocations);
    }
    if (answered.venueOrderId !== null) rows.nameOrder(id, answered.venueOrderId);
    this.#carryOut(answered, moment);
  }

  /** As `settleAccount`. */
  settle(tokenId: string, moment: Moment): boolean {
    const settlement = settle(
      this.market(tokenId).instrument,
      { orders: this.rows.liveOrders(), positions: this.#positionsIn(tokenId) },
      moment,
    );
    if (settlement === null) return false;
    this.#carryOut(settlement.orders, moment);
    if (settlement.payout === null) return false;
    this.#pay(settlement.payout, moment);
    return true;
  }

  /** As `writeOff`. */
  writeOff(request: WriteOffRequest, moment: Moment): WrittenOff {
    const { tokenId } = request;
    const { written, ...payout } = writeOffAt(
      request,
      {
        market: this.market(tokenId),
        mark: exact(this.rows.quotes.get(tokenId)?.mark_price ?? 0),
        holdings: this.#holdings({ tokenId, blueprintId: null, now: moment.now }),
        positions: this.#positionsIn(tokenId),
      },
      moment.now,
    );
    this.#pay(payout, moment);
    return written;
  }

  /** As `openAccountDay`. */
  openDay(now: Date): void {
    if (!this.rows.days.has(utcDay(now))) this.#openDay(this.basis(now), now);
  }

  /** As `tripIfReached`. */
  tripIfReached(now: Date): void {
    const basis = this.basis(now);
    if (isToTrip(basis)) this.#trip(basis, now);
    const watch = lookAtDrawdown(basis, now);
    if (watch === null) return;
    this.rows.keepWatch(watch);
    if (hasStopped(basis, watch)) {
      this.#carryOut(stopOn(basis, watch, this.rows.liveOrders(), now), { actor: 'system', now });
    }
  }

  /** What the rules measure at `now`. */
  basis(now: Date, leaveOut?: string): Basis {
    const { rules, account, watch, days, positions, quotes } = this.rows;
    return measure(
      {
        rules,
        account,
        watch,
        dayOn: (day) => days.get(day),
        orders: this.rows.measuredOrders(now),
        positions: positions.values(),
        quoteOf: (tokenId) => quotes.get(tokenId),
      },
      now,
      leaveOut,
    );
  }

  /** @throws DomainError `not_found`. */
  order(id: string): OrderRow {
    const order = this.rows.orders.get(id);
    if (order === undefined) throw notFound();
    return order;
  }

  /** @throws DomainError `not_found`. */
  market(tokenId: string): Market {
    const instrument = this.rows.instruments.get(tokenId);
    if (instrument === undefined) throw notFound();
    return { instrument, quote: this.rows.quotes.get(tokenId) ?? null };
  }

  #orderOfStep({ deploymentId, nodeId, stepAt }: ProposedIntent): OrderRow | undefined {
    if (deploymentId === undefined || nodeId === undefined || stepAt === undefined) return undefined;
    return this.rows.orderOfStep(deploymentId, nodeId, stepAt.toISOString());
  }

  #compose(intent: ProposedIntent, approval: Approval, moment: Moment): OrderRow {
    const { tokenId, side, blueprintId } = intent;
    const { now, actor } = moment;
    const market = this.market(tokenId);
    const isOfAccount = intent.allocate === 'account';
    const holdings =
      side === 'sell' ? this.#holdings({ tokenId, blueprintId: isOfAccount ? null : blueprintId, now }) : [];
    const basis = this.basis(now);
    const { order, allocations, isWayOut } = composeOrder(
      intent,
      { market, holdings, basis, approval },
      { ...this.rows.key, id: this.#newId(), now, settings: this.#settings },
    );
    this.#openDay(basis, now);
    if (isWayOut) {
      const wayOut = { instrument: market.instrument, blueprintId };
      this.#carryOut(withdrawSells(this.rows.waitingSells(tokenId), wayOut, moment), moment);
    }
    this.rows.insertOrder(order, allocations, actor);
    this.rows.tell([orderChanged(order)], now);
    if (isToTrip(basis)) this.#trip(basis, now);
    return order;
  }

  #changeWatch(change: WatchChange, { now, actor }: Moment): void {
    const { watch, audits } = changeWatch(change, this.basis(now), now);
    this.rows.keepWatch(watch);
    this.rows.audit(audits, actor);
  }

  #trip(basis: Basis, now: Date): void {
    const { rows } = this;
    const { reason, outcome } = tripOn(basis, rows.liveOrders(), now);
    rows.account = { ...rows.account, tripped_at: now.toISOString(), trip_reason: reason };
    this.#carryOut(outcome, { actor: 'system', now });
  }

  #openDay(basis: Basis, now: Date): void {
    if (basis.day !== null) return;
    const { accountId, mode } = this.rows.key;
    this.rows.openDay({
      account_id: accountId,
      mode,
      day: utcDay(now),
      opening_unrealized_pnl: dayOf(basis).openingUnrealizedPnl.toFixed(),
      realized_pnl: '0',
    });
  }

  #pay({ fills, audits, events }: Payout, { actor, now }: Moment): void {
    if (fills.length > 0) this.openDay(now);
    for (const { fill, draws } of fills) this.rows.book(bookFillOn(fill, draws, this.#entry(now)));
    this.rows.audit(audits, actor);
    this.rows.tell(events, now);
  }

  #carryOut(outcome: Outcome | null, { actor, now }: Moment): void {
    if (outcome === null) return;
    for (const change of outcome.changes) this.rows.changeOrder(change);
    this.rows.audit(outcome.audits, actor);
    this.rows.tell(outcome.events, now);
  }

  #entry(at: Date): Entry {
    return { ...this.rows.key, at, newId: this.#newId };
  }

  #positionsIn(tokenId: string) {
    return [...this.rows.positions.values()].filter(({ token_id }) => token_id === tokenId).sort(byAge);
  }

  #holdings(query: HoldingsQuery) {
    return freeHoldings(this.rows.positions.values(), this.rows.reserving(), query);
  }
}
