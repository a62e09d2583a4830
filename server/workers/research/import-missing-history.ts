import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool, systemDb } from '../../../db/pool.ts';
import {
  IMPORT_TURN_MS,
  ImportTurnOver,
  importSeries,
  missingRanges,
} from '../../../engine/history/import.ts';
import { requireHistoryRoom } from '../../../engine/history/storage-limit.ts';
import { currentHistorySource } from '../../../engine/history/store.ts';
import type { MarketData } from '../../../venues/port.ts';
import { LockSession } from '../../kernel/rounds/lock-session.ts';
import type { ImportMissingHistory } from './gather-input.ts';

/** The longest time for which a frozen process can block the imports of others. */
const LEASE_MS = 8_000;
const TRY_AGAIN_MS = 250;

/** The length of a turn at a venue; waiting processes check again within the pause. */
const PAUSE_MS = 2 * TRY_AGAIN_MS;

/**
 * Fetches the missing history of a run, with the venue's priority for background requests. One import of a venue runs at a time
 * among all processes, and yields after {@link IMPORT_TURN_MS}. Rows that another import fetched meanwhile are not requested again.
 */
export const createMissingHistoryImporter =
  (pool: Pool, market: MarketData, maxBytes: number): ImportMissingHistory =>
  async ({ key, fromMs, toMs, accountId }, signal) => {
    const db = systemDb(pool);
    const range = { fromMs, toMs };
    while ((await missingRanges(db, key, range, market.now())).length > 0) {
      const lock = new LockSession(pool, `import-${key.venue}`, LEASE_MS);
      try {
        while (!(await lock.hold())) await sleep(TRY_AGAIN_MS, undefined, { signal });
        const begunMs = performance.now();
        await importSeries(db, market, key, range, {
          source: await currentHistorySource(db, key.venue),
          signal,
          paidBy: accountId,
          beforeChunk: async (soFar) => {
            if (performance.now() - begunMs >= IMPORT_TURN_MS) throw new ImportTurnOver(soFar);
            await requireHistoryRoom(db, accountId, maxBytes);
          },
        });
        return;
      } catch (error) {
        if (!(error instanceof ImportTurnOver)) throw error;
      } finally {
        await lock.close();
      }
      await sleep(PAUSE_MS, undefined, { signal });
    }
  };
