import { readFileSync } from 'node:fs';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import type { History, SeriesRows } from '../../engine/history/series.ts';

/**
 * 121,739 bars of five minutes, BTCUSDT of Binance spot, 2022-08-01 to 2023-09-27, with one gap of 16 bars on 2023-03-24.
 * Prices recorded by others: github.com/lucaforni/E0V1E-DCA, user_data/data/binance/BTC_USDT-5m.feather @ 2501247b0b
 * (2023-09-27), values unchanged. Columns of differences, their bytes put apart, compressed.
 */
const FILE = path.join(import.meta.dirname, '../fixtures/btcusdt-5m-2022-08-01_2023-09-27.bin.zst');
const MINUTE_MS = 60_000;
export const BAR_MS = 5 * MINUTE_MS;

export type Bars = SeriesRows<'candle'>;

let read: Bars | null = null;

/** All of them; the same columns each time. */
export function recordedBars(): Bars {
  read ??= decode(zstdDecompressSync(readFileSync(FILE)));
  return read;
}

function decode(bytes: Buffer): Bars {
  const count = bytes.readUInt32LE(0);
  const number = (column: number, row: number): number => {
    const at = (byte: number) => bytes[4 + 4 * count * column + count * byte + row] as number;
    return at(0) | (at(1) << 8) | (at(2) << 16) | (at(3) << 24);
  };
  const rows = rowsOf(count);
  const { openTimeMs, closeTimeMs, open, high, low, close, volume } = rows.columns;
  let minute = 0;
  let cents = 0;
  for (let row = 0; row < count; row++) {
    minute += number(0, row);
    const openCents = cents + number(1, row);
    cents = openCents + number(4, row);
    openTimeMs[row] = minute * MINUTE_MS;
    closeTimeMs[row] = minute * MINUTE_MS + BAR_MS - 1;
    open[row] = openCents / 100;
    high[row] = (openCents + number(2, row)) / 100;
    low[row] = (openCents - number(3, row)) / 100;
    close[row] = cents / 100;
    volume[row] = ((number(6, row) >>> 0) * 1e6 + (number(5, row) >>> 0)) / 1e6;
  }
  return rows;
}

/** Rows with room for this number of candles. */
export function rowsOf(count: number): Bars {
  const column = () => new Float64Array(count);
  return {
    kind: 'candle',
    count,
    columns: {
      openTimeMs: column(),
      closeTimeMs: column(),
      open: column(),
      high: column(),
      low: column(),
      close: column(),
      volume: column(),
    },
  };
}

export type BarFields = { open: number; high: number; low: number; close: number; volume?: number };

/** A bar in which the price stands still, except for what is given. */
export const flat = (price: number, fields: Partial<BarFields> = {}): BarFields => ({
  open: price,
  high: price,
  low: price,
  close: price,
  ...fields,
});

/** Candles that follow each other without a gap. */
export function barsFrom(fromMs: number, barMs: number, bars: readonly BarFields[]): Bars {
  const rows = rowsOf(bars.length);
  bars.forEach(({ open, high, low, close, volume = 1_000 }, row) => {
    const openTimeMs = fromMs + row * barMs;
    const values = { openTimeMs, closeTimeMs: openTimeMs + barMs - 1, open, high, low, close, volume };
    for (const [name, value] of Object.entries(values))
      rows.columns[name as keyof typeof values][row] = value;
  });
  return rows;
}

/** The candles from `start` to before `end`. */
export function cut({ columns }: Bars, start: number, end: number): Bars {
  const rows = rowsOf(end - start);
  for (const [name, column] of Object.entries(columns)) {
    rows.columns[name as keyof typeof columns].set(column.subarray(start, end));
  }
  return rows;
}

/** The candles at these places. */
export function having({ columns }: Bars, places: readonly number[]): Bars {
  const kept = rowsOf(places.length);
  for (const [name, column] of Object.entries(columns))
    places.forEach((place, row) => {
      kept.columns[name as keyof typeof columns][row] = column[place] as number;
    });
  return kept;
}

export const historyOf = (tokenId: string, resolutionMs: number, rows: Bars): History => ({
  key: { venue: 'crypto', tokenId, kind: 'candle', resolutionMs },
  rows: rows as unknown as History['rows'],
  gaps: [],
  missing: [],
  hash: 'of a test',
  source: 'recorded',
});

/** The history of BTCUSDT in these bars. */
export const coinHistory = (fromMs: number, barMs: number, bars: readonly BarFields[]): History =>
  historyOf('BTCUSDT', barMs, barsFrom(fromMs, barMs, bars));
