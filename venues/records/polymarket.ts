import {
  type HistoryAvailability,
  POLYMARKET_POINTS_PER_REQUEST,
  POLYMARKET_WINDOW_MS,
} from '../history-source.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';
import { defineVenue } from './venue-record.ts';

const midpoints = (resolutionMs: number, lookbackMs: number | null): HistoryAvailability => ({
  kind: 'midpoint',
  resolutionMs,
  lookbackMs,
  rowsPerRequest: Math.min(POLYMARKET_POINTS_PER_REQUEST, POLYMARKET_WINDOW_MS / resolutionMs),
});

/** Its limits are documented, and used with a wide margin. */
export const polymarket = defineVenue({
  id: 'venue-b',
  title: 'Venue B',
  kind: 'outcome',
  token: {
    pattern: /^[1-9][0-9]{4,77}$/,
    what: 'a venue B token id',
    shape: 'digits',
    example: 'digits only',
  },
  source: 'polymarket',
  // The venue drops fine points with time. These are its own minimum spans.
  past: [
    midpoints(MINUTE_MS, 7 * DAY_MS),
    midpoints(5 * MINUTE_MS, 60 * DAY_MS),
    midpoints(30 * MINUTE_MS, 90 * DAY_MS),
    midpoints(3 * HOUR_MS, null),
    midpoints(12 * HOUR_MS, null),
  ],
  feedLock: 2,
  clearing: { netsOutcomes: false, paysOnRedemption: true, positionsLagMs: 300_000, booksEveryMs: 0 },
  apis: {
    gamma: {
      name: 'venue B',
      url: 'https://gamma-api.polymarket.com',
      simulatorPath: '/gamma',
      host: 'the listings of Polymarket',
      setting: 'GAMMA_URL',
      limits: { ratePerSec: 20, concurrency: 8 },
    },
    clob: {
      name: 'venue B order books',
      url: 'https://clob.polymarket.com',
      simulatorPath: '/clob',
      host: 'the order books of Polymarket',
      setting: 'CLOB_URL',
      limits: { ratePerSec: 50, concurrency: 8 },
    },
    polymarketData: {
      name: 'venue B history',
      url: 'https://data-api.polymarket.com',
      simulatorPath: '/data',
      host: 'the price histories of Polymarket',
      setting: 'POLYMARKET_DATA_URL',
      limits: { ratePerSec: 10, concurrency: 4 },
    },
  },
});
