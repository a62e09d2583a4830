/** All that decides the bytes of a run. No clock, no chance, no database: equal inputs give equal results. */
import type { RecordedQuote } from '../../history/quote-columns.ts';
import type { History } from '../../history/series.ts';
import type { InstrumentRow } from '../../trading/orders/row.ts';
import type { TradingSettings } from '../../trading/orders/settings.ts';
import type { RulesRow } from '../../usecases/risk-rules/change.ts';
import type { BacktestRequest } from './request.ts';

/** What a venue said of an instrument, from an instant on: a later word never reaches an earlier step. */
export type InstrumentFact = { readonly fromMs: number; readonly instrument: InstrumentRow };

/** Quotes as they were recorded, by time. */
export type RecordedQuotes = { readonly tokenId: string; readonly quotes: readonly RecordedQuote[] };

export type BacktestInput = {
  readonly request: BacktestRequest;
  /** The drawing that is run. */
  readonly visual: unknown;
  /** By instrument and time; at least one fact of each that the drawing names. */
  readonly facts: readonly InstrumentFact[];
  /** Candles the drawing reads, finer ones to look inside, quotes of contracts. */
  readonly histories: readonly History[];
  /** Of instruments that have any; in a run that is cut off, they may all have come later. */
  readonly recorded: readonly RecordedQuotes[];
  readonly rules: RulesRow;
  readonly settings: TradingSettings;
};

/** What a run tells while it goes on, and how it is stopped. `part` is called in order; what it is given is not kept. */
export type BacktestHooks = {
  readonly part: (part: BacktestPart) => void;
  readonly progress: (progress: BacktestProgress) => void;
  readonly isCanceled: () => boolean;
};

export type BacktestProgress = {
  readonly phase: 'running' | 'checks';
  /** 0 to 1 of the phase. */
  readonly share: number;
  readonly evaluations: number;
  /** The instant of the tape. */
  readonly simulatedAtMs: number;
};

export const PART_KINDS = ['order', 'fill', 'trade', 'equity', 'log'] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** Rows of the result as they come to be, JSON values by {@link PartKind} (see `result.ts`). */
export type BacktestPart = { readonly kind: PartKind; readonly rows: readonly object[] };
