import type {
  Broker,
  BrokerOrder,
  OrderKey,
  VenueFill,
  VenueOrder,
} from '../../engine/orders/execution/broker.ts';

/**
 * A venue the test drives by hand: it keeps every order it was given, answers or loses the answer as told, and
 * fills when the test says so.
 */
export class ScriptedBroker implements Broker {
  /** Every order handed over, repeats included. */
  readonly placed: BrokerOrder[] = [];
  readonly orders = new Map<string, VenueOrder>();
  /** What happens at the next hand-over: the order arrives and is answered, its answer is lost, or it never arrives. */
  next: 'answer' | 'lose_answer' | 'never_arrive' = 'answer';
  /** State an arriving order gets. */
  arriving: Omit<VenueOrder, 'venueOrderId' | 'fills'> = { status: 'open', reasonCode: null, reason: null };
  /** Orders the venue says changed, the next time quotes move. */
  readonly changed: OrderKey[] = [];

  async place(order: BrokerOrder): Promise<VenueOrder> {
    this.placed.push(order);
    if (this.next === 'never_arrive') throw new Error('connection reset');
    if (!this.orders.has(order.id)) {
      this.orders.set(order.id, { venueOrderId: `v-${order.id}`, fills: [], ...this.arriving });
    }
    if (this.next === 'lose_answer') throw new Error('connection reset');
    return this.#state(order.id);
  }

  async cancel({ id }: { id: string }): Promise<VenueOrder | null> {
    const order = this.orders.get(id);
    if (order?.status === 'open')
      this.orders.set(id, { ...order, status: 'canceled', reasonCode: 'canceled' });
    return this.orders.has(id) ? this.#state(id) : null;
  }

  async find({ id }: { id: string }): Promise<VenueOrder | null> {
    return this.orders.has(id) ? this.#state(id) : null;
  }

  async advance(): Promise<OrderKey[]> {
    return this.changed.splice(0);
  }

  /** Fills part of an order; `status` is what the venue says of it from then on. */
  fill(
    id: string,
    fill: Partial<VenueFill> & { amount: string },
    status: VenueOrder['status'] = 'open',
  ): VenueOrder {
    const order = this.#state(id);
    const booked: VenueFill = {
      tradeId: `${id}-${order.fills.length + 1}`,
      price: '0.5',
      fee: '0',
      at: new Date('2026-11-20T12:00:00.000Z'),
      ...fill,
    };
    const filled = { ...order, status, fills: [...order.fills, booked] };
    this.orders.set(id, filled);
    return filled;
  }

  #state(id: string): VenueOrder {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`The venue has no order ${id}.`);
    return order;
  }
}
