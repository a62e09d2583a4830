/** All inputs that determine the bytes of a run. No clock, no chance, no database: equal inputs give equal results. */
import type { RecordedQuote } from '../../history/quote-columns.ts';
import type { History } from '../../history/series.ts';
import type { TradingSettings } from '../../trading/orders/settings.ts';
import type { InstrumentFact } from '../../trading/orders/terms/facts-by-time.ts';
import type { RulesRow } from '../../usecases/risk-rules/change.ts';
import type { RecordedSignal } from '../../usecases/signals/read.ts';
import type { BacktestRequest } from './request.ts';

/** Recorded quotes, by time. */
export type RecordedQuotes = { readonly tokenId: string; readonly quotes: readonly RecordedQuote[] };

export type BacktestInput = {
  readonly request: BacktestRequest;
  /** The graph to run. */
  readonly visual: unknown;
  /** By instrument and time; at least one fact of each instrument that the graph names. */
  readonly facts: readonly InstrumentFact[];
  /** Candles that the graph reads, finer ones for prices inside bars, quotes of contracts. */
  readonly histories: readonly History[];
  /** Recorded quotes of instruments that have any; a run that is cut off may end before all of them. */
  readonly recorded: readonly RecordedQuotes[];
  /** Values that arrived from outside, of signals that the graph reads. */
  readonly signals: readonly RecordedSignal[];
  readonly rules: RulesRow;
  readonly settings: TradingSettings;
};

/** Callbacks of a run, and its cancellation. `part` is called in order, and its argument is reused. */
export type BacktestHooks = {
  readonly part: (part: BacktestPart) => void;
  readonly progress: (progress: BacktestProgress) => void;
  readonly isCanceled: () => boolean;
  /** Called when the run and its checks are complete. Only repetitions with changed assumptions follow. */
  readonly completed?: () => void;
};

export type BacktestProgress = {
  readonly phase: 'running' | 'checks';
  /** 0 to 1 of the phase. */
  readonly share: number;
  readonly evaluations: number;
  /** The current instant of the tape. */
  readonly simulatedAtMs: number;
};

export const PART_KINDS = ['order', 'fill', 'trade', 'equity', 'log'] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** Rows of the result as they are created, JSON values by {@link PartKind} (see `result.ts`). */
export type BacktestPart = { readonly kind: PartKind; readonly rows: readonly object[] };
