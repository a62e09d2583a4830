import { KLINE_INTERVALS, KLINES_PER_REQUEST } from '../history-source.ts';
import { defineVenue } from './venue-record.ts';

/** Its limits are documented, and used with a wide margin. */
export const binance = defineVenue({
  id: 'crypto',
  title: 'Crypto',
  kind: 'spot',
  token: {
    pattern: /^(?=.*[A-Z])[A-Z0-9]{5,20}$/,
    what: 'a crypto symbol',
    shape: 'BTCUSDT',
    example: 'BTCUSDT',
  },
  source: 'binance',
  past: Object.values(KLINE_INTERVALS).map((resolutionMs) => ({
    kind: 'candle',
    resolutionMs,
    lookbackMs: null,
    rowsPerRequest: KLINES_PER_REQUEST,
  })),
  feedLock: 3,
  clearing: { netsOutcomes: false, paysOnRedemption: false, positionsLagMs: 30_000, booksEveryMs: 1_600 },
  apis: {
    binance: {
      name: 'crypto',
      url: 'https://data-api.binance.vision',
      simulatorPath: '/binance',
      host: 'Binance',
      setting: 'BINANCE_URL',
      limits: {
        ratePerSec: 20,
        concurrency: 8,
        weight: { header: 'x-mbx-used-weight-1m', softCap: 1_000 },
      },
    },
  },
});
