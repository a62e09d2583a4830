/** Why an order is over, as it is kept with it. */
import type { VenueOrder } from '../../broker.ts';
import type { CreateRequest } from './request.ts';

type Why = Pick<VenueOrder, 'reasonCode' | 'reason'>;

/** Codes are words; anything else the venue writes there is not repeated. */
export const CODE = /^[a-z][a-z0-9_]{0,59}$/;

export const UNSAID: Why = { reasonCode: null, reason: null };
const AT_VENUE: Why = { reasonCode: 'at_venue', reason: 'It was canceled at the venue.' };

/** Of an order that the answer to its own request says is canceled. */
export const whyAtOnce = ({ time_in_force }: CreateRequest): Why =>
  time_in_force === 'immediate_or_cancel'
    ? { reasonCode: 'time_in_force', reason: 'What was not there at once is given up.' }
    : AT_VENUE;

/** `PostOnlyCrossCancel` is `post_only_cross_cancel`; what is no such word says only where it ended. */
export function whyCanceled(said: string | null | undefined): Why {
  const code = (said ?? '').replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  return CODE.test(code) ? { ...AT_VENUE, reasonCode: code } : AT_VENUE;
}
