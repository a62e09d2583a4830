import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Pool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { hashOf, rowsFrom } from '../../engine/history/rows.ts';
import type { SeriesKey } from '../../engine/history/series.ts';
import { HistoryDamaged, readHistory, writeHistory } from '../../engine/history/store.ts';
import { recordPriceSource } from '../../engine/platform/price-source.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { BTC_5M, seriesFromCsv, storeHistory } from '../support/history.ts';
import { openTestPool } from '../support/pool.ts';

const MINUTE = 60_000;
const KEY: SeriesKey = { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: 5 * MINUTE };
const BARS = seriesFromCsv(BTC_5M, 5 * MINUTE);
const FIRST = BARS.columns.openTimeMs[0] ?? 0;
const MONTH = { fromMs: Date.UTC(2025, 8, 1), toMs: Date.UTC(2025, 9, 1) };
const LATER = new Date(Date.UTC(2025, 9, 3));

let database: TestDatabase;
let pool: Pool;
let owner: Pool;
let db: Db;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = await openTestPool(database.connection);
  owner = await openTestPool(database.owner, { poolMax: 1 });
  db = systemDb(pool);
});
afterEach(async () => {
  await pool.close();
  await owner.close();
  await database.drop();
});

const priceOf = (price: number) => ({ open: price, high: price, low: price, close: price, volume: 1 });
const barAt = (openTimeMs: number, price: number) => ({
  openTimeMs,
  closeTimeMs: openTimeMs + 5 * MINUTE - 1,
  ...priceOf(price),
});
const stored = () => db.selectFrom('history_chunk').selectAll().orderBy('from_at').execute();

test('a stored history is read back, with its gaps and the spans that were never fetched', async () => {
  await storeHistory(db, KEY, BARS);
  const { closeTimeMs } = BARS.columns;
  const end = (closeTimeMs.at(-1) ?? 0) + 1;
  const read = await readHistory(db, KEY, { fromMs: FIRST - 1, toMs: end + 1 }, { isShared: true });
  expect(read).toMatchObject({ key: KEY, hash: hashOf(BARS), gaps: [], source: 'recorded' });
  expect(read?.rows).toEqual(BARS);
  expect(read?.rows.columns.close.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(read?.missing).toEqual([
    { fromMs: FIRST - 1, toMs: FIRST },
    { fromMs: end, toMs: end + 1 },
  ]);
  const part = await readHistory(db, KEY, { fromMs: FIRST + 1, toMs: end - 1 });
  expect(part?.rows.count).toBe(BARS.count - 2);
  expect(part?.hash).not.toBe(hashOf(BARS));
  expect(await readHistory(db, { ...KEY, tokenId: 'ETHUSDT' }, MONTH)).toBeNull();
  expect(await readHistory(db, KEY, { fromMs: 0, toMs: FIRST })).toBeNull();
});

test('a series over several months is one series', async () => {
  const from = Date.UTC(2025, 7, 31, 23, 50);
  const rows = rowsFrom('candle', [
    barAt(from, 1),
    barAt(from + 5 * MINUTE, 2),
    barAt(from + 15 * MINUTE, 3),
  ]);
  const held = { fromMs: from, toMs: from + 20 * MINUTE };
  await writeHistory(db, KEY, { rows, held, source: 'binance' }, LATER);
  expect((await stored()).map((chunk) => chunk.rows)).toEqual([2, 1]);
  const read = await readHistory(db, KEY, held);
  expect(read?.rows).toEqual(rows);
  expect(read?.gaps).toEqual([{ fromMs: from + 10 * MINUTE, toMs: from + 15 * MINUTE }]);
  expect(read?.missing).toEqual([]);
});

test('histories of a simulated world and of the real one never mix', async () => {
  await recordPriceSource(db, 'simulator', new Date(1));
  await storeHistory(db, KEY, BARS);
  await recordPriceSource(db, 'live', new Date(2));
  expect(await readHistory(db, KEY, MONTH)).toBeNull();
  await recordPriceSource(db, 'simulator', new Date(3));
  expect((await readHistory(db, KEY, MONTH))?.rows.count).toBe(BARS.count);
});

test('row 39: a sealed month that is imported again and differs is reported with both hashes, and stays', async () => {
  const seal = { rows: BARS, held: MONTH, source: 'binance' };
  expect(await writeHistory(db, KEY, seal, LATER)).toEqual([]);
  expect(await stored()).toMatchObject([{ is_sealed: true, rows: BARS.count }]);
  expect(await writeHistory(db, KEY, seal, LATER)).toEqual([]);
  const other = rowsFrom('candle', [barAt(FIRST, 1)]);
  const differences = await writeHistory(db, KEY, { ...seal, rows: other }, LATER);
  expect(differences).toEqual([{ chunk: MONTH, storedHash: hashOf(BARS), offeredHash: hashOf(other) }]);
  expect((await readHistory(db, KEY, MONTH))?.hash).toBe(hashOf(BARS));
});

test('no statement changes a sealed month, not even the owner’s', async () => {
  await writeHistory(db, KEY, { rows: BARS, held: MONTH, source: 'binance' }, LATER);
  const asOwner = systemDb(owner);
  await expect(sql`update history_chunk set rows = 0`.execute(asOwner)).rejects.toThrow('cannot be changed');
  await expect(sql`delete from history_chunk`.execute(asOwner)).rejects.toThrow('cannot be changed');
  await expect(sql`truncate history_chunk`.execute(asOwner)).rejects.toThrow('cannot be changed');
});

test('a month that is not over yet may be corrected', async () => {
  const before = new Date(MONTH.toMs + 47 * 3_600_000);
  await writeHistory(db, KEY, { rows: BARS, held: MONTH, source: 'binance' }, before);
  const other = rowsFrom('candle', [barAt(FIRST, 1)]);
  expect(await writeHistory(db, KEY, { rows: other, held: MONTH, source: 'binance' }, before)).toEqual([]);
  expect((await readHistory(db, KEY, MONTH))?.hash).toBe(hashOf(other));
});

test('row 39: a flipped byte in the table is an error without data, never a history', async () => {
  await storeHistory(db, KEY, BARS);
  const [chunk] = await stored();
  const { length } = Buffer.from(chunk?.body ?? []);
  for (const at of [0, 1, 2, 9, Math.floor(length / 2), length - 1]) {
    await sql`update history_chunk set body = set_byte(body, ${at}, get_byte(body, ${at}) # 1)`.execute(db);
    const reading = readHistory(db, KEY, MONTH);
    await expect(reading, `byte ${at}`).rejects.toThrow(HistoryDamaged);
    await expect(reading).rejects.toMatchObject({ code: 'no_history' });
    await sql`update history_chunk set body = set_byte(body, ${at}, get_byte(body, ${at}) # 1)`.execute(db);
  }
  expect((await readHistory(db, KEY, MONTH))?.hash).toBe(hashOf(BARS));
});

test('concurrent writers of one chunk lose nothing of each other', async () => {
  const hours = Array.from({ length: 12 }, (_, hour) => FIRST + hour * 12 * 5 * MINUTE);
  await Promise.all(
    hours.map((fromMs) =>
      writeHistory(
        db,
        KEY,
        {
          rows: rowsFrom('candle', [barAt(fromMs, 1)]),
          held: { fromMs, toMs: fromMs + 60 * MINUTE },
          source: 'binance',
        },
        LATER,
      ),
    ),
  );
  expect((await readHistory(db, KEY, MONTH))?.rows.count).toBe(12);
});
