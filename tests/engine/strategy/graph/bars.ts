/** Recorded bars of BTCUSDT, for tests that compare with calculations of their own. */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Candle } from '../../../../engine/strategy/graph/types.ts';

const FIXTURE = new URL('../../../fixtures/btcusdt-5m-2025-09-06.csv', import.meta.url);
/** A longer series that is not part of the project: 14 months of bars with an outage in them. */
const LONG_SERIES = new URL(
  '../../../../shared/data/series/btcusdt-5m-binance-2022-08-01_2023-09-27.csv.gz',
  import.meta.url,
);
const FIVE_MINUTES_MS = 300_000;

/** 700 closed five-minute bars, oldest first. The fixture's first line names their source. */
export function recordedBars(): Candle[] {
  return parseBars(readFileSync(FIXTURE, 'utf8'), FIVE_MINUTES_MS);
}

/** The note beside a test's title if the long series is missing. */
export const longSeriesMissing = existsSync(LONG_SERIES) ? '' : ' (skipped: ../shared/data is not there)';

/** 121,739 closed five-minute bars, oldest first. */
export function longSeries(): Candle[] {
  return parseBars(gunzipSync(readFileSync(LONG_SERIES)).toString('utf8'), FIVE_MINUTES_MS);
}

/** Lines of `ts_ms,open,high,low,close,volume` under a header; lines that start with `#` are comments. */
export function parseBars(csv: string, barMs: number): Candle[] {
  const lines = csv
    .trim()
    .split('\n')
    .filter((line) => /^\d/.test(line));
  return lines.map((line) => {
    const [openTimeMs = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = line.split(',').map(Number);
    return { openTimeMs, closeTimeMs: openTimeMs + barMs - 1, open, high, low, close, volume };
  });
}
