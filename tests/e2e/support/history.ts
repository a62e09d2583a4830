import { openPool, systemDb } from '../../../db/pool.ts';
import { prepareDatabase } from '../../../db/prepare.ts';
import { rowsFrom } from '../../../engine/history/rows.ts';
import { writeHistory } from '../../../engine/history/store.ts';
import { connectDatabase } from '../../../server/kernel/connect-database.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The start of the current UTC day, epoch ms. */
export const today = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS;
export const daysAgo = (days: number): string => new Date(today() - days * DAY_MS).toISOString();

/** Writes candles of this many days into the database of a running service: a price that rises and falls by the hour. */
export async function storeCandles(dataDir: string, days: number): Promise<void> {
  const unnamed = {
    databaseUrl: null,
    databaseDirectUrl: null,
    migrationDatabaseUrl: null,
    walArchive: null,
  };
  const { access, release } = await connectDatabase({ ...unnamed, dataDir }, () => {});
  const pool = await openPool(await prepareDatabase(access, () => {}));
  try {
    for (const resolutionMs of [MINUTE_MS, 5 * MINUTE_MS]) {
      await writeHistory(
        systemDb(pool),
        { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs },
        {
          rows: rowsFrom('candle', candles(today() - days * DAY_MS, today(), resolutionMs)),
          held: { fromMs: today() - days * DAY_MS, toMs: today() },
          source: 'simulator',
        },
        new Date(),
      );
    }
  } finally {
    await pool.close();
    await release();
  }
}

const priceAt = (ms: number): number =>
  Math.round(6_000_000 * (1 + 0.02 * Math.sin(ms / (3 * 3_600_000)) + 0.004 * Math.sin(ms / 500_000))) / 100;

function candles(fromMs: number, toMs: number, resolutionMs: number) {
  return Array.from({ length: (toMs - fromMs) / resolutionMs }, (_, index) => {
    const openTimeMs = fromMs + index * resolutionMs;
    const [open, close] = [priceAt(openTimeMs), priceAt(openTimeMs + resolutionMs)];
    return {
      openTimeMs,
      closeTimeMs: openTimeMs + resolutionMs - 1,
      open,
      high: Math.max(open, close) + 5,
      low: Math.min(open, close) - 5,
      close,
      volume: 100,
    };
  });
}
