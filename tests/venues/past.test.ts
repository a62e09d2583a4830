/** Histories of venues, in the wire formats of the simulator. */
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type OpenedMarketData, openMarketData } from '../../simulator/market-data.ts';
import { ArchiveError, readArchive } from '../../venues/binance/archive.ts';
import { RequestPacer } from '../../venues/http/request-pacer.ts';
import type { HistoryRange, HistoryRow, HistorySeriesKey } from '../../venues/port.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 8, 20, 9, 30);

let market: OpenedMarketData;
beforeAll(async () => {
  market = await openMarketData({ mode: 'simulator', seed: 'tests' });
  market.simulator?.clock.pin(NOW / 1_000);
});
afterEach(() => market.simulator?.faults.clear());
afterAll(() => market.close());

const answer = (path: string, body: unknown, times?: number) =>
  market.simulator?.faults.set(path, { kind: 'body', body, ...(times !== undefined && { times }) });

async function rowsOf(series: HistorySeriesKey, span: HistoryRange): Promise<HistoryRow[]> {
  const rows: HistoryRow[] = [];
  let at = span.fromMs;
  for await (const page of market.history(series, span, new AbortController().signal)) {
    expect(page.coveredRange.fromMs).toBe(at);
    at = page.coveredRange.toMs;
    rows.push(...page.rows);
  }
  expect(at).toBe(span.toMs);
  return rows;
}

const btc = (resolutionMs: number): HistorySeriesKey => ({
  kind: 'candle',
  tokenId: 'BTCUSDT',
  resolutionMs,
});

describe('candles of coins', () => {
  test.each([
    [1_000, 2_500],
    [MINUTE, 1_500],
    [DAY, 200],
  ])(
    'of %d ms come whole over several pages, each once, as the live ones are',
    async (resolutionMs, count) => {
      const toMs = Math.floor(NOW / resolutionMs) * resolutionMs;
      const span = { fromMs: toMs - count * resolutionMs, toMs };
      const rows = await rowsOf(btc(resolutionMs), span);
      expect(rows.map(({ openTimeMs }) => openTimeMs)).toEqual(
        Array.from({ length: count }, (_, index) => span.fromMs + index * resolutionMs),
      );
      if (resolutionMs !== MINUTE) return;
      const live = await market.closedCandles('BTCUSDT', '1m', { limit: 50 });
      expect(rows.slice(-50)).toEqual(live);
    },
  );

  test('the candle that is still forming is left out', async () => {
    const rows = await rowsOf(btc(HOUR), { fromMs: NOW - 3 * HOUR, toMs: NOW + HOUR });
    expect(rows.at(-1)?.closeTimeMs).toBe(Date.UTC(2026, 8, 20, 9) - 1);
  });

  test('of two candles for one time neither counts, and one that cannot be is its own problem', async () => {
    const kline = (minute: number, price: string, closes = (minute + 1) * MINUTE - 1) => {
      const text = [price, price, price, price];
      return [minute * MINUTE, ...text, '1', closes, '1', 1, '1', '1', '0'];
    };
    const list = [
      kline(1, '10'),
      kline(1, '10'),
      kline(2, '10'),
      kline(2, '11'),
      kline(3, '0'),
      kline(4, '10', 4 * MINUTE + 5),
      kline(5, '0.1234567890123456789'),
      kline(6, '10.50000000'),
      'x',
    ];
    answer('/binance/api/v3/klines', list, 1);
    const rows = await rowsOf(btc(MINUTE), { fromMs: 0, toMs: 7 * MINUTE });
    expect(rows.map((row) => [row.openTimeMs / MINUTE, (row as { close: number }).close])).toEqual([
      [1, 10],
      [6, 10.5],
    ]);
  });

  test('a page of which nothing can be read is an error, not an empty past', async () => {
    answer('/binance/api/v3/klines', ['x', 'y']);
    await expect(rowsOf(btc(MINUTE), { fromMs: 0, toMs: MINUTE })).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  test('who has given up waits for no page', async () => {
    market.simulator?.faults.set('/binance', { kind: 'freeze' });
    const controller = new AbortController();
    const pages = market.history(btc(MINUTE), { fromMs: 0, toMs: MINUTE }, controller.signal);
    const first = pages[Symbol.asyncIterator]().next();
    setTimeout(() => controller.abort(), 20);
    await expect(first).rejects.toThrow();
  });

  test('pages are asked for no faster than at their pace', async () => {
    const pace = new RequestPacer(100);
    const startMs = performance.now();
    for (let turn = 0; turn < 5; turn += 1) await pace.waitForSlot(new AbortController().signal);
    // Four pauses of 10 ms; a timer of Node.js may end a little early, but early ends do not add up.
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(35);
    await expect(pace.waitForSlot(AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  });
});

describe('row 41: archives of candles', () => {
  const line = (atMs: number, lengthMs: number, scale: number) =>
    [
      atMs * scale,
      '100.5',
      '101',
      '99.25',
      '100',
      '7.5',
      (atMs + lengthMs) * scale - 1,
      '1',
      3,
      '1',
      '1',
      '0',
    ].join();
  const csv = (fromMs: number, scale: number) =>
    Array.from({ length: 3 }, (_, index) => line(fromMs + index * MINUTE, MINUTE, scale)).join('\n');

  /** A zip of one file, in the venue's format. */
  function zipOf(text: string, name = 'file.csv'): Buffer {
    const file = deflateRawSync(Buffer.from(text));
    const sizes = (head: Buffer, at: number) => {
      head.writeUInt16LE(8, at);
      head.writeUInt32LE(file.length, at + 10);
      head.writeUInt32LE(text.length, at + 14);
      head.writeUInt16LE(name.length, at + 18);
    };
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    sizes(local, 8);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    sizes(entry, 10);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(1, 8);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(46 + name.length, 12);
    end.writeUInt32LE(30 + name.length + file.length, 16);
    return Buffer.concat([local, Buffer.from(name), file, entry, Buffer.from(name), end]);
  }
  const sumOf = (bytes: Buffer, name: string) =>
    `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
  const read = (name: string, text: string) => {
    const bytes = zipOf(text);
    return readArchive(name, bytes, sumOf(bytes, name));
  };

  test('of 2025 in microseconds and of 2024 in milliseconds have the same instants as the wire', async () => {
    for (const [year, scale] of [
      [2024, 1],
      [2025, 1_000],
    ] as const) {
      const fromMs = Date.UTC(year, 0, 1);
      const { rows, ...subject } = read(`BTCUSDT-1m-${year}-01.zip`, csv(fromMs, scale));
      expect(subject).toEqual({
        symbol: 'BTCUSDT',
        resolutionMs: MINUTE,
        span: { fromMs, toMs: Date.UTC(year, 1, 1) },
        unread: 0,
      });
      const wire = await rowsOf(btc(MINUTE), { fromMs, toMs: fromMs + 3 * MINUTE });
      const times = (list: readonly HistoryRow[]) => list.map((row) => [row.openTimeMs, row.closeTimeMs]);
      expect(times(rows)).toEqual(times(wire));
      expect(rows[0]).toMatchObject({ open: 100.5, high: 101, low: 99.25, close: 100, volume: 7.5 });
    }
  });

  test('of a day are of that day, and what is not of it is left out', () => {
    const fromMs = Date.UTC(2025, 2, 9);
    const text = `open_time,open\n${csv(fromMs - MINUTE, 1_000)}\nnonsense\n9,9`;
    const { rows, span, unread } = read('ETHUSDT-1m-2025-03-09.zip', text);
    expect(span).toEqual({ fromMs, toMs: fromMs + DAY });
    expect([rows.length, unread]).toEqual([2, 2]);
  });

  test('with another checksum, of another name, cut or not zipped are refused', () => {
    const name = 'BTCUSDT-1m-2025-01.zip';
    const bytes = zipOf(csv(Date.UTC(2025, 0, 1), 1_000));
    const refused = (...input: Parameters<typeof readArchive>) =>
      expect(() => readArchive(...input)).toThrow(ArchiveError);
    refused(name, bytes, `${'0'.repeat(64)}  ${name}`);
    refused(name, bytes, '');
    refused(name, bytes, sumOf(bytes, 'BTCUSDT-1m-2025-02.zip'));
    refused('BTCUSDT-1m-2025-02.zip', bytes, sumOf(bytes, 'BTCUSDT-1m-2025-02.zip'));
    refused('BTCUSDT-7m-2025-01.zip', bytes, sumOf(bytes, 'BTCUSDT-7m-2025-01.zip'));
    for (let length = 0; length < bytes.length; length += 7) {
      const cut = bytes.subarray(0, length);
      refused(name, cut, sumOf(cut, name));
    }
  });
});

describe('row 40: quotes of venue A', () => {
  const TICKER = 'KXDAILY-26';
  const bar = (prices: [number, number, number, number] | null, suffix: string) =>
    prices === null
      ? {}
      : Object.fromEntries(
          ['open', 'high', 'low', 'close'].map((name, index) => [
            `${name}${suffix}`,
            (prices[index] ?? 0).toFixed(4),
          ]),
        );
  const live = (endMs: number, bid: number) => ({
    end_period_ts: endMs / 1_000,
    price: {},
    yes_bid: bar([bid, bid + 0.02, bid - 0.02, bid], '_dollars'),
    yes_ask: bar([bid + 0.05, bid + 0.07, bid + 0.03, bid + 0.05], '_dollars'),
    volume_fp: '12.00',
    open_interest_fp: '40.00',
  });
  const archived = (endMs: number, bid: number) => ({
    end_period_ts: endMs / 1_000,
    price: { open: null, high: null, low: null, close: null, previous: null },
    yes_bid: bar([bid, bid + 0.02, bid - 0.02, bid], ''),
    yes_ask: bar([bid + 0.05, bid + 0.07, bid + 0.03, bid + 0.05], ''),
    volume: '12.00',
    open_interest: '40.00',
  });
  const record = (status: string) => ({
    market: { ticker: TICKER, status, open_time: '2025-10-01T00:00:00Z', close_time: '2026-04-01T00:00:00Z' },
  });
  /** Midnights of New York around both changes of daylight saving time. */
  const AUTUMN = [
    Date.UTC(2025, 10, 1, 4),
    Date.UTC(2025, 10, 2, 4),
    Date.UTC(2025, 10, 3, 5),
    Date.UTC(2025, 10, 4, 5),
  ];
  const SPRING = [
    Date.UTC(2026, 2, 7, 5),
    Date.UTC(2026, 2, 8, 5),
    Date.UTC(2026, 2, 9, 4),
    Date.UTC(2026, 2, 10, 4),
  ];
  const series: HistorySeriesKey = { kind: 'bid_ask', tokenId: `${TICKER}:yes`, resolutionMs: DAY };

  test.each(['live', 'archived'])('days of a %s market are those of New York, none twice', async (shape) => {
    const make = shape === 'live' ? live : archived;
    const made = [...AUTUMN, ...SPRING].map((endMs) => make(endMs, 0.4));
    const candles = [...made, make(AUTUMN[1] ?? 0, 0.4), make(Date.UTC(2025, 10, 5, 12), 0.4)].toReversed();
    const path = `/kalshi/trade-api/v2`;
    if (shape === 'live') {
      answer(`${path}/markets/candlesticks`, { markets: [{ market_ticker: TICKER, candlesticks: candles }] });
      answer(`${path}/markets/${TICKER}`, record('active'));
    } else {
      answer(`${path}/historical/markets/${TICKER}/candlesticks`, { candlesticks: candles });
      answer(`${path}/historical/markets/${TICKER}`, record('finalized'));
    }
    const rows = await rowsOf(series, { fromMs: Date.UTC(2025, 9, 1), toMs: Date.UTC(2026, 3, 1) });
    expect(rows.map(({ closeTimeMs }) => closeTimeMs + 1)).toEqual([...AUTUMN, ...SPRING]);
    const hours = rows.map(({ openTimeMs, closeTimeMs }) => (closeTimeMs + 1 - openTimeMs) / HOUR);
    expect(hours).toEqual([24, 24, 25, 24, 24, 24, 23, 24]);
    expect(rows[0]).toMatchObject({
      bidOpen: 0.4,
      bidHigh: 0.42,
      bidLow: 0.38,
      askClose: 0.45,
      openInterest: 40,
    });
  });

  test('what is bid for no is what is offered of yes, taken from 1', async () => {
    const path = '/kalshi/trade-api/v2/markets';
    answer(`${path}/candlesticks`, {
      markets: [{ market_ticker: TICKER, candlesticks: [live(AUTUMN[0] ?? 0, 0.4)] }],
    });
    answer(`${path}/${TICKER}`, record('active'));
    const span = { fromMs: Date.UTC(2025, 9, 30), toMs: Date.UTC(2025, 10, 2) };
    const [row] = await rowsOf({ ...series, tokenId: `${TICKER}:no` }, span);
    expect(row).toMatchObject({ bidOpen: 0.55, bidHigh: 0.57, bidLow: 0.53, askHigh: 0.62, askLow: 0.58 });
  });

  test('minutes, hours and days of a simulated market are as it was quoted live', async () => {
    const { markets } = await market.at('venue-a').top(50);
    const long = markets.find(({ ticker }) => ticker?.startsWith('KXFED')) ?? markets[0];
    const tokenId = `${long?.ticker}:yes`;
    const toMs = Date.UTC(2026, 8, 20, 4);
    for (const [resolutionMs, count] of [
      [MINUTE, 240],
      [HOUR, 48],
      [DAY, 10],
    ] as const) {
      const rows = await rowsOf(
        { kind: 'bid_ask', tokenId, resolutionMs },
        { fromMs: toMs - count * resolutionMs, toMs },
      );
      expect(rows).toHaveLength(count);
      for (const row of rows as { bidClose: number; askClose: number }[]) {
        expect(row.bidClose).toBeLessThan(row.askClose);
      }
    }
    const [minute] = await rowsOf(
      { kind: 'bid_ask', tokenId, resolutionMs: MINUTE },
      { fromMs: NOW - 60_000, toMs: NOW },
    );
    const [quote] = await market.quotes([tokenId]);
    expect((minute as { bidClose: number }).bidClose).toBeCloseTo(Number(quote?.bid), 1);
  });
});

describe('row 42: middle prices of venue B', () => {
  const tokenOf = async () => {
    const { markets } = await market.at('venue-b').top(50);
    const [longest] = markets.toSorted((a, b) => (b.closesAt ?? '').localeCompare(a.closesAt ?? ''));
    return longest?.outcomes[0]?.tokenId ?? '';
  };
  const midpoints = async (resolutionMs: number, fromMs: number, toMs: number) =>
    rowsOf({ kind: 'midpoint', tokenId: await tokenOf(), resolutionMs }, { fromMs, toMs });

  test('minutes reach back a week, nothing coarser stands in for what is older', async () => {
    const toMs = Date.UTC(2026, 8, 20, 9);
    const rows = await midpoints(MINUTE, toMs - 9 * DAY, toMs);
    const first = rows[0]?.openTimeMs ?? 0;
    expect(first).toBeGreaterThanOrEqual(NOW - 7 * DAY - MINUTE);
    expect(first).toBeLessThan(NOW - 7 * DAY + 2 * MINUTE);
    expect(rows.length).toBeGreaterThan(6.9 * 1_440);
    const halfHours = await midpoints(30 * MINUTE, toMs - 9 * DAY, toMs);
    expect(halfHours).toHaveLength(9 * 48);
  });

  test('points of another length than asked are left out, repeated and late ones count once', async () => {
    const at = Date.UTC(2026, 8, 19) / 1_000;
    const point = (sec: number, price: number, resolution = 1_800) => ({
      timestamp: at + sec,
      price,
      resolution_seconds: resolution,
    });
    answer('/data/v2/prices-history', {
      data: [
        point(1_800, 0.5),
        point(1_800, 0.51),
        point(3_600, 0.6, 10_800),
        point(5_400, 0.7),
        point(5_460, 0.71),
      ],
      pagination: { next_cursor: null },
    });
    const rows = await midpoints(30 * MINUTE, at * 1_000, at * 1_000 + 2 * HOUR);
    expect(
      rows.map(({ openTimeMs, ...row }) => [
        (row.closeTimeMs + 1) / 1_000 - at,
        (row as { price: number }).price,
      ]),
    ).toEqual([
      [1_800, 0.51],
      [5_400, 0.7],
      [7_200, 0.71],
    ]);
  });

  test('a list that does not end is refused', async () => {
    answer('/data/v2/prices-history', { data: [], pagination: { next_cursor: 'again' } });
    const toMs = Date.UTC(2026, 8, 20);
    await expect(midpoints(30 * MINUTE, toMs - DAY, toMs)).rejects.toThrow('does not end');
  });
});
