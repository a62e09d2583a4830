import { DomainError, type ErrorCode } from '../../../platform/errors.ts';
import { isAtVenue, isFinal } from '../../../platform/order-states.ts';
import { accountValuesOf } from '../../../risk/account-values.ts';
import {
  nodeOrdersOf,
  unfilledBuyUnitsOf,
  WITHOUT_ORDER,
} from '../../../strategy/deployments/node-orders.ts';
import { quoteNodesOf } from '../../../strategy/graph/quote-nodes.ts';
import type { AccountFacts, Cancellation, Intent, NodeOrder, World } from '../../../strategy/graph/types.ts';
import { toProposedIntent } from '../../../trading/orders/entry/to-proposed-intent.ts';
import type { InstrumentRow, OrderRow } from '../../../trading/orders/row.ts';
import { PaperAccount } from '../../account/paper-account.ts';
import type { ActorAndTime } from '../../account/simulated-account.ts';
import { countingIds } from '../ids.ts';
import type { BacktestInput } from '../input.ts';
import type { IntentCounter } from '../intent-counter.ts';
import { DateWithCachedIso, toIsoCached } from '../iso-time.ts';
import type { Recorder } from '../record/recorder.ts';
import { EventQueue, type ScheduledEvent } from './event-queue.ts';
import { OrderEventScheduler } from './order-event-scheduler.ts';
import { positionsIn, unfilledBuyUnitsIn } from './simulated-graph-inputs.ts';
import { markedQuoteOf, SimulatedLiquidity } from './simulated-liquidity.ts';
import type { SimulatedMarkets } from './simulated-markets.ts';

const ACTOR = 'system';
const ACCOUNT_ID = '00000000-0000-7000-8000-000000000001';
const DEPLOYMENT_ID = '00000000-0000-7000-8000-000000000002';
const BLUEPRINT_ID = '00000000-0000-7000-8000-000000000003';
/** An ended order counts for a minute, then it is dropped. */
const COUNTS_MS = 60_000;
/** An intent not decided within this time ends, as live. */
const DECIDE_WITHIN_MS = 60_000;
/** Refusals that may be temporary. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['quote_unavailable', 'upstream_unavailable']);

type DeferredIntent = { readonly intent: Intent; readonly raisedAtMs: number };

export type SimulatedExecutionOptions = {
  readonly input: BacktestInput;
  readonly market: SimulatedMarkets;
  readonly recorder: Recorder;
  readonly tally: IntentCounter;
  /** Index of the simulated account in the run. */
  readonly accountIndex: number;
  readonly startMs: number;
};

/**
 * Makes orders of the intents of one deployment, as the service does. The simulated account decides. Pending orders are
 * approved or not by the request's policy. Cleared orders arrive after the latency and meet the market of that instant.
 */
export class SimulatedExecution {
  readonly account: PaperAccount;
  readonly queue = new EventQueue();
  readonly #options: SimulatedExecutionOptions;
  readonly #offers: SimulatedLiquidity;
  readonly #watch: OrderEventScheduler;
  readonly #deferred = new Map<string, DeferredIntent>();
  readonly #ended: { readonly order: OrderRow; readonly atMs: number }[] = [];
  #refusals: ReadonlyMap<string, NodeOrder> = new Map();
  #undecided: ReadonlyMap<string, Intent> = new Map();
  #state: Pick<World, 'positions' | 'buying' | 'orders'> | null = null;
  #isHalted = false;
  /** By instrument: arrival times of orders in the forming bar. */
  readonly #arrivals = new Map<string, readonly number[]>();
  /** Close of the candle that resting orders are being matched with. */
  #matchedCloseIso: string | null = null;

  constructor(options: SimulatedExecutionOptions) {
    const { input, market, accountIndex, startMs } = options;
    const { request, rules, settings } = input;
    this.#options = options;
    this.#offers = new SimulatedLiquidity(market, request.fills);
    this.account = new PaperAccount({
      key: { accountId: ACCOUNT_ID, mode: 'paper' },
      rules,
      account: {
        account_id: ACCOUNT_ID,
        mode: 'paper',
        cash: request.cash,
        realized_pnl: '0',
        last_loss_at: null,
        tripped_at: null,
        trip_reason: null,
        created_at: toIsoCached(startMs),
      },
      newId: countingIds(request.seed, accountIndex),
      settings,
      isLean: true,
    });
    this.#watch = new OrderEventScheduler({
      request,
      market,
      recorder: options.recorder,
      tally: options.tally,
      queue: this.queue,
      offers: this.#offers,
      fillsOf: (orderId) => this.account.rows.fills.get(orderId) ?? [],
      onTrade: (tokenId, atMs) => this.onTrade(tokenId, atMs),
      onEnd: (order) => this.#ended.push({ order, atMs: Date.parse(order.updated_at) }),
      isThrough: (orderId, index) =>
        this.#matchedCloseIso !== null &&
        this.account.venue.fills.get(orderId)?.[index]?.offer_as_of === this.#matchedCloseIso,
    });
    for (const row of market.rows()) this.list(row);
    this.#deploy(false);
  }

  get isHalted(): boolean {
    return this.#isHalted;
  }

  /** Whether its orders or positions have changed since the graph last read them. */
  get hasMoved(): boolean {
    return this.#state === null;
  }

  /** Returns the graph's own orders and positions. */
  stateAt(atMs: number): Pick<World, 'positions' | 'buying' | 'orders'> {
    this.#state ??= this.#stateAt(atMs);
    return this.#state;
  }

  accountAt(atMs: number): AccountFacts {
    this.show(atMs);
    const now = new DateWithCachedIso(atMs);
    return accountValuesOf(this.account.snapshot(now), now, atMs);
  }

  /** Sets an instrument to what its venue states from now on. */
  list(row: InstrumentRow): void {
    this.account.list(this.#options.input.request.fees === 'none' ? { ...row, fee_schedule: NO_FEE } : row);
  }

  /** Halts entries, and cancels resting ones. */
  halt(atMs: number): void {
    this.#isHalted = true;
    this.#deploy(true);
    const now = new DateWithCachedIso(atMs);
    const reason = 'the blueprint is in error: entries halt';
    const quotes = quoteNodesOf(this.#options.input.visual);
    this.account.cancelDeployment(DEPLOYMENT_ID, { now, reason, onlyBuys: true, quotes }, ACTOR);
    this.#recordOrderChanges(atMs);
  }

  /** Cancels orders that their nodes no longer want: at the venue after the latency. */
  cancel(cancellations: readonly Cancellation[], atMs: number): void {
    this.account.cancelByNodes(cancellations, this.#moment(atMs));
    this.#recordOrderChanges(atMs);
  }

  raise(intents: readonly Intent[], atMs: number): void {
    for (const intent of intents) {
      this.#options.tally.intents++;
      this.#propose(intent, atMs, atMs);
    }
  }

  /** Processes the events due at an instant, arrivals of orders first. */
  work(atMs: number): void {
    for (let due = this.queue.take(atMs); due !== undefined; due = this.queue.take(atMs))
      this.#processEvent(due, atMs);
    this.#forget(atMs);
  }

  /** Makes the volume of the bar just closed available. */
  renew(tokenId: string): void {
    this.#offers.renew(tokenId);
  }

  /** Matches resting orders with the closed bar or the new quote; for recorded coins with both, as on paper. */
  meet(tokenId: string, atMs: number): void {
    if (this.account.venue.rests(tokenId)) this.#meetResting(tokenId, atMs);
    if (this.#options.market.hasClosedBar(tokenId, atMs)) this.#arrivals.delete(tokenId);
    this.#recordOrderChanges(atMs);
  }

  #meetResting(tokenId: string, atMs: number): void {
    const { market } = this.#options;
    const closed = market.barToMeet(tokenId, atMs);
    const arrivals = this.#arrivals.get(tokenId) ?? [];
    const parts = arrivals.flatMap((sinceMs) => market.closedSince(tokenId, sinceMs, atMs) ?? []);
    const candles = closed === null ? [] : [closed, ...parts].map((each) => this.#offers.candleOf(each));
    this.#matchedCloseIso = closed === null ? null : toIsoCached(closed.bar.closeMs - 1);
    if (market.isRecorded(tokenId)) this.account.advance(tokenId, candles, this.#moment(atMs));
    else if (candles.length > 0) this.account.meetCandles(tokenId, candles, this.#moment(atMs));
  }

  /** Takes a recorded quote: the account stores its mark as the service does. */
  quoted(tokenId: string, atMs: number): void {
    const { market } = this.#options;
    const topOfBook = market.topOfBookAt(tokenId, atMs);
    const row = market.rowOf(tokenId);
    if (topOfBook !== null && row !== undefined) this.account.quote(markedQuoteOf(tokenId, row, topOfBook));
  }

  /** Updates the quotes of the account's decisions to an instant. */
  show(atMs: number): void {
    const { market } = this.#options;
    for (const row of this.account.rows.instruments.values()) {
      if (market.isRecorded(row.token_id)) continue;
      const topOfBook = market.topOfBookAt(row.token_id, atMs);
      if (topOfBook !== null) this.account.show(markedQuoteOf(row.token_id, row, topOfBook));
    }
  }

  /** Pays out the holding of a market whose settlement value is stated. */
  settle(tokenId: string, atMs: number): void {
    if (this.account.market(tokenId).instrument.settlement_value === null) return;
    this.show(atMs);
    const moment = this.#moment(atMs);
    this.account.settle(tokenId, moment);
    for (const order of this.account.rows.liveOrders()) {
      if (order.token_id === tokenId && isAtVenue(order.status)) this.account.cancelAtVenue(order.id, moment);
    }
    this.account.settle(tokenId, moment);
    for (const payout of this.account.rows.payouts.splice(0)) this.#watch.settled(payout, atMs);
    this.#state = null;
    this.#recordOrderChanges(atMs);
  }

  /** Checks the loss of the day, and opens the day. */
  openDay(atMs: number): void {
    this.show(atMs);
    this.account.openDay(new DateWithCachedIso(atMs));
  }

  tripIfReached(atMs: number): void {
    this.show(atMs);
    this.account.tripIfReached(new DateWithCachedIso(atMs));
    this.#recordOrderChanges(atMs);
  }

  /** Ends the run: live orders are recorded as canceled, and nothing is sold. */
  end(atMs: number): void {
    for (const order of this.account.rows.liveOrders()) {
      const ended: OrderRow = {
        ...order,
        status: 'canceled',
        reason_code: 'backtest_over',
        reason: 'The backtest was over.',
      };
      this.#watch.recordEnd(ended, atMs);
    }
  }

  /** Called before each trade in an instrument. */
  onTrade: (tokenId: string, atMs: number) => void = () => {};

  #stateAt(atMs: number) {
    const { rows } = this.account;
    const facts = { orders: this.#watch.orders, undecided: this.#undecided, refusals: this.#refusals };
    return {
      positions: positionsIn(rows, new DateWithCachedIso(atMs)),
      buying: unfilledBuyUnitsOf(unfilledBuyUnitsIn(rows), facts),
      orders: nodeOrdersOf(facts, { nowMs: atMs, toFeed: (ms) => ms }),
    };
  }

  #processEvent({ kind, id }: ScheduledEvent, atMs: number): void {
    const moment = this.#moment(atMs);
    switch (kind) {
      case 'arrive':
        this.#arrive(id, moment, atMs);
        break;
      case 'cancel':
        this.account.cancelAtVenue(id, moment);
        break;
      case 'approve':
        this.#approve(id, moment, atMs);
        break;
      case 'expire':
        this.#expire(id, moment);
        break;
      case 'propose':
        this.#proposeAgain(id, atMs);
        break;
    }
    this.#recordOrderChanges(atMs);
  }

  #arrive(id: string, moment: ActorAndTime, atMs: number): void {
    const order = this.account.rows.orders.get(id);
    if (order === undefined) return;
    const { instrument } = this.account.market(order.token_id);
    if (!this.#options.market.isRecorded(order.token_id)) {
      this.account.venue.refresh(order.token_id);
      this.#arrivals.set(order.token_id, [...(this.#arrivals.get(order.token_id) ?? []), atMs]);
    }
    this.account.send(id, this.#offers.snapshotFor(instrument, atMs), moment);
  }

  #approve(id: string, moment: ActorAndTime, atMs: number): void {
    if (this.account.rows.orders.get(id)?.status !== 'pending') return;
    this.show(atMs);
    try {
      this.account.approve(id, moment);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#options.tally.denied(error.code);
      const nodeId = this.account.rows.orders.get(id)?.node_id ?? null;
      this.#options.recorder.log(atMs, 'approval_refused', nodeId, error.message);
    }
  }

  /** Expires a waiting order, or cancels a resting one past its time. */
  #expire(id: string, moment: ActorAndTime): void {
    const order = this.account.rows.orders.get(id);
    if (order === undefined || isFinal(order.status)) return;
    if (isAtVenue(order.status)) this.account.cancelAtVenue(id, moment);
    else this.account.expire(id, moment);
  }

  #propose(intent: Intent, raisedAtMs: number, atMs: number): void {
    this.show(atMs);
    this.#state = null;
    const raising = {
      deploymentId: DEPLOYMENT_ID,
      blueprintId: BLUEPRINT_ID,
      releaseNumber: RELEASE,
      stepAt: new DateWithCachedIso(intent.stepAt),
    };
    try {
      this.account.propose(toProposedIntent(intent, raising), this.#moment(atMs));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const isYoung = atMs - raisedAtMs < DECIDE_WITHIN_MS;
      if (PASSING.has(error.code) && isYoung) this.#defer(intent, raisedAtMs, atMs + RETRY_MS);
      else this.#refuse(intent, error, atMs);
    }
    this.#recordOrderChanges(atMs);
  }

  #defer(intent: Intent, raisedAtMs: number, atMs: number): void {
    const id = `${intent.nodeId} ${intent.stepAt}`;
    this.#deferred.set(id, { intent, raisedAtMs });
    this.#undecided = new Map([...this.#undecided, [intent.nodeId, intent]]);
    this.#state = null;
    this.queue.add({ atMs, kind: 'propose', id });
  }

  #proposeAgain(id: string, atMs: number): void {
    const deferred = this.#deferred.get(id);
    if (deferred === undefined) return;
    this.#deferred.delete(id);
    const { nodeId } = deferred.intent;
    this.#undecided = new Map([...this.#undecided].filter(([node]) => node !== nodeId));
    this.#propose(deferred.intent, deferred.raisedAtMs, atMs);
  }

  #refuse({ nodeId, stepAt }: Intent, { code, message }: DomainError, atMs: number): void {
    const { tally, recorder } = this.#options;
    tally.denied(code);
    recorder.log(atMs, 'refused', nodeId, `No order was made: ${message}`);
    const refusal = {
      id: `refused ${toIsoCached(stepAt)}`,
      status: 'denied',
      ...WITHOUT_ORDER,
      endedAt: atMs,
      message,
    };
    this.#refusals = new Map([...this.#refusals, [nodeId, refusal]]);
  }

  /** Tracks changed orders: schedules their events, and records their trades and their ends. */
  #recordOrderChanges(atMs: number): void {
    const { rows } = this.account;
    while (rows.hasTouched) {
      this.#state = null;
      for (const order of rows.takeTouched()) this.#watch.see(order, atMs);
    }
  }

  #forget(atMs: number): void {
    for (let first = this.#ended[0]; first !== undefined; first = this.#ended[0]) {
      if (atMs - first.atMs <= COUNTS_MS) return;
      this.#ended.shift();
      this.account.drop(first.order);
    }
  }

  #deploy(halted: boolean): void {
    this.account.deploy({
      id: DEPLOYMENT_ID,
      blueprint_id: BLUEPRINT_ID,
      release_number: RELEASE,
      ended_at: null,
      halted,
    });
  }

  #moment(atMs: number): ActorAndTime {
    return { actor: ACTOR, now: new DateWithCachedIso(atMs) };
  }
}

const RELEASE = 1;
const RETRY_MS = 2_000;
const NO_FEE = { formula: 'notional', takerRate: '0', makerRate: '0', exponent: 1, roundUpTo: null } as const;
