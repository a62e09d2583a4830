import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, systemDb } from '../../../db/pool.ts';
import { GaveWay, importSeries, TURN_MS, toImport } from '../../../engine/history/import.ts';
import { refuseFull } from '../../../engine/history/room.ts';
import { sourceNow } from '../../../engine/history/store.ts';
import type { MarketData } from '../../../venues/port.ts';
import { LockSession } from '../../kernel/rounds/lock-session.ts';
import type { ImportHistory } from './input.ts';

/** The longest time for which a frozen process can block the imports of others. */
const LEASE_MS = 8_000;
const TRY_AGAIN_MS = 250;

/** The length of a turn at a venue; waiting processes check again within the pause. */
const PAUSE_MS = 2 * TRY_AGAIN_MS;

/**
 * Fetches the missing history of a run, with the venue's priority for background requests. One import of a venue runs at a time
 * among all processes, and yields after {@link TURN_MS}. Rows that another import fetched meanwhile are not requested again.
 */
export const historyImporter =
  (pool: Pool, market: MarketData, maxBytes: number): ImportHistory =>
  async ({ key, fromMs, toMs, accountId }, signal) => {
    const db = systemDb(pool);
    const range = { fromMs, toMs };
    while ((await toImport(db, key, range, market.now())).length > 0) {
      const lock = new LockSession(pool, `import-${key.venue}`, LEASE_MS);
      try {
        while (!(await lock.hold())) await sleep(TRY_AGAIN_MS, undefined, { signal });
        const begunMs = performance.now();
        await importSeries(db, market, key, range, {
          source: await sourceNow(db, key.venue),
          signal,
          paidBy: accountId,
          beforeChunk: async (soFar) => {
            if (performance.now() - begunMs >= TURN_MS) throw new GaveWay(soFar);
            await refuseFull(db, accountId, maxBytes);
          },
        });
        return;
      } catch (error) {
        if (!(error instanceof GaveWay)) throw error;
      } finally {
        await lock.close();
      }
      await sleep(PAUSE_MS, undefined, { signal });
    }
  };
