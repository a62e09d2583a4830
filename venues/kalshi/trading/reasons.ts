/** Why an order ended, as stored with the order. */
import type { VenueOrder } from '../../broker.ts';
import type { CreateRequest } from './request.ts';

type Why = Pick<VenueOrder, 'reasonCode' | 'reason'>;

/** Codes are words; any other text of the venue is not repeated. */
export const CODE = /^[a-z][a-z0-9_]{0,59}$/;

export const UNSAID: Why = { reasonCode: null, reason: null };
const AT_VENUE: Why = { reasonCode: 'at_venue', reason: 'The order was canceled at the venue.' };

/** For an order that the answer to its own request reports as canceled. */
export const whyAtOnce = ({ time_in_force }: CreateRequest): Why =>
  time_in_force === 'immediate_or_cancel'
    ? { reasonCode: 'time_in_force', reason: 'The part that could not be filled at once was canceled.' }
    : AT_VENUE;

/** `PostOnlyCrossCancel` becomes `post_only_cross_cancel`. Text that is no such word gives only the general reason. */
export function whyCanceled(said: string | null | undefined): Why {
  const code = (said ?? '').replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  return CODE.test(code) ? { ...AT_VENUE, reasonCode: code } : AT_VENUE;
}
