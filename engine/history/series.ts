/** Recorded history as the engine takes it: what a series is about, and its numbers in columns. */
import type { SeriesKind, Venue } from '../../db/vocabulary.ts';

export { SERIES_KINDS, type SeriesKind } from '../../db/vocabulary.ts';

/** Which history: of one instrument, of one kind, with a row every so often. */
export type SeriesKey = {
  readonly venue: Venue;
  readonly tokenId: string;
  readonly kind: SeriesKind;
  readonly resolutionMs: number;
};

/**
 * The columns of each kind, beside the two of time. A row covers `[openTimeMs, closeTimeMs]`, both epoch ms, the end
 * inclusive: its instant is `closeTimeMs + 1`. A number that the venue did not state is NaN. Prices are what the venue
 * sent, at most 15 digits, so that a double holds them.
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

/** Rows of a series in ascending time, each column as long as the others. May lie in memory that threads share. */
export type SeriesRows<Kind extends SeriesKind = SeriesKind> = {
  readonly kind: Kind;
  readonly count: number;
  readonly columns: Readonly<Record<SeriesColumn<Kind>, Float64Array>>;
};

/** A stretch `[fromMs, toMs)` for which the venue has nothing: asked twice, never filled. */
export type Gap = { readonly fromMs: number; readonly toMs: number };

/** A series as a run takes it. `hash` names its bytes: SHA-256 over all columns in their order. */
export type History = {
  readonly key: SeriesKey;
  readonly rows: SeriesRows;
  readonly gaps: readonly Gap[];
  /** Stretches that the venue was not asked for yet: what happened there is not known. */
  readonly missing: readonly Gap[];
  readonly hash: string;
  /** Who it came from: `binance`, `binance_zip`, `kalshi`, `polymarket`, `recorded`, `simulator`; several with `+` between. */
  readonly source: string;
};
