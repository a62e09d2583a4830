/** Recorded history as the engine reads it: the key of a series, and its numbers in columns. */
import type { SeriesKind, Venue } from '../../db/vocabulary.ts';

export { SERIES_KINDS, type SeriesKind } from '../../db/vocabulary.ts';

/** Identifies a series: an instrument, a kind, and the distance of its rows. */
export type SeriesKey = {
  readonly venue: Venue;
  readonly tokenId: string;
  readonly kind: SeriesKind;
  readonly resolutionMs: number;
};

/**
 * Columns of each kind, in addition to the two of time. A row covers `[openTimeMs, closeTimeMs]`, both epoch ms, the end
 * inclusive: its instant is `closeTimeMs + 1`. A number that the venue did not state is NaN. Prices are as the venue sent them,
 * at most 15 digits, so that a double holds them.
 */
export const SERIES_COLUMNS = {
  candle: ['open', 'high', 'low', 'close', 'volume'],
  bid_ask: [
    'bidOpen',
    'bidHigh',
    'bidLow',
    'bidClose',
    'askOpen',
    'askHigh',
    'askLow',
    'askClose',
    'volume',
    'openInterest',
  ],
  midpoint: ['price'],
} as const satisfies Record<SeriesKind, readonly string[]>;

export type SeriesColumn<Kind extends SeriesKind = SeriesKind> =
  | 'openTimeMs'
  | 'closeTimeMs'
  | (typeof SERIES_COLUMNS)[Kind][number];

/** Rows of a series in ascending time, all columns of equal length. May lie in memory that threads share. */
export type SeriesRows<Kind extends SeriesKind = SeriesKind> = {
  readonly kind: Kind;
  readonly count: number;
  readonly columns: Readonly<Record<SeriesColumn<Kind>, Float64Array>>;
};

/** A range `[fromMs, toMs)` for which the venue has nothing: fetched twice, never filled. */
export type Gap = { readonly fromMs: number; readonly toMs: number };

/** A series as a backtest reads it. `hash` identifies its bytes: SHA-256 over all columns in their order. */
export type History = {
  readonly key: SeriesKey;
  readonly rows: SeriesRows;
  readonly gaps: readonly Gap[];
  /** Ranges not fetched from the venue yet: what happened there is not known. */
  readonly missing: readonly Gap[];
  readonly hash: string;
  /** Source: `binance`, `binance_zip`, `kalshi`, `polymarket`, `recorded`, `simulator`, `file`; several are joined by `+`. */
  readonly source: string;
};
