/** Why an order ended, as stored with the order. */
import type { VenueOrder } from '../../broker.ts';
import type { CreateRequest } from './request.ts';

type EndReason = Pick<VenueOrder, 'reasonCode' | 'reason'>;

/** Codes are words; any other text of the venue is not repeated. */
export const REASON_CODE = /^[a-z][a-z0-9_]{0,59}$/;

export const NO_REASON: EndReason = { reasonCode: null, reason: null };
const AT_VENUE: EndReason = { reasonCode: 'at_venue', reason: 'The order was canceled at the venue.' };

/** For an order that the answer to its own request reports as canceled. */
export const immediateEndReason = ({ time_in_force }: CreateRequest): EndReason =>
  time_in_force !== 'good_till_canceled'
    ? { reasonCode: 'time_in_force', reason: 'The part that could not be filled at once was canceled.' }
    : AT_VENUE;

/** `PostOnlyCrossCancel` becomes `post_only_cross_cancel`. Text that is no such word gives only the general reason. */
export function cancelReason(venueText: string | null | undefined): EndReason {
  const code = (venueText ?? '').replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  return REASON_CODE.test(code) ? { ...AT_VENUE, reasonCode: code } : AT_VENUE;
}
