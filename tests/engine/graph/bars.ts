/** Recorded bars of BTCUSDT, for tests that compare with calculations of their own. */
import { readFileSync } from 'node:fs';
import type { Candle } from '../../../engine/graph/types.ts';

const FIXTURE = new URL('../../fixtures/btcusdt-5m-2025-09-06.csv', import.meta.url);
const BAR_MS = 300_000;

/** 700 closed five-minute bars, oldest first. The fixture's first line names their source. */
export function recordedBars(): Candle[] {
  const lines = readFileSync(FIXTURE, 'utf8').trim().split('\n').slice(2);
  return lines.map((line) => {
    const [openTimeMs = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = line.split(',').map(Number);
    return { openTimeMs, closeTimeMs: openTimeMs + BAR_MS - 1, open, high, low, close, volume };
  });
}
