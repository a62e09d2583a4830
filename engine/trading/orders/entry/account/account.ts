import { utcDay } from '../../../../platform/clock/utc-day.ts';
import type { Denial } from '../../../../risk/decide.ts';
import { buildReceipt, type Receipt } from '../../../../risk/receipt.ts';
import type { Approval } from '../../../../risk/risk-inputs.ts';
import { dayOf, type RiskSnapshot } from '../../../../risk/risk-snapshot.ts';
import { accountSuspended } from '../../../accounts/suspension.ts';
import type { DecisionOutcome } from '../../lifecycle/order-change.ts';
import type { ActionContext } from '../../lifecycle/plan-cancel.ts';
import {
  hasDrawdownJustStopped,
  mustStopForDailyLoss,
  nextDrawdownWatch,
  planDailyLossStop,
  planDrawdownStop,
} from '../../lifecycle/plan-loss-stops.ts';
import { planWaitingSellRelease } from '../../lifecycle/plan-waiting-sell-release.ts';
import { orderChangedEvent } from '../../order-changed-event.ts';
import type { OrderRow } from '../../row.ts';
import type { TradingSettings } from '../../settings.ts';
import { refuseSecondSell, requireActiveDeployment } from '../active-deployment.ts';
import { refuseBeyondKeyLimits, refuseUnlessPending } from '../approval-checks.ts';
import { composeOrder } from '../compose.ts';
import { type RecheckInput, recheck } from '../evaluate-proposal.ts';
import { planApprove } from '../plan-approve.ts';
import { type CloseRequest, closeRequested, planClose } from '../plan-close.ts';
import { type ManualOrder, manualOrderRequested, planManualOrder } from '../plan-manual-order.ts';
import { approvalByRequest, type ProposedIntent, standingApprovalOf } from '../proposed-intent.ts';
import type { Books } from './books.ts';

/** Settings of decisions, and `newId`, which names new orders. */
export type AccountOptions = { readonly newId: () => string; readonly settings: TradingSettings };

/** An operator's suspension lets an account out of positions, and into none. */
function refuseSuspendedBuy(side: OrderRow['side'], { isSuspended }: RiskSnapshot): void {
  if (side === 'buy' && isSuspended) throw accountSuspended();
}

/**
 * Implements each use case of an account's orders once, over its books. The service loads the books under the account's lock
 * and saves the changes. A backtest has all of them in memory. A refusal changes nothing. Pure.
 */
export class Account {
  readonly #books: Books;
  readonly #options: AccountOptions;

  constructor(books: Books, options: AccountOptions) {
    this.#books = books;
    this.#options = options;
  }

  /**
   * Creates orders of every origin, with the receipt of the rules in force. A refusal by a rule is an order too, `denied` and
   * never sent. An intent of a graph is unique by deployment, node and step: a repeat returns the first order.
   *
   * @throws DomainError if no decision is possible: `invalid_state` for an ended deployment or a halted entry,
   *   `account_suspended` for a buy, `not_found`, `market_not_open`, `quote_unavailable`, `no_liquidity`, `validation_failed`.
   */
  propose(intent: ProposedIntent, doing: ActionContext): OrderRow {
    const first = this.#orderOfStep(intent);
    if (first !== undefined) return first;
    const raising = this.#books.deployment(intent.deploymentId ?? '');
    const isOwn = raising?.blueprint_id === intent.blueprintId;
    const deployment = requireActiveDeployment(isOwn ? raising : undefined, intent);
    if (intent.side === 'sell') {
      refuseSecondSell(this.#books.liveSells(intent.tokenId), intent, doing.now);
    }
    return this.#compose(intent, standingApprovalOf(intent, deployment), doing);
  }

  /**
   * Sells part or all of the holding of one instrument, oldest position first: at the market, within the price band. The
   * intent belongs to the blueprint of the first position it draws on.
   *
   * @throws DomainError `not_found` without such a position, `validation_failed` for more than is held and free, and as
   *   {@link propose}.
   */
  close(request: CloseRequest, doing: ActionContext): OrderRow {
    const { tokenId, blueprintId = null } = request;
    const holdings = this.#books.holdings({ tokenId, blueprintId, now: doing.now });
    const order = this.#compose(planClose(request, holdings), approvalByRequest(doing, 'sell'), doing);
    this.#books.audit([closeRequested(order, holdings, doing.now)], doing.actor);
    return order;
  }

  /**
   * Buys or sells one instrument on request of a person or key. A buy above the approval limit waits, for a session too.
   *
   * @throws DomainError as {@link close} for a sell, and as {@link propose}.
   */
  orderByHand(request: ManualOrder, doing: ActionContext): OrderRow {
    const { tokenId, side } = request;
    const query = { tokenId, blueprintId: null, now: doing.now };
    const holdings = side === 'sell' ? this.#books.holdings(query) : [];
    const order = this.#compose(planManualOrder(request, holdings), approvalByRequest(doing, side), doing);
    const { title } = this.#books.market(tokenId).instrument;
    this.#books.audit([manualOrderRequested(order, title, doing.now)], doing.actor);
    return order;
  }

  /**
   * Clears a pending intent for sending, exactly as displayed, after rechecking the current rules and the price band. A
   * repeated approval succeeds without effect. If the daily loss has reached its limit, returns the denial: the trip is
   * recorded, and declines the order.
   *
   * @throws DomainError `not_found`, `outside_envelope` for a key beyond its limits, and as {@link planApprove}: the order stays
   *   pending.
   */
  approve(id: string, doing: ActionContext, ifVersion?: number): Denial | null {
    const books = this.#books;
    const { now } = doing;
    const order = books.order(id);
    if (order.approved_by === null) refuseBeyondKeyLimits(books.bounds().envelope, order);
    const inputs = this.#recheck(order, now);
    if (order.approved_by === null) refuseSuspendedBuy(order.side, inputs.snapshot);
    const hasEnded = order.deployment_id !== null && books.deployment(order.deployment_id)?.ended_at !== null;
    const facts = { ...inputs, order, hasEnded, market: books.market(order.token_id) };
    const approved = planApprove(facts, doing, ifVersion);
    if (approved === null) return null;
    this.openDayOn(inputs.snapshot, now);
    if (approved.kind === 'queued') {
      this.carryOut(approved.outcome, doing);
      return null;
    }
    this.tripOn(inputs.snapshot, now);
    return approved.denial;
  }

  /**
   * Returns the receipt that an approval would get now, without any effect. Its lines still wait for a person.
   *
   * @throws DomainError `not_found`, `intent_expired`, `intent_not_pending`.
   */
  previewApproval(id: string, now: Date): Receipt {
    const order = this.#books.order(id);
    refuseUnlessPending(order, now);
    const inputs = this.#recheck(order, now);
    return buildReceipt(inputs.snapshot, recheck(order, inputs, now, 'nobody'), now, inputs);
  }

  /** Collects the inputs of the rules for a stored order. */
  #recheck({ id, side, token_id }: OrderRow, now: Date): RecheckInput {
    const books = this.#books;
    const query = { tokenId: token_id, blueprintId: null, now, leaveOut: id };
    const { route, live } = books.bounds();
    return {
      snapshot: books.snapshot(now, id),
      drawable:
        side === 'buy'
          ? { allocations: [], holdings: [] }
          : { allocations: books.allocationsOf(id), holdings: books.holdings(query) },
      route,
      live,
    };
  }

  /** Checks the daily loss and the drawdown, and stops the account if a limit is reached. */
  tripIfReached(now: Date): void {
    const books = this.#books;
    const snapshot = books.snapshot(now);
    if (mustStopForDailyLoss(snapshot)) this.tripOn(snapshot, now);
    const watch = nextDrawdownWatch(snapshot, now);
    if (watch === null) return;
    books.storeWatch(watch);
    if (!hasDrawdownJustStopped(snapshot, watch)) return;
    this.carryOut(planDrawdownStop(snapshot, watch, books.liveBuys(), now), { actor: 'system', now });
  }

  #orderOfStep({ deploymentId, nodeId, stepAt }: ProposedIntent): OrderRow | undefined {
    if (deploymentId === undefined) return undefined;
    if (nodeId === undefined || stepAt === undefined) {
      throw new Error(`An intent of deployment ${deploymentId} must name its node and step.`);
    }
    return this.#books.orderOfStep(deploymentId, nodeId, stepAt.toISOString());
  }

  #compose(intent: ProposedIntent, approval: Approval, doing: ActionContext): OrderRow {
    const books = this.#books;
    const { tokenId, side, blueprintId, allocate } = intent;
    const { now, actor } = doing;
    const { newId, settings } = this.#options;
    const market = books.market(tokenId);
    const query = { tokenId, blueprintId: allocate === 'account' ? null : blueprintId, now };
    const holdings = side === 'sell' ? books.holdings(query) : [];
    const snapshot = books.snapshot(now);
    refuseSuspendedBuy(side, snapshot);
    const { order, allocations, goesFirst } = composeOrder(
      intent,
      { market, holdings, snapshot, approval, ...books.bounds() },
      { ...books.key, id: newId(), now, settings },
    );
    this.openDayOn(snapshot, now);
    if (goesFirst) {
      const exit = { instrument: market.instrument, blueprintId };
      this.carryOut(planWaitingSellRelease(books.waitingSells(tokenId), exit, doing), doing);
    }
    books.insertOrder(order, allocations, actor);
    books.tell([orderChangedEvent(order)], now);
    // After the order, because its receipt describes the state before buys are canceled.
    if (mustStopForDailyLoss(snapshot)) this.tripOn(snapshot, now);
    return order;
  }

  /** Opens the day before its first decision or fill, so that `maxDailyLoss` has an opening value. */
  protected openDayOn(snapshot: RiskSnapshot, now: Date): void {
    if (snapshot.day !== null) return;
    const { accountId, mode } = this.#books.key;
    this.#books.openDay({
      account_id: accountId,
      mode,
      day: utcDay(now),
      opening_unrealized_pnl: dayOf(snapshot).openingUnrealizedPnl.toFixed(),
      realized_pnl: '0',
    });
  }

  /** Latches the daily loss, and cancels the buys. The actor is the service, whichever caller detected it. */
  protected tripOn(snapshot: RiskSnapshot, now: Date): void {
    const { reason, outcome } = planDailyLossStop(snapshot, this.#books.liveBuys(), now);
    this.#books.trip(now, reason);
    this.carryOut(outcome, { actor: 'system', now });
  }

  protected carryOut(outcome: DecisionOutcome | null, { actor, now }: ActionContext): void {
    if (outcome === null) return;
    this.#books.changeOrders(outcome.changes);
    this.#books.audit(outcome.audits, actor);
    this.#books.tell(outcome.events, now);
  }
}
