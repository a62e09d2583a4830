import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPool, type Pool, systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { type ImportOptions, importSeries } from '../../engine/history/import.ts';
import type { SeriesKey } from '../../engine/history/series.ts';
import { requireHistoryRoom } from '../../engine/history/storage-limit.ts';
import { readHistory } from '../../engine/history/store.ts';
import { type OpenedMarketData, openMarketData } from '../../simulator/market-data.ts';
import type { HistoryPage } from '../../venues/port.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openFaultyVenue } from '../support/faulty-venue.ts';

const MINUTE = 60_000;
const KEY: SeriesKey = { venue: 'crypto', tokenId: 'BTCUSDT', kind: 'candle', resolutionMs: 5 * MINUTE };
const RANGE = { fromMs: Date.UTC(2026, 5, 10), toMs: Date.UTC(2026, 7, 3) };
/** The months of the range, whole. */
const MONTHS = { fromMs: Date.UTC(2026, 5, 1), toMs: Date.UTC(2026, 8, 1) };
const BARS = (MONTHS.toMs - MONTHS.fromMs) / KEY.resolutionMs;
const NOW = Date.UTC(2026, 8, 20, 9, 30);

let database: TestDatabase;
let pool: Pool;
let db: Db;
let venue: OpenedMarketData;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = await openPool(database.connection);
  db = systemDb(pool);
  venue = await openMarketData({ mode: 'simulator', seed: 'tests' });
  venue.simulator?.clock.pin(NOW / 1_000);
});
afterEach(async () => {
  await venue.close();
  await pool.close();
  await database.drop();
});

const options = (more: Partial<ImportOptions> = {}): ImportOptions => ({
  source: 'simulator',
  signal: new AbortController().signal,
  wait: async () => undefined,
  ...more,
});
const requestCount = () => venue.simulator?.faults.requests('/binance/api/v3/klines');
const held = () => readHistory(db, KEY, MONTHS);
const isSealed = async () =>
  (await db.selectFrom('history_chunk').select('is_sealed').orderBy('from_at').execute()).map(
    ({ is_sealed }) => is_sealed,
  );

test('row 38: an import over a bad connection is complete, has each candle once, and is not fetched again', {
  tags: ['long'],
}, async () => {
  await using line = await openFaultyVenue(`${venue.simulatorUrl}/binance`, 2);
  const market = await openMarketData({
    mode: 'simulator',
    simulatorUrl: venue.simulatorUrl ?? '',
    baseUrls: { binance: line.url },
  });
  const source = { history: market.history, now: () => NOW };
  const result = await importSeries(db, source, KEY, RANGE, options());
  expect([...line.counts.keys()].sort()).toEqual(
    ['429', '500', 'bad record', 'cut', 'duplicates', 'requests', 'reset', 'shuffled', 'truncated'].sort(),
  );
  expect(result.differences).toEqual([]);
  const unruly = await held();
  expect(unruly).toMatchObject({ gaps: [], missing: [], source: 'simulator' });
  expect(unruly?.rows.count).toBe(BARS);
  const requests = line.counts.get('requests');
  expect(await importSeries(db, source, KEY, RANGE, options())).toMatchObject({ rows: 0, pages: 0 });
  expect(line.counts.get('requests')).toBe(requests);
  line.calm();
  const again = await importSeries(db, source, KEY, RANGE, options({ isAgain: true }));
  expect(again).toMatchObject({ rows: BARS, differences: [] });
  expect(await isSealed()).toEqual([true, true, true]);
  await market.close();
});

test('row 38: an import that ends anywhere resumes at the chunk it ended in', {
  tags: ['long'],
}, async () => {
  const whole = await importSeries(db, venue, { ...KEY, tokenId: 'ETHUSDT' }, RANGE, options());
  let pages = 0;
  for (let stopAt = 2; stopAt < whole.pages; stopAt += 11) {
    const controller = new AbortController();
    const progress = ({ pages: done }: { pages: number }) => {
      if (done >= stopAt) controller.abort(new Error('killed'));
      pages += 1;
    };
    await importSeries(db, venue, KEY, RANGE, options({ signal: controller.signal, progress })).catch(
      (error: Error) => expect(error.message).toBe('killed'),
    );
  }
  const rest = await importSeries(db, venue, KEY, RANGE, options());
  expect((await held())?.rows.count).toBe(BARS);
  expect(rest.pages).toBeLessThan(whole.pages);
  expect(pages + rest.pages).toBeLessThan(2.5 * whole.pages);
});

test('a span for which a venue has nothing is requested twice, and stays a gap', async () => {
  const outage = { fromMs: Date.UTC(2026, 5, 24, 12), toMs: Date.UTC(2026, 5, 24, 14) };
  let asks = 0;
  const source = {
    now: () => NOW,
    async *history(
      ...[series, span, signal]: Parameters<OpenedMarketData['history']>
    ): AsyncIterable<HistoryPage> {
      if (span.fromMs <= outage.fromMs && span.toMs >= outage.toMs) asks += 1;
      for await (const { rows, coveredRange } of venue.history(series, span, signal)) {
        const seen = rows.filter(({ openTimeMs }) => openTimeMs < outage.fromMs || openTimeMs >= outage.toMs);
        yield { rows: seen, coveredRange };
      }
    },
  };
  const june = { fromMs: MONTHS.fromMs, toMs: Date.UTC(2026, 6, 1) };
  expect(await importSeries(db, source, KEY, june, options())).toMatchObject({ gaps: 1 });
  expect(asks).toBe(2);
  const read = await readHistory(db, KEY, june);
  expect(read?.gaps).toEqual([outage]);
  expect(read?.rows.count).toBe(30 * 288 - 24);
  await importSeries(db, source, KEY, june, options());
  expect(asks).toBe(2);
});

test('a month that is not over is fetched up to its last closed candle, and later from there', async () => {
  const september = { fromMs: Date.UTC(2026, 8, 1), toMs: Date.UTC(2026, 9, 1) };
  await importSeries(db, venue, KEY, september, options());
  const first = await readHistory(db, KEY, september);
  expect(first?.missing).toEqual([{ fromMs: NOW - 5 * MINUTE, toMs: september.toMs }]);
  venue.simulator?.clock.advance(3_600);
  venue.simulator?.faults.resetCounts();
  expect(await importSeries(db, venue, KEY, september, options())).toMatchObject({ rows: 12, pages: 1 });
  expect(requestCount()).toBe(1);
  expect(await isSealed()).toEqual([false]);
});

test('row 39: an import that gets other data for a sealed month reports it, and the stored data stays', {
  tags: ['long'],
}, async () => {
  await importSeries(db, venue, KEY, RANGE, options());
  const kept = (await held())?.hash;
  const other = await openMarketData({ mode: 'simulator', seed: 'another world' });
  const source = { history: other.history, now: () => NOW };
  const { differences } = await importSeries(db, source, KEY, RANGE, options({ isAgain: true }));
  expect(differences).toHaveLength(3);
  for (const { storedHash, offeredHash } of differences) {
    expect(storedHash).toMatch(/^[0-9a-f]{64}$/);
    expect(offeredHash).not.toBe(storedHash);
  }
  expect((await held())?.hash).toBe(kept);
  await other.close();
});

test('a venue that does not know the instrument, or has no such series, ends an import at once', {
  tags: ['long'],
}, async () => {
  const unknown = importSeries(db, venue, { ...KEY, tokenId: 'NOSUCHCOIN' }, RANGE, options());
  await expect(unknown).rejects.toMatchObject({ kind: 'not_found' });
  const none = importSeries(db, venue, { ...KEY, resolutionMs: 7 * MINUTE }, RANGE, options());
  await expect(none).rejects.toMatchObject({ kind: 'bad_request' });
});

test('once histories have reached their storage limit, nothing more is fetched, and stored data stays', {
  tags: ['long'],
}, async () => {
  const june = { fromMs: MONTHS.fromMs, toMs: Date.UTC(2026, 6, 1) };
  const { pages } = await importSeries(
    db,
    venue,
    KEY,
    june,
    options({ beforeChunk: () => requireHistoryRoom(db, null, 1) }),
  );
  expect(pages).toBeGreaterThan(0);
  const before = requestCount();
  const more = importSeries(
    db,
    venue,
    KEY,
    MONTHS,
    options({ beforeChunk: () => requireHistoryRoom(db, null, 1) }),
  );
  await expect(more).rejects.toThrow('HISTORY_MAX_MB');
  expect(requestCount()).toBe(before);
  expect((await readHistory(db, KEY, june))?.rows.count).toBe(30 * 288);
  expect(
    await importSeries(db, venue, KEY, june, options({ beforeChunk: () => requireHistoryRoom(db, null, 1) })),
  ).toMatchObject({ rows: 0 });
});

test('pages that are backwards, slow, repeated or overlapping give each candle once', {
  tags: ['long'],
}, async () => {
  const june = { fromMs: MONTHS.fromMs, toMs: Date.UTC(2026, 6, 1) };
  const odd = {
    now: () => NOW,
    async *history(
      ...[series, span, signal]: Parameters<OpenedMarketData['history']>
    ): AsyncIterable<HistoryPage> {
      let before: HistoryPage['rows'] = [];
      for await (const { rows, coveredRange } of venue.history(series, span, signal)) {
        await new Promise(setImmediate);
        yield { rows: [...rows.toReversed(), ...before, ...rows], coveredRange };
        before = rows;
      }
    },
  };
  await importSeries(db, venue, { ...KEY, tokenId: 'ETHUSDT' }, june, options());
  await importSeries(db, odd, { ...KEY, tokenId: 'ETHUSDT' }, june, options({ isAgain: true }));
  const result = await importSeries(db, odd, KEY, june, options());
  expect(result).toMatchObject({ gaps: 0, differences: [] });
  const { columns, count } = (await readHistory(db, KEY, june))?.rows ?? { columns: {}, count: 0 };
  expect(count).toBe(30 * 288);
  const opens = [...(columns as { openTimeMs: Float64Array }).openTimeMs];
  expect(opens).toEqual(opens.map((_, row) => june.fromMs + row * KEY.resolutionMs));
});
