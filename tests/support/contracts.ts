import { readFileSync } from 'node:fs';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import type { RecordedQuote } from '../../engine/history/quote-columns.ts';
import type { History, SeriesRows } from '../../engine/history/series.ts';

/**
 * 47,434 quotes of 180 markets of fifteen minutes (KXBTC15M), 2026-05-11 to 15, in sessions with gaps. The results of ten are
 * unknown. Recorded by others: github.com/organics-jpg/kalshi-probability-model-bot-gpt55-export, research_data and logs @
 * fcffbdbb41, best bid and ask with their sizes, values unchanged.
 */
const FILE = path.join(import.meta.dirname, '../fixtures/kalshi-kxbtc15m-2026-05-11_05-15.bin.zst');

const MINUTE_MS = 60_000;

export type SettledMarket = {
  readonly tokenId: string;
  readonly closeMs: number;
  readonly result: 'yes' | 'no' | '';
  readonly quotes: readonly RecordedQuote[];
};

/** The markets in the order of their list, the quotes of each by time. */
export function settledMarkets(): SettledMarket[] {
  const bytes = zstdDecompressSync(readFileSync(FILE));
  const [headBytes, count] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
  const head = JSON.parse(bytes.toString('utf8', 8, 8 + headBytes)) as [string, number, 'yes' | 'no' | ''][];
  const number = (column: number, row: number) =>
    bytes.readInt32LE(8 + headBytes + 4 * (column * count + row));
  const orNull = (value: number, scale: number) => (value < 0 ? null : value / scale);
  const byMarket: RecordedQuote[][] = head.map(() => []);
  for (let row = 0; row < count; row++) {
    const market = number(0, row);
    byMarket[market]?.push(
      quoteOf({
        atMs: (head[market]?.[1] ?? 0) - number(1, row),
        bid: orNull(number(2, row), 10_000),
        ask: orNull(number(3, row), 10_000),
        bidSize: orNull(number(4, row), 100),
        askSize: orNull(number(5, row), 100),
      }),
    );
  }
  return head.map(([name, closeMs, result], market) => ({
    tokenId: `${name}:yes`,
    closeMs,
    result,
    quotes: byMarket[market] ?? [],
  }));
}

/** A quote with the given sides. */
export const quoteOf = (fields: Partial<RecordedQuote> & { atMs: number }): RecordedQuote => ({
  bid: null,
  bidSize: null,
  ask: null,
  askSize: null,
  last: null,
  volume24h: null,
  openInterest: null,
  change24h: null,
  settlementValue: null,
  marketStatus: 'open',
  isTopOfBookKnown: true,
  ...fields,
});

/** Minutes of a series of a contract from an instant on, by its columns. */
export function minuteHistory(
  tokenId: string,
  fromMs: number,
  kind: 'bid_ask' | 'midpoint',
  columns: Readonly<Record<string, readonly number[]>>,
): History {
  const count = Object.values(columns)[0]?.length ?? 0;
  const times = {
    openTimeMs: Array.from({ length: count }, (_, row) => fromMs + row * MINUTE_MS),
    closeTimeMs: Array.from({ length: count }, (_, row) => fromMs + (row + 1) * MINUTE_MS - 1),
  };
  const all = Object.entries({ ...times, ...columns }).map(([name, values]) => [
    name,
    Float64Array.from(values),
  ]);
  return {
    key: { venue: 'venue-a', tokenId, kind, resolutionMs: MINUTE_MS },
    rows: { kind, count, columns: Object.fromEntries(all) } as SeriesRows,
    gaps: [],
    missing: [],
    hash: 'of a test',
    source: 'recorded',
  };
}
