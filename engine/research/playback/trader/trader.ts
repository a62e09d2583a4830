import { DomainError, type ErrorCode } from '../../../platform/errors.ts';
import { isAtVenue, isFinal } from '../../../platform/order-states.ts';
import { accountFactsOf } from '../../../risk/account-facts.ts';
import { buyingOf, NOTHING_FILLED, nodeOrdersOf } from '../../../strategy/deployments/orders-seen.ts';
import type { AccountFacts, Intent, NodeOrder, World } from '../../../strategy/graph/types.ts';
import { proposalOf } from '../../../trading/orders/entry/proposal.ts';
import type { InstrumentRow, OrderRow } from '../../../trading/orders/row.ts';
import type { Moment } from '../../account/desk.ts';
import { PaperDesk } from '../../account/paper-desk.ts';
import { countingIds } from '../ids.ts';
import type { BacktestInput } from '../input.ts';
import { Instant, isoOf } from '../plain.ts';
import type { Recorder } from '../record/recorder.ts';
import type { Tally } from '../tally.ts';
import { Agenda, type Due } from './agenda.ts';
import { buyingIn, positionsIn } from './holdings.ts';
import type { Market } from './market.ts';
import { markedQuoteOf, Offers } from './offers.ts';
import { OrderWatch } from './order-watch.ts';

const ACTOR = 'system';
const ACCOUNT_ID = '00000000-0000-7000-8000-000000000001';
const DEPLOYMENT_ID = '00000000-0000-7000-8000-000000000002';
const BLUEPRINT_ID = '00000000-0000-7000-8000-000000000003';
/** An order that has ended counts for a minute: then it is forgotten. */
const COUNTS_MS = 60_000;
/** An intent that could not be decided within this time is over, as live. */
const DECIDE_WITHIN_MS = 60_000;
/** Refusals that a moment may mend. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['quote_unavailable', 'upstream_unavailable']);

type PutAside = { readonly intent: Intent; readonly raisedAtMs: number };

export type TraderOptions = {
  readonly input: BacktestInput;
  readonly market: Market;
  readonly recorder: Recorder;
  readonly tally: Tally;
  /** Which of the desks of the run. */
  readonly desk: number;
  readonly startMs: number;
};

/**
 * Makes orders of the intents of one deployment, as the service does: the desk decides, what waits is approved or not by the
 * request's policy, what is cleared arrives after the latency and meets what the market shows then.
 */
export class Trader {
  readonly desk: PaperDesk;
  readonly agenda = new Agenda();
  readonly #options: TraderOptions;
  readonly #offers: Offers;
  readonly #watch: OrderWatch;
  readonly #aside = new Map<string, PutAside>();
  readonly #ended: OrderRow[] = [];
  #refusals: ReadonlyMap<string, NodeOrder> = new Map();
  #undecided: ReadonlyMap<string, Intent> = new Map();
  #state: Pick<World, 'positions' | 'buying' | 'orders'> | null = null;
  #isHalted = false;
  /** By instrument: when orders arrived in the bar that is forming. */
  readonly #arrivals = new Map<string, readonly number[]>();
  /** When the candle closed that resting orders are meeting. */
  #met: string | null = null;

  constructor(options: TraderOptions) {
    const { input, market, desk, startMs } = options;
    const { request, rules, settings } = input;
    this.#options = options;
    this.#offers = new Offers(market, request.fills);
    this.desk = new PaperDesk({
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
        created_at: isoOf(startMs),
      },
      newId: countingIds(request.seed, desk),
      settings,
      isLean: true,
    });
    this.#watch = new OrderWatch({
      request,
      market,
      recorder: options.recorder,
      tally: options.tally,
      agenda: this.agenda,
      offers: this.#offers,
      fillsOf: (orderId) => this.desk.rows.fills.get(orderId) ?? [],
      onTrade: (tokenId, atMs) => this.onTrade(tokenId, atMs),
      onEnd: (order) => this.#ended.push(order),
      isThrough: (orderId, place) =>
        this.#met !== null && this.desk.venue.fills.get(orderId)?.[place]?.offer_as_of === this.#met,
    });
    for (const row of market.rows()) this.list(row);
    this.#deploy(false);
  }

  get isHalted(): boolean {
    return this.#isHalted;
  }

  /** Its orders or positions are others than when the graph read them last. */
  get hasMoved(): boolean {
    return this.#state === null;
  }

  /** What the graph reads of its own orders and positions. */
  stateAt(atMs: number): Pick<World, 'positions' | 'buying' | 'orders'> {
    this.#state ??= this.#stateAt(atMs);
    return this.#state;
  }

  accountAt(atMs: number): AccountFacts {
    this.show(atMs);
    const now = new Instant(atMs);
    return accountFactsOf(this.desk.basis(now), now, atMs);
  }

  /** An instrument as its venue states it from now on. */
  list(row: InstrumentRow): void {
    this.desk.list(this.#options.input.request.fees === 'none' ? { ...row, fee_schedule: NO_FEE } : row);
  }

  /** Entries halt, and what rests of them is taken back. */
  halt(atMs: number): void {
    this.#isHalted = true;
    this.#deploy(true);
    const now = new Instant(atMs);
    const reason = 'the blueprint is in error: entries halt';
    this.desk.cancelDeployment(DEPLOYMENT_ID, { now, reason, onlyBuys: true }, ACTOR);
    this.#follow(atMs);
  }

  raise(intents: readonly Intent[], atMs: number, delayMs: number): void {
    for (const intent of intents) {
      this.#options.tally.intents++;
      if (delayMs > 0) this.#putAside(intent, atMs, atMs + delayMs);
      else this.#propose(intent, atMs, atMs);
    }
  }

  /** Does what is due at an instant, orders that arrive first. */
  work(atMs: number): void {
    for (let due = this.agenda.take(atMs); due !== undefined; due = this.agenda.take(atMs))
      this.#do(due, atMs);
    this.#forget(atMs);
  }

  /** A bar has closed: its volume is there to be taken. */
  renew(tokenId: string): void {
    this.#offers.renew(tokenId);
  }

  /** What rests meets the bar that has closed, the quote that has come, or of recorded coins both, as on paper. */
  meet(tokenId: string, atMs: number): void {
    if (this.desk.venue.rests(tokenId)) this.#meetResting(tokenId, atMs);
    if (this.#options.market.hasClosedBar(tokenId, atMs)) this.#arrivals.delete(tokenId);
    this.#follow(atMs);
  }

  #meetResting(tokenId: string, atMs: number): void {
    const { market } = this.#options;
    const closed = market.barToMeet(tokenId, atMs);
    const arrivals = this.#arrivals.get(tokenId) ?? [];
    const parts = arrivals.flatMap((sinceMs) => market.closedSince(tokenId, sinceMs, atMs) ?? []);
    const candles = closed === null ? [] : [closed, ...parts].map((each) => this.#offers.candleOf(each));
    this.#met = closed === null ? null : isoOf(closed.bar.closeMs - 1);
    if (market.isRecorded(tokenId)) this.desk.advance(tokenId, candles, this.#moment(atMs));
    else if (candles.length > 0) this.desk.meetCandles(tokenId, candles, this.#moment(atMs));
  }

  /** A recorded quote: the desk keeps its mark as the service does. */
  quoted(tokenId: string, atMs: number): void {
    const { market } = this.#options;
    const touch = market.touchAt(tokenId, atMs);
    const row = market.rowOf(tokenId);
    if (touch !== null && row !== undefined) this.desk.quote(markedQuoteOf(tokenId, row, touch));
  }

  /** Brings the quotes that the desk decides by to an instant. */
  show(atMs: number): void {
    const { market } = this.#options;
    for (const row of this.desk.rows.instruments.values()) {
      if (market.isRecorded(row.token_id)) continue;
      const touch = market.touchAt(row.token_id, atMs);
      if (touch !== null) this.desk.show(markedQuoteOf(row.token_id, row, touch));
    }
  }

  /** Pays out what is held of a market whose value is stated. */
  settle(tokenId: string, atMs: number): void {
    if (this.desk.market(tokenId).instrument.settlement_value === null) return;
    this.show(atMs);
    const moment = this.#moment(atMs);
    this.desk.settle(tokenId, moment);
    for (const order of this.desk.rows.liveOrders()) {
      if (order.token_id === tokenId && isAtVenue(order.status)) this.desk.cancelAtVenue(order.id, moment);
    }
    this.desk.settle(tokenId, moment);
    for (const payout of this.desk.rows.payouts.splice(0)) this.#watch.settled(payout, atMs);
    this.#state = null;
    this.#follow(atMs);
  }

  /** The loss of the day is looked at, and the day is opened. */
  openDay(atMs: number): void {
    this.show(atMs);
    this.desk.openDay(new Instant(atMs));
  }

  tripIfReached(atMs: number): void {
    this.show(atMs);
    this.desk.tripIfReached(new Instant(atMs));
    this.#follow(atMs);
  }

  /** The run is over: what still lives is told as canceled, and nothing is sold. */
  end(): void {
    for (const order of this.desk.rows.liveOrders()) {
      const ended: OrderRow = {
        ...order,
        status: 'canceled',
        reason_code: 'backtest_over',
        reason: 'The backtest was over.',
      };
      this.#watch.recordEnd(ended);
    }
  }

  /** Calls back before anything is traded in an instrument. */
  onTrade: (tokenId: string, atMs: number) => void = () => {};

  #stateAt(atMs: number) {
    const { rows } = this.desk;
    const facts = { orders: this.#watch.orders, undecided: this.#undecided, refusals: this.#refusals };
    return {
      positions: positionsIn(rows, new Instant(atMs)),
      buying: buyingOf(buyingIn(rows), facts),
      orders: nodeOrdersOf(facts, { nowMs: atMs, toFeed: (ms) => ms }),
    };
  }

  #do({ kind, id }: Due, atMs: number): void {
    const moment = this.#moment(atMs);
    switch (kind) {
      case 'arrive':
        this.#arrive(id, moment, atMs);
        break;
      case 'cancel':
        this.desk.cancelAtVenue(id, moment);
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
    this.#follow(atMs);
  }

  #arrive(id: string, moment: Moment, atMs: number): void {
    const order = this.desk.rows.orders.get(id);
    if (order === undefined) return;
    const { instrument } = this.desk.market(order.token_id);
    if (!this.#options.market.isRecorded(order.token_id)) {
      this.desk.venue.refresh(order.token_id);
      this.#arrivals.set(order.token_id, [...(this.#arrivals.get(order.token_id) ?? []), atMs]);
    }
    this.desk.send(id, this.#offers.shownTo(instrument, atMs), moment);
  }

  #approve(id: string, moment: Moment, atMs: number): void {
    if (this.desk.rows.orders.get(id)?.status !== 'pending') return;
    this.show(atMs);
    try {
      this.desk.approve(id, moment);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#options.tally.denied(error.code);
      const nodeId = this.desk.rows.orders.get(id)?.node_id ?? null;
      this.#options.recorder.log(atMs, 'approval_refused', nodeId, error.message);
    }
  }

  /** What waits is over; what rests past its time is taken back. */
  #expire(id: string, moment: Moment): void {
    const order = this.desk.rows.orders.get(id);
    if (order === undefined || isFinal(order.status)) return;
    if (isAtVenue(order.status)) this.desk.cancelAtVenue(id, moment);
    else this.desk.expire(id, moment);
  }

  #propose(intent: Intent, raisedAtMs: number, atMs: number): void {
    this.show(atMs);
    this.#state = null;
    const raising = {
      deploymentId: DEPLOYMENT_ID,
      blueprintId: BLUEPRINT_ID,
      releaseNumber: RELEASE,
      stepAt: new Instant(intent.stepAt),
    };
    try {
      this.desk.propose(proposalOf(intent, raising), this.#moment(atMs));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const isYoung = atMs - raisedAtMs < DECIDE_WITHIN_MS;
      if (PASSING.has(error.code) && isYoung) this.#putAside(intent, raisedAtMs, atMs + RETRY_MS);
      else this.#refuse(intent, error, atMs);
    }
    this.#follow(atMs);
  }

  #putAside(intent: Intent, raisedAtMs: number, atMs: number): void {
    const id = `${intent.nodeId} ${intent.stepAt}`;
    this.#aside.set(id, { intent, raisedAtMs });
    this.#undecided = new Map([...this.#undecided, [intent.nodeId, intent]]);
    this.#state = null;
    this.agenda.add({ atMs, kind: 'propose', id });
  }

  #proposeAgain(id: string, atMs: number): void {
    const aside = this.#aside.get(id);
    if (aside === undefined) return;
    this.#aside.delete(id);
    const { nodeId } = aside.intent;
    this.#undecided = new Map([...this.#undecided].filter(([node]) => node !== nodeId));
    this.#propose(aside.intent, aside.raisedAtMs, atMs);
  }

  #refuse({ nodeId, stepAt }: Intent, { code, message }: DomainError, atMs: number): void {
    const { tally, recorder } = this.#options;
    tally.denied(code);
    recorder.log(atMs, 'refused', nodeId, `No order was made: ${message}`);
    const refusal = {
      id: `refused ${isoOf(stepAt)}`,
      status: 'denied',
      ...NOTHING_FILLED,
      endedAt: atMs,
      message,
    };
    this.#refusals = new Map([...this.#refusals, [nodeId, refusal]]);
  }

  /** Sees to what has become of orders: what is to come of them, what they traded, how they ended. */
  #follow(atMs: number): void {
    const { rows } = this.desk;
    while (rows.hasTouched) {
      this.#state = null;
      for (const order of rows.takeTouched()) this.#watch.see(order, atMs);
    }
  }

  #forget(atMs: number): void {
    for (let first = this.#ended[0]; first !== undefined; first = this.#ended[0]) {
      if (atMs - Date.parse(first.updated_at) <= COUNTS_MS) return;
      this.#ended.shift();
      this.desk.drop(first);
    }
  }

  #deploy(halted: boolean): void {
    this.desk.deploy({
      id: DEPLOYMENT_ID,
      blueprint_id: BLUEPRINT_ID,
      release_number: RELEASE,
      ended_at: null,
      halted,
    });
  }

  #moment(atMs: number): Moment {
    return { actor: ACTOR, now: new Instant(atMs) };
  }
}

const RELEASE = 1;
const RETRY_MS = 2_000;
const NO_FEE = { formula: 'notional', takerRate: '0', makerRate: '0', exponent: 1, roundUpTo: null } as const;
