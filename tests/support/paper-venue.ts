import type { Brokers } from '../../engine/trading/orders/execution/brokers.ts';
import {
  openPaperVenue,
  type PaperVenue,
  type PaperVenueOptions,
} from '../../engine/trading/orders/paper/broker.ts';
import type { Broker, BrokerOrder, OrderKey, VenueOrder } from '../../venues/broker.ts';

/** The paper venue as a test calls it: it returns orders, whatever the form of the response. */
export class TestPaperVenue implements PaperVenue {
  readonly #venue: PaperVenue;
  readonly of: Brokers['of'];
  readonly advance: PaperVenue['advance'];

  constructor(options: PaperVenueOptions) {
    this.#venue = openPaperVenue(options);
    this.of = this.#venue.of;
    this.advance = this.#venue.advance;
  }

  /** Returns the venue's order, also for a repeat. */
  async place(order: BrokerOrder): Promise<VenueOrder> {
    const prepared = {
      clientOrderId: order.id,
      venueOrderId: order.id,
      request: {},
      signedFor: order.validUntil,
      arrivesBy: order.validUntil,
    };
    const placed = await this.#brokerOf(order).place(order, prepared, async () => null);
    if ('code' in placed) throw new Error(`It is refused: ${placed.reason}`);
    const state = placed.kind === 'taken' ? placed.order : await this.find(order);
    if (state === null) throw new Error(`Paper order ${order.id} exists and is not there.`);
    return state;
  }

  async cancel(key: OrderKey): Promise<VenueOrder | null> {
    await this.#brokerOf(key).cancel(refOf(key));
    return this.find(key);
  }

  async find(key: OrderKey): Promise<VenueOrder | null> {
    const found = await this.#brokerOf(key).find(refOf(key));
    return found.kind === 'found' ? found.order : null;
  }

  #brokerOf(key: OrderKey): Broker {
    return this.#venue.of(key, 'venue-a', null);
  }
}

const refOf = (key: OrderKey) => ({ ...key, tokenId: '', prepared: null, venueOrderId: null });

/** Order work with one venue for all orders. */
export const brokersAt = (venue: PaperVenue) => ({ brokers: venue, paper: venue });

/** The same venue, each of its brokers wrapped. */
export const wrapBrokers = (venue: PaperVenue, wrap: (broker: Broker) => Broker): PaperVenue => ({
  of: (...whose) => wrap(venue.of(...whose)),
  advance: (tokenIds) => venue.advance(tokenIds),
});
