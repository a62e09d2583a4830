import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Pool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { exportHistory } from '../../engine/history/export.ts';
import { importParquet } from '../../engine/history/parquet-import.ts';
import { hashOf, rowsFrom, sliceRows } from '../../engine/history/rows.ts';
import type { SeriesKey, SeriesRows } from '../../engine/history/series.ts';
import { readHistory } from '../../engine/history/store.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { BTC_5M, seriesFromCsv, storeHistory } from '../support/history.ts';
import { piecesOf } from '../support/parquet.ts';
import { openTestPool } from '../support/pool.ts';

const FIVE_MINUTES = 300_000;
const ALL = { fromMs: 0, toMs: Date.UTC(2030, 0, 1) };
const NOW = new Date(Date.UTC(2026, 0, 1));
const BTC: SeriesKey = { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: FIVE_MINUTES };
const ETH: SeriesKey = { ...BTC, tokenId: 'ETHUSDT' };
const BARS = seriesFromCsv(BTC_5M, FIVE_MINUTES);
const FIRST = BARS.columns.openTimeMs[0] ?? 0;

let database: TestDatabase;
let pool: Pool;
let db: Db;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = await openTestPool(database.connection);
  db = systemDb(pool);
});
afterEach(async () => {
  await pool.close();
  await database.drop();
});

const roomy = async () => undefined;

async function exported(key: SeriesKey): Promise<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(await piecesOf(exportHistory(db, null, key, ALL)))).buffer;
}

/** A file as other programs write it: one group of rows, microseconds, columns of their own in between. */
function foreignFile(rows: SeriesRows, times: readonly number[] = [...rows.columns.openTimeMs]): ArrayBuffer {
  const instants = (ofMs: (timeMs: number) => number) => times.map((timeMs) => BigInt(ofMs(timeMs) * 1_000));
  const column = (name: 'open' | 'high' | 'low' | 'close' | 'volume') => ({
    name,
    data: Array.from(rows.columns[name]).slice(0, times.length),
  });
  return parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 8 },
      { name: 'symbol', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      ...(['openTime', 'closeTime'] as const).map((name) => ({
        name,
        type: 'INT64' as const,
        converted_type: 'TIMESTAMP_MICROS' as const,
        repetition_type: 'REQUIRED' as const,
      })),
      ...(['volume', 'close', 'low', 'high', 'open'] as const).map((name) => ({
        name,
        type: 'DOUBLE' as const,
        repetition_type: 'REQUIRED' as const,
      })),
    ],
    columnData: [
      { name: 'symbol', data: times.map(() => 'whatever') },
      { name: 'openTime', data: instants((timeMs) => timeMs) },
      { name: 'closeTime', data: instants((timeMs) => timeMs + FIVE_MINUTES - 1) },
      ...(['volume', 'close', 'low', 'high', 'open'] as const).map(column),
    ],
  });
}

const quoted = (openTimeMs: number, bid: number | null) => ({
  openTimeMs,
  closeTimeMs: openTimeMs + 59_999,
  ...{ bidOpen: bid, bidHigh: bid, bidLow: bid, bidClose: bid },
  ...{ askOpen: 0.5, askHigh: 0.51, askLow: 0.5, askClose: null, volume: 3, openInterest: null },
});

test.each([
  ['candles', BTC, ETH, BARS],
  [
    'quotes, stated or not',
    { venue: 'venue-a', tokenId: 'KXONE:yes', kind: 'bid_ask', resolutionMs: 60_000 },
    { venue: 'venue-a', tokenId: 'KXTWO:yes', kind: 'bid_ask', resolutionMs: 60_000 },
    rowsFrom('bid_ask', [quoted(FIRST, 0.42), quoted(FIRST + 60_000, null)]),
  ],
  [
    'middle prices',
    { venue: 'venue-b', tokenId: '11', kind: 'midpoint', resolutionMs: 60_000 },
    { venue: 'venue-b', tokenId: '12', kind: 'midpoint', resolutionMs: 60_000 },
    rowsFrom('midpoint', [{ openTimeMs: FIRST, closeTimeMs: FIRST + 59_999, price: 0.123456789012345 }]),
  ],
] satisfies [string, SeriesKey, SeriesKey, SeriesRows][])(
  'exported %s are imported to the last bit',
  async (_, from, to, rows) => {
    await storeHistory(db, from, rows, NOW);
    expect(await importParquet(db, to, await exported(from), NOW, roomy)).toEqual({
      rows: rows.count,
      stored: rows.count,
    });
    expect(await readHistory(db, to, ALL)).toMatchObject({ hash: hashOf(rows), source: 'file', gaps: [] });
  },
);

test('a file of another program is read by the names of its columns', async () => {
  await importParquet(db, BTC, foreignFile(BARS), NOW, roomy);
  expect((await readHistory(db, BTC, ALL))?.rows).toEqual(BARS);
});

test('what is stored stays, and what the file lacks stays missing', async () => {
  await storeHistory(db, BTC, sliceRows(BARS, 0, 100), NOW, 'binance');
  const other = rowsFrom(
    'candle',
    Array.from({ length: 200 }, (_, at) => ({
      openTimeMs: FIRST + at * FIVE_MINUTES,
      closeTimeMs: FIRST + (at + 1) * FIVE_MINUTES - 1,
      ...{ open: 1, high: 1, low: 1, close: 1, volume: 1 },
    })).filter((_, at) => at !== 150),
  );
  expect(await importParquet(db, BTC, foreignFile(other), NOW, roomy)).toEqual({ rows: 199, stored: 99 });
  const read = await readHistory(db, BTC, { fromMs: FIRST, toMs: FIRST + 200 * FIVE_MINUTES });
  expect(read?.rows.columns.close.subarray(0, 100)).toEqual(BARS.columns.close.subarray(0, 100));
  expect(read?.rows.columns.close[100]).toBe(1);
  expect(read?.source).toBe('binance+file');
  expect(read?.gaps).toEqual([]);
  const hole = FIRST + 150 * FIVE_MINUTES;
  expect(read?.missing).toEqual([{ fromMs: hole, toMs: hole + FIVE_MINUTES }]);
  expect(await importParquet(db, BTC, foreignFile(other), NOW, roomy)).toEqual({ rows: 199, stored: 0 });
});

test.each([
  [
    'rows that are not sorted',
    () => foreignFile(BARS, [FIRST + FIVE_MINUTES, FIRST]),
    'Row 1 begins before the row above it',
  ],
  ['a row twice', () => foreignFile(BARS, [FIRST, FIRST]), 'Row 1 begins before the row above it'],
  [
    'a row of the future',
    () => foreignFile(BARS, [FIRST, NOW.getTime()]),
    'The last row ends at 2026-01-01T00:05:00.000Z',
  ],
  ['no rows', () => foreignFile(BARS, []), 'The file has 0 rows'],
  [
    'columns of another kind',
    () =>
      parquetWriteBuffer({
        columnData: [
          { name: 'openTime', data: [1] },
          { name: 'close', data: [1] },
        ],
      }),
    'The file has no column closeTime, open, high, low, volume.',
  ],
  ['no Parquet', () => new TextEncoder().encode('openTime,close\n1,2\n').buffer, 'parquet file invalid'],
  ['a file that was cut off', () => foreignFile(BARS).slice(0, 5_000), 'parquet file invalid'],
])('%s are refused, and nothing is stored', async (_, file, message) => {
  await expect(importParquet(db, BTC, file(), NOW, roomy)).rejects.toThrow(message);
  expect(await readHistory(db, BTC, ALL)).toBeNull();
});

test('an import ends where there is no room, with what was stored before', async () => {
  let ranges = 0;
  const full = async () => {
    ranges += 1;
    if (ranges > 1) throw new RangeError('no room');
  };
  const file = foreignFile(BARS, [FIRST, FIRST + 2 * FIVE_MINUTES]);
  await expect(importParquet(db, BTC, file, NOW, full)).rejects.toThrow('no room');
  expect((await readHistory(db, BTC, ALL))?.rows.count).toBe(1);
});
