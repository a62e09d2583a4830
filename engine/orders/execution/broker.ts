import type { Side, TimeInForce } from '../../../db/entities/order.ts';
import type { Venue } from '../../../db/vocabulary.ts';
import type { BooksKey } from '../../context.ts';

/** An order by its full key. */
export type OrderKey = BooksKey & { readonly id: string };

/** The order `id` of the books a work is about. */
export const keyOf = ({ accountId, mode }: BooksKey, id: string): OrderKey => ({ accountId, mode, id });

/** What a broker is asked to do: an order whose id is the client order id, so that the venue knows a repeat. */
export type BrokerOrder = OrderKey & {
  tokenId: string;
  venue: Venue;
  side: Side;
  timeInForce: TimeInForce;
  /** Decimal strings. */
  amount: string;
  limitPrice: string;
  /** The venue must refuse the order if it arrives later: then "not found" after this moment is proof. */
  validUntil: Date;
  /** A venue that can end an order by itself may do so from here on; it is asked back then in any case. */
  goodTill: Date | null;
};

/** An execution as the venue tells it. `tradeId` is unique at the venue. */
export type VenueFill = { tradeId: string; amount: string; price: string; fee: string; at: Date };

/** All the venue knows of one order, every fill included. */
export type VenueOrder = {
  venueOrderId: string;
  status: 'open' | 'filled' | 'canceled' | 'expired' | 'rejected';
  fills: VenueFill[];
  /** Why it was rejected or canceled, stable and in words. */
  reasonCode: string | null;
  reason: string | null;
};

/**
 * The way to a venue. Whatever a method throws means "the answer is lost", never "it did not happen": the caller
 * asks with {@link Broker.find} before it believes anything.
 */
export interface Broker {
  /** Hands an order over. A repeat with the same id changes nothing and answers what became of the first. */
  place(order: BrokerOrder): Promise<VenueOrder>;
  /** Asks for the end of a resting order, and answers what it is now: a fill may have been faster. */
  cancel(order: OrderKey): Promise<VenueOrder | null>;
  /** What became of an order, by its client order id; null if the venue never took it. */
  find(order: OrderKey): Promise<VenueOrder | null>;
  /** Quotes of these instruments moved: answers the orders whose state at the venue changed since asked last. */
  advance(tokenIds: readonly string[]): Promise<OrderKey[]>;
}
