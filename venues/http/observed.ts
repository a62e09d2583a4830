/** What happens here, for whoever measures it: channels of `node:diagnostics_channel`, which cost nothing while nobody listens. */
import { tracingChannel } from 'node:diagnostics_channel';

/** One request to a host that venues are read from. */
export type VenueCall = {
  /** The host's name in messages, of a fixed list. */
  host: string;
  /** Requests that wait for their turn behind it. */
  queued: number;
  isBroken: boolean;
  /** How it ended; set before the end. */
  outcome: 'answered' | 'refused' | 'failed';
};

export const venueCalls = tracingChannel<VenueCall, VenueCall>('trading.venue-call');
