/** Diagnostics for metrics: channels of `node:diagnostics_channel`, which cost nothing without subscribers. */
import { tracingChannel } from 'node:diagnostics_channel';

/** One request to a host of market data. */
export type VenueCall = {
  /** The host's name in messages, from a fixed list. */
  host: string;
  /** Number of requests that wait behind it. */
  queued: number;
  isBroken: boolean;
  /** The outcome; set before the end. */
  outcome: 'answered' | 'refused' | 'failed';
};

export const venueCalls = tracingChannel<VenueCall, VenueCall>('trading.venue-call');
