import { KALSHI_CANDLES_PER_REQUEST } from '../history-source.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';
import { defineVenue } from './venue-record.ts';

/** Its limits are measured. */
export const kalshi = defineVenue({
  id: 'venue-a',
  title: 'Venue A',
  kind: 'outcome',
  token: {
    pattern: /^[A-Z0-9][A-Z0-9.-]{0,99}:(yes|no)$/,
    what: 'a venue A ticker with its side',
    shape: 'TICKER:yes',
    example: 'KXBTC-26DEC31:yes',
  },
  source: 'kalshi',
  past: [MINUTE_MS, HOUR_MS, DAY_MS].map((resolutionMs) => ({
    kind: 'bid_ask',
    resolutionMs,
    lookbackMs: null,
    rowsPerRequest: KALSHI_CANDLES_PER_REQUEST,
  })),
  feedLock: 1,
  clearing: { netsOutcomes: true, paysOnRedemption: false, positionsLagMs: 30_000, booksEveryMs: 0 },
  apis: {
    kalshi: {
      name: 'venue A',
      url: 'https://external-api.kalshi.com/trade-api/v2',
      simulatorPath: '/kalshi/trade-api/v2',
      host: 'Kalshi',
      setting: 'KALSHI_URL',
      limits: { ratePerSec: 3, concurrency: 2 },
    },
    kalshiSearch: {
      name: 'venue A search',
      url: 'https://api.elections.kalshi.com/v1',
      simulatorPath: '/kalshi/v1',
      host: 'the search of Kalshi',
      setting: 'KALSHI_SEARCH_URL',
      limits: { ratePerSec: 3, concurrency: 2 },
    },
  },
});
