import type { Brokers } from '../../engine/trading/orders/execution/brokers.ts';
import type {
  AbsenceProof,
  AccountFill,
  Broker,
  BrokerOrder,
  CancelResult,
  FillPage,
  FindResult,
  OpenVenueOrder,
  OrderKey,
  OrderRef,
  PlaceResult,
  Prepared,
  PrepareResult,
  TradedInstrument,
  VenueBalance,
  VenueFill,
  VenueOrder,
  VenuePosition,
  VenueStatus,
  VenueTransfer,
} from '../../venues/broker.ts';
import type { MayLeave } from '../../venues/http/send-once.ts';

/** How long a request to the scripted venue may be under way. */
const ARRIVES_WITHIN_MS = 15_000;

/**
 * A venue that the test drives. It stores every order, answers or loses the answer as scripted, and fills on demand. It trades
 * for any caller, in any mode.
 */
export class ScriptedBroker implements Broker, Brokers {
  absenceProof: AbsenceProof = { times: 1, apartMs: 0 };
  /** Every order sent, repeats included. */
  readonly placed: BrokerOrder[] = [];
  readonly orders = new Map<string, VenueOrder>();
  /**
   * The outcome of the next submission. The order arrives and is answered, its answer is lost, it never arrives, or it is
   * refused. With `exists` the venue answers that it has the order already.
   */
  next: 'answer' | 'lose_answer' | 'never_arrive' | 'refuse' | 'exists' = 'answer';
  /** Resolves when requests may be sent. */
  turn: Promise<void> = Promise.resolve();
  /** Whether the venue can determine the state of an order. */
  isSure = true;
  /** The state of an arriving order. */
  arriving: Pick<VenueOrder, 'status' | 'reasonCode' | 'reason'> = {
    status: 'open',
    reasonCode: null,
    reason: null,
  };
  /** The reason why the next order cannot be made into a request, if so. */
  unpreparable: { code: string; reason: string } | null = null;
  /** Orders that the venue reports as changed, the next time quotes move. */
  readonly changed: OrderKey[] = [];
  readonly #now: () => Date;

  constructor(now: () => Date = () => new Date()) {
    this.#now = now;
  }

  of(): Broker {
    return this;
  }

  prepare({ id }: BrokerOrder, _instrument: TradedInstrument, now: Date): PrepareResult {
    if (this.unpreparable !== null) return { kind: 'refused', ...this.unpreparable };
    const arrivesBy = new Date(now.getTime() + ARRIVES_WITHIN_MS);
    const prepared = { clientOrderId: id, venueOrderId: null, request: { id }, signedFor: now, arrivesBy };
    return { kind: 'prepared', prepared };
  }

  async place(order: BrokerOrder, _prepared: Prepared, mayLeave?: MayLeave): Promise<PlaceResult> {
    await this.turn;
    const why = (await mayLeave?.()) ?? null;
    if (why !== null) return { kind: 'withheld', ...why };
    this.placed.push(order);
    if (this.next === 'never_arrive') throw new Error('connection reset');
    if (this.next === 'refuse') return { kind: 'refused', code: 'refused', reason: 'The venue refuses it.' };
    const isRepeat = this.orders.has(order.id);
    if (!isRepeat) this.arrive(order.id);
    if (this.next === 'lose_answer') throw new Error('connection reset');
    if (isRepeat || this.next === 'exists') return { kind: 'exists' };
    return { kind: 'taken', order: this.state(order.id) };
  }

  async cancel({ id }: Pick<OrderRef, 'id'>): Promise<CancelResult> {
    const order = this.orders.get(id);
    if (order?.status !== 'open') return { kind: 'gone' };
    this.orders.set(id, { ...order, status: 'canceled', reasonCode: 'canceled' });
    return { kind: 'asked' };
  }

  async find({ id }: Pick<OrderRef, 'id'>): Promise<FindResult> {
    if (!this.isSure) return { kind: 'unsure' };
    if (!this.orders.has(id)) return { kind: 'absent', asOf: this.#now() };
    return { kind: 'found', order: this.state(id) };
  }

  async listOpen(): Promise<OpenVenueOrder[]> {
    const open = [...this.orders].filter(([, { status }]) => status === 'open');
    return open.flatMap(([id, { venueOrderId }]) => {
      const order = this.placed.find((each) => each.id === id);
      if (order === undefined || venueOrderId === null) return [];
      const { tokenId, side, amount, limitPrice } = order;
      return {
        venueOrderId,
        clientOrderId: id,
        tokenId,
        side,
        amount,
        limitPrice,
        filledAmount: '0',
        placedAt: null,
      };
    });
  }

  async fillsSince(cursor: string | null): Promise<FillPage> {
    const all = [...this.orders].flatMap(([id, { fills, venueOrderId }]): AccountFill[] => {
      const order = this.placed.find((each) => each.id === id);
      if (order === undefined || venueOrderId === null) return [];
      const { tokenId, side } = order;
      return fills.map((fill) => ({ ...fill, venueOrderId, clientOrderId: id, tokenId, side }));
    });
    const from = Number(cursor ?? 0);
    return { fills: all.slice(from), cursor: String(all.length) };
  }

  async positions(): Promise<VenuePosition[]> {
    const held = new Map<string, number>();
    for (const { tokenId, side, amount } of (await this.fillsSince(null)).fills)
      held.set(tokenId, (held.get(tokenId) ?? 0) + (side === 'buy' ? Number(amount) : -Number(amount)));
    return [...held].map(([tokenId, amount]) => ({ tokenId, amount: String(amount) }));
  }

  async balances(): Promise<VenueBalance[]> {
    return [];
  }

  async transfers(_since: Date): Promise<VenueTransfer[]> {
    return [];
  }

  async status(): Promise<VenueStatus> {
    return {
      clockOffsetMs: 0,
      isTrading: true,
      resumesAt: null,
      permissions: ['read', 'trade'],
      fingerprint: 'scripted',
      keyExpiresAt: null,
    };
  }

  async cancelAll(): Promise<void> {
    for (const id of this.orders.keys()) await this.cancel({ id });
  }

  async advance(): Promise<OrderKey[]> {
    return this.changed.splice(0);
  }

  /** The order arrives now, whether or not its sender knows. */
  arrive(id: string): VenueOrder {
    const order = { venueOrderId: `v-${id}`, filledAmount: null, fills: [], ...this.arriving };
    this.orders.set(id, order);
    return order;
  }

  /** Fills part of an order; `status` is what the venue reports from then on. */
  fill(
    id: string,
    fill: Partial<VenueFill> & { amount: string },
    status: VenueOrder['status'] = 'open',
  ): VenueOrder {
    const order = this.state(id);
    const booked = fillOf(`${id}-${order.fills.length + 1}`, fill);
    const filled = { ...order, status, fills: [...order.fills, booked] };
    this.orders.set(id, filled);
    return filled;
  }

  /** The venue's report of an order. */
  state(id: string): VenueOrder {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`The venue has no order ${id}.`);
    return order;
  }
}

/** A fill at 0.5 without a fee, unless specified otherwise. */
export function fillOf(tradeId: string, fill: Partial<VenueFill> & { amount: string }): VenueFill {
  return {
    tradeId,
    price: '0.5',
    fee: '0',
    feeAsset: 'USD',
    feeAmount: fill.fee ?? '0',
    liquidity: null,
    state: 'final',
    at: new Date('2026-11-20T12:00:00.000Z'),
    ...fill,
  };
}
