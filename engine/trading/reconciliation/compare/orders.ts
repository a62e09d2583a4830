import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { OpenVenueOrder } from '../../../../venues/broker.ts';
import { type Exact, exact, ZERO } from '../../../platform/decimal.ts';
import { isAtVenue } from '../../../platform/order-states.ts';
import { valueAt } from '../../../platform/valuation.ts';
import { type Difference, differenceSubjects } from './difference.ts';

/** An order of ours at the connection that its venue may have, or lists. */
export type OurOrder = {
  readonly id: string;
  readonly tokenId: string;
  readonly status: OrderStatus;
  readonly clientOrderId: string;
  /** As the venue reported it, or as known in advance. */
  readonly venueOrderId: string | null;
  readonly limitPrice: Exact;
  readonly amount: Exact;
  readonly filledAmount: Exact;
  /** Whether the venue reports more filled than it lists fills for. */
  readonly lacksFills: boolean;
  readonly sentAt: Date;
};

/** Result of polling a single order. */
export type PollResult = 'found' | 'absent' | 'unsure';

/** Lag of the list of open orders: it may be older than a newly accepted order. */
const LISTED_AFTER_MS = 5_000;

/** Returns the orders to poll one by one, because the list differs from the books. Pure. */
export function ordersToPoll(
  ours: readonly OurOrder[],
  listed: readonly OpenVenueOrder[],
  now: Date,
): OurOrder[] {
  const theirs = byName(listed);
  return ours.filter((order) => {
    const listing = listingOf(order, theirs);
    if (order.lacksFills) return true;
    if (listing === undefined)
      return isAtVenue(order.status) && now.getTime() - order.sentAt.getTime() >= LISTED_AFTER_MS;
    return !isResting(order) || exact(listing.filledAmount).gt(order.filledAmount);
  });
}

/** Returns open orders at the venue that were placed outside this service. Displayed and counted, never changed. Pure. */
export function externalOrders(ours: readonly OurOrder[], listed: readonly OpenVenueOrder[]): Difference[] {
  const known = new Set(ours.flatMap(({ clientOrderId, venueOrderId }) => [clientOrderId, venueOrderId]));
  return listed
    .filter(({ clientOrderId, venueOrderId }) => !known.has(clientOrderId) && !known.has(venueOrderId))
    .map(({ venueOrderId, tokenId, side, amount, limitPrice, filledAmount }) => {
      const left = exact(amount).minus(filledAmount);
      return {
        subject: differenceSubjects.order(venueOrderId),
        kind: 'external_order',
        ours: ZERO,
        theirs: left,
        worth: valueAt(left, exact(limitPrice)),
        about: { tokenId, side, price: limitPrice, venueOrderId },
      };
    });
}

/**
 * Returns the differences left after the single polls: resting orders that the venue does not report, and orders with missing
 * fills. Neither ends the order, and the worth is unknown. `ours` is the state after the polls. Pure.
 */
export function orderDifferences(
  ours: readonly OurOrder[],
  polls: ReadonlyMap<string, PollResult>,
): Difference[] {
  return ours.flatMap((order): Difference[] => {
    const poll = polls.get(order.id);
    const isMissing = isResting(order) && poll !== undefined && poll !== 'found';
    if (!isMissing && !order.lacksFills) return [];
    const { id, tokenId, venueOrderId } = order;
    return [
      {
        subject: differenceSubjects.order(venueOrderId ?? id),
        kind: 'lag',
        ours: isMissing ? order.amount.minus(order.filledAmount) : order.filledAmount,
        theirs: isMissing ? ZERO : null,
        worth: null,
        about: { orderId: id, tokenId, ...(venueOrderId === null ? {} : { venueOrderId }) },
      },
    ];
  });
}

const isResting = ({ status }: Pick<OurOrder, 'status'>): boolean =>
  status === 'open' || status === 'partially_filled';

const byName = (listed: readonly OpenVenueOrder[]): ReadonlyMap<string, OpenVenueOrder> =>
  new Map(
    listed.flatMap((order) =>
      [order.venueOrderId, order.clientOrderId].flatMap((name) => (name === null ? [] : [[name, order]])),
    ),
  );

const listingOf = (
  { clientOrderId, venueOrderId }: OurOrder,
  theirs: ReadonlyMap<string, OpenVenueOrder>,
): OpenVenueOrder | undefined =>
  (venueOrderId === null ? undefined : theirs.get(venueOrderId)) ?? theirs.get(clientOrderId);
