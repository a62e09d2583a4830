import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, systemDb } from '../../db/pool.ts';
import { importSeries, toImport } from '../../engine/history/import.ts';
import { sourceNow } from '../../engine/history/store.ts';
import type { MarketData } from '../../venues/port.ts';
import { LockSession } from '../runner/lock-session.ts';
import type { ImportHistory } from './input.ts';

/** A process that has stopped answering holds up the imports of others no longer than this. */
const LEASE_MS = 8_000;
const TRY_AGAIN_MS = 250;

/**
 * Fetches what a run lacks, after everybody else: the venue's own turn for what is asked in the background, and of each venue
 * one import at a time among all processes. What another one fetched meanwhile is not asked for again.
 */
export const historyImporter =
  (pool: Pool, market: MarketData, maxBytes: number): ImportHistory =>
  async ({ key, fromMs, toMs }, signal) => {
    const db = systemDb(pool);
    const range = { fromMs, toMs };
    if ((await toImport(db, key, range, market.now())).length === 0) return;
    const lock = new LockSession(pool, `import-${key.venue}`, LEASE_MS);
    try {
      while (!(await lock.hold())) await sleep(TRY_AGAIN_MS, undefined, { signal });
      await importSeries(db, market, key, range, {
        source: await sourceNow(db, key.venue),
        signal,
        maxBytes,
      });
    } finally {
      await lock.close();
    }
  };
