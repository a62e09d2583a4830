import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Pool, systemDb } from '../../db/pool.ts';
import { readHistory } from '../../engine/history/store.ts';
import { ClosedCandles, candleKey } from '../../engine/strategy/graph/candles.ts';
import { storeCandles } from '../../server/workers/trading/market/candle-recorder.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openTestPool } from '../support/pool.ts';

const MINUTE = 60_000;
const FIRST = Date.UTC(2026, 8, 20);
const KEY = { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: MINUTE } as const;
const HOUR = { fromMs: FIRST, toMs: FIRST + 60 * MINUTE };

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = await openTestPool(database.connection);
});
afterEach(async () => {
  await pool.close();
  await database.drop();
});

const candles = (...minutes: number[]) =>
  ClosedCandles.of(
    minutes.map((minute) => {
      const openTimeMs = FIRST + minute * MINUTE;
      const price = 100 + minute;
      const prices = { open: price, high: price, low: price, close: price, volume: 1 };
      return { openTimeMs, closeTimeMs: openTimeMs + MINUTE - 1, ...prices };
    }),
  );
const keep = (...minutes: number[]) =>
  storeCandles(
    { db: systemDb(pool), clock: async () => new Date(FIRST) },
    new Map([[candleKey('BTCUSDT', '1m'), { closed: candles(...minutes) }]]),
  );
const kept = () => readHistory(systemDb(pool), KEY, HOUR);

test('candles that strategies read are stored, except the newest, which may still be corrected', async () => {
  await keep(0, 1, 2);
  expect([...((await kept())?.rows.columns.close ?? [])]).toEqual([100, 101]);
  await keep(1, 2, 3, 4);
  const history = await kept();
  expect([...(history?.rows.columns.close ?? [])]).toEqual([100, 101, 102, 103]);
  expect(history).toMatchObject({ gaps: [], source: 'recorded' });
});

test('a span without reads is missing, not a gap', async () => {
  await keep(0, 1, 5, 6, 7);
  const history = await kept();
  expect(history?.gaps).toEqual([]);
  expect(history?.missing).toEqual([
    { fromMs: FIRST + 2 * MINUTE, toMs: FIRST + 5 * MINUTE },
    { fromMs: FIRST + 7 * MINUTE, toMs: HOUR.toMs },
  ]);
});
