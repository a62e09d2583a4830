/** Recorded bars of BTCUSDT, for tests that compare with calculations of their own. */
import { readFileSync } from 'node:fs';
import type { Candle } from '../../../engine/graph/types.ts';

const FIXTURE = new URL('../../fixtures/btcusdt-5m-2025-09-06.csv', import.meta.url);
const FIVE_MINUTES_MS = 300_000;

/** 700 closed five-minute bars, oldest first. The fixture's first line names their source. */
export function recordedBars(): Candle[] {
  return parseBars(readFileSync(FIXTURE, 'utf8'), FIVE_MINUTES_MS);
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
