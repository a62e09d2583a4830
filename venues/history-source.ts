/**
 * The history of venues: which series each has, how far back, and the rows of a series, page by page. Rows repeat the venue's
 * statements; without a statement there is no row.
 */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './time.ts';
import type { SeriesKind } from './vocabulary.ts';

export type HistorySeriesKey = {
  readonly kind: SeriesKind;
  readonly tokenId: string;
  readonly resolutionMs: number;
};

/** `[fromMs, toMs)`: rows that open within. */
export type HistoryRange = { readonly fromMs: number; readonly toMs: number };

/** Epoch ms, `closeTimeMs` inclusive. */
type RowInterval = { readonly openTimeMs: number; readonly closeTimeMs: number };

/** A candle of trades; a volume has at most 15 digits, more are rounded. */
export type CandleRow = RowInterval & Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', number>>;
/** Quotes of both sides of the book; null: not stated. A bid of 0 and an offer at 1 are none. */
export type BidAskRow = RowInterval &
  Readonly<
    Record<
      | 'bidOpen'
      | 'bidHigh'
      | 'bidLow'
      | 'bidClose'
      | 'askOpen'
      | 'askHigh'
      | 'askLow'
      | 'askClose'
      | 'volume'
      | 'openInterest',
      number | null
    >
  >;
/** The middle price of both sides at the row's end. */
export type MidpointRow = RowInterval & { readonly price: number };
export type HistoryRow = CandleRow | BidAskRow | MidpointRow;

/** Ascending rows, each once; within `coveredRange` they are complete. */
export type HistoryPage = { readonly rows: readonly HistoryRow[]; readonly coveredRange: HistoryRange };

export type HistorySource = {
  /**
   * The rows of a series in a span, page by page: the pages' spans are consecutive and end where the span does. Requests have
   * the lowest priority, and use at most half of the venue's limit.
   *
   * @throws VenueError as every call; pages returned before it stay valid.
   */
  historyPages(series: HistorySeriesKey, span: HistoryRange, signal: AbortSignal): AsyncIterable<HistoryPage>;
};

/** A series that a venue has of every instrument. */
export type HistoryAvailability = {
  readonly kind: SeriesKind;
  readonly resolutionMs: number;
  /** The minimum of its reach; null: to the beginning. */
  readonly lookbackMs: number | null;
  readonly rowsPerRequest: number;
};

/** The lengths of Binance's candles by its own names. */
export const KLINE_INTERVALS = {
  '1s': SECOND_MS,
  '1m': MINUTE_MS,
  '3m': 3 * MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '6h': 6 * HOUR_MS,
  '8h': 8 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS,
} as const;
export type KlineInterval = keyof typeof KLINE_INTERVALS;

export const KLINES_PER_REQUEST = 1_000;
/** Two thirds of Kalshi's longest list of one market: three megabytes of the five that are read. */
export const KALSHI_CANDLES_PER_REQUEST = 3_000;
/** The longest window that Polymarket accepts. */
export const POLYMARKET_WINDOW_MS = 15 * DAY_MS;
export const POLYMARKET_POINTS_PER_REQUEST = 10_000;

/**
 * Rows of one page that open within the span, in order, each once. If two rows of the same time differ, both are dropped; the
 * same row sent twice is one row. Pure.
 */
export function rowsOfPage<Row extends HistoryRow>(
  rows: readonly Row[],
  { fromMs, toMs }: HistoryRange,
): { rows: Row[]; conflicting: number } {
  const byOpen = new Map<number, Row | null>();
  for (const row of rows) {
    const { openTimeMs } = row;
    if (openTimeMs < fromMs || openTimeMs >= toMs) continue;
    const known = byOpen.get(openTimeMs);
    const isNew = known === undefined;
    byOpen.set(openTimeMs, isNew || JSON.stringify(known) === JSON.stringify(row) ? row : null);
  }
  const ordered = [...byOpen].sort(([a], [b]) => a - b).flatMap(([, row]) => row ?? []);
  return { rows: ordered, conflicting: byOpen.size - ordered.length };
}
