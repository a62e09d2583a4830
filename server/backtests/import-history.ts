import type { PriceSource } from '../../db/entities/market.ts';
import { type Pool, systemDb } from '../../db/pool.ts';
import type { Venue } from '../../db/vocabulary.ts';
import { importSeries } from '../../engine/history/import.ts';
import type { MarketData } from '../../venues/port.ts';
import type { ImportHistory } from './input.ts';

/** Who tells the past of a venue, as a history names it. */
const SOURCES: Readonly<Record<Venue, string>> = {
  crypto: 'binance',
  'venue-a': 'kalshi',
  'venue-b': 'polymarket',
};

/** Fetches what a run lacks, after everybody else: the venue's own turn for what is asked in the background. */
export const historyImporter =
  (pool: Pool, market: MarketData, prices: PriceSource): ImportHistory =>
  async ({ key, fromMs, toMs }, signal) => {
    const source = prices === 'simulator' ? 'simulator' : SOURCES[key.venue];
    await importSeries(systemDb(pool), market, key, { fromMs, toMs }, { source, signal });
  };
