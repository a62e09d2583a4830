import type { BrokerOrder, Preparation, VenueOrder } from '../../../venues/broker.ts';
import { bookFillOn, type Entry } from '../../books/accounting/booking.ts';
import { keepMark, type MarkedQuote, type NewQuote } from '../../books/accounting/mark.ts';
import { utcDay } from '../../platform/clock/utc-day.ts';
import { exact } from '../../platform/decimal.ts';
import type { Basis } from '../../risk/basis.ts';
import type { RiskRulesPatch } from '../../risk/limits.ts';
import { Account } from '../../trading/orders/entry/account/account.ts';
import type { Deployment } from '../../trading/orders/entry/account/books.ts';
import { ruleViolated } from '../../trading/orders/entry/refusals.ts';
import { answerOrder } from '../../trading/orders/execution/answer.ts';
import {
  type Departure,
  depart,
  loseAnswer,
  neverArrived,
  UNLEASED,
} from '../../trading/orders/execution/departure.ts';
import { cancelBy, declineBy, expireAt } from '../../trading/orders/lifecycle/endings.ts';
import {
  type DeploymentCancel,
  takeBackBuys,
  takeBackOfDeployment,
} from '../../trading/orders/lifecycle/taking-back.ts';
import type { InstrumentRow, Market, OrderRow, QuoteRow } from '../../trading/orders/row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../../trading/orders/settings.ts';
import { byAge } from '../../trading/orders/terms/free-holdings.ts';
import type { Payout } from '../../trading/positions/settlement.ts';
import { settle } from '../../trading/positions/settlement.ts';
import { type WriteOffRequest, type WrittenOff, writeOffAt } from '../../trading/positions/writing-off.ts';
import { changeRules, changeWatch, type WatchChange } from '../../usecases/risk-rules/change.ts';
import { type OpeningBooks, Rows } from './rows.ts';

/** The actor and the instant of a change. */
export type Moment = { readonly actor: string; readonly now: Date };

/**
 * Options of a simulated account. `newId` creates ids of new rows: rising UUIDs, so that sorting by id is sorting by creation.
 */
export type DeskOptions = OpeningBooks & {
  readonly newId: () => string;
  readonly settings?: TradingSettings;
};

/**
 * A simulated account: {@link Account} over plain rows of orders, fills, positions and cash, with all that happens to them.
 * Decisions are made by the functions of the service; this class finds the rows, calls them, and stores the results. A refusal
 * leaves everything as it was.
 */
export class MemoryDesk extends Account {
  readonly rows: Rows;
  readonly #newId: () => string;

  constructor({ newId, settings = DEFAULT_TRADING_SETTINGS, ...opening }: DeskOptions) {
    const rows = new Rows(opening);
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
      ...keepMark(quote, before),
    });
  }

  /** Takes a quote whose mark is computed already. */
  show(quote: MarkedQuote): void {
    this.rows.quotes.set(quote.token_id, quote);
  }

  /** Does what `approveOrder` does. */
  override approve(id: string, moment: Moment, ifVersion?: number): null {
    const denial = super.approve(id, moment, ifVersion);
    if (denial !== null) throw ruleViolated(denial, id);
    return null;
  }

  /** Does what `declineOrder` does. */
  decline(id: string, moment: Moment): void {
    this.carryOut(declineBy(this.order(id), moment), moment);
  }

  /** Does what `cancelOrder` does. */
  cancel(id: string, moment: Moment): void {
    this.carryOut(cancelBy(this.order(id), moment), moment);
  }

  /** Does what `expireOrder` does. */
  expire(id: string, moment: Moment): void {
    this.carryOut(expireAt(this.order(id), moment), moment);
  }

  /** Does what `cancelDeploymentOrders` does. */
  cancelDeployment(deploymentId: string, which: DeploymentCancel, actor: string): void {
    const outcome = takeBackOfDeployment(this.rows.liveOrders(), deploymentId, which, actor);
    this.carryOut(outcome, { actor, now: which.now });
  }

  /** Does what `updateRules` does. */
  changeRules(patch: RiskRulesPatch, moment: Moment): void {
    const { rows } = this;
    const change = changeRules(rows.rules, patch, moment.now);
    if (change === null) return;
    rows.rules = change.row;
    rows.audit([change.audit], moment.actor);
    if (change.liftsLatch) rows.account = { ...rows.account, tripped_at: null, trip_reason: null };
    if (change.watch !== null) this.#changeWatch(change.watch, moment);
    if (change.takesBack !== null) {
      this.carryOut(takeBackBuys(rows.liveOrders(), change.takesBack, moment), moment);
    }
    rows.tell([change.event], moment.now);
  }

  /** Submits the order with the request that `prepare` builds of it; null if it is not sent. */
  depart(
    id: string,
    prepare: (order: BrokerOrder) => Preparation,
    moment: Moment,
  ): Extract<Departure, { kind: 'leaves' }> | null {
    const order = this.order(id);
    const fence = order.deployment_id === null ? null : this.rows.deployments.get(order.deployment_id);
    const departure = depart(order, fence, UNLEASED, prepare, { ...this.rows.key, ...moment });
    if (departure === null) return null;
    this.carryOut(departure.outcome, moment);
    return departure.kind === 'leaves' ? departure : null;
  }

  /** Does what `markUnknown` does. */
  loseAnswer(id: string, reason: string, moment: Moment): void {
    this.carryOut(loseAnswer(this.order(id), reason, moment), moment);
  }

  /** Ends an order whose venue has proved that it never received it. */
  giveUp(id: string, moment: Moment): void {
    this.carryOut(neverArrived(this.order(id), moment), moment);
  }

  /** Does what `applyReport` does. */
  answer(id: string, told: VenueOrder, moment: Moment): void {
    const { rows } = this;
    const order = this.order(id);
    const answered = answerOrder(
      {
        order,
        fills: rows.fills.get(id) ?? [],
        // Its venues bust no trade.
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
    this.carryOut(answered, moment);
  }

  /** Does what `settleAccount` does. */
  settle(tokenId: string, moment: Moment): boolean {
    const settlement = settle(
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
  writeOff(request: WriteOffRequest, moment: Moment): WrittenOff {
    const { tokenId } = request;
    const { written, ...payout } = writeOffAt(
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
    if (!this.rows.days.has(utcDay(now))) this.openDayOn(this.basis(now), now);
  }

  /** Measures what the rules see at `now`. */
  basis(now: Date): Basis {
    return this.rows.basis(now);
  }

  /** @throws DomainError `not_found`. */
  order(id: string): OrderRow {
    return this.rows.order(id);
  }

  /** @throws DomainError `not_found`. */
  market(tokenId: string): Market {
    return this.rows.market(tokenId);
  }

  #changeWatch(change: WatchChange, { now, actor }: Moment): void {
    const { watch, audits } = changeWatch(change, this.basis(now), now);
    this.rows.keepWatch(watch);
    this.rows.audit(audits, actor);
  }

  #pay({ fills, audits, events }: Payout, { actor, now }: Moment): void {
    if (fills.length > 0) this.openDay(now);
    for (const { fill, draws } of fills) this.rows.book(bookFillOn(fill, draws, this.#entry(now)));
    this.rows.audit(audits, actor);
    this.rows.tell(events, now);
  }

  #entry(at: Date): Entry {
    return { ...this.rows.key, at, newId: this.#newId };
  }

  #positionsIn(tokenId: string) {
    return [...this.rows.positions.values()].filter(({ token_id }) => token_id === tokenId).sort(byAge);
  }
}
