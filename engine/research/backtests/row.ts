import type { Selectable } from 'kysely';
import type { BacktestPhase } from '../../../db/entities/backtest.ts';
import type { Database } from '../../../db/tables.ts';
import type { Statistics } from '../../books/statistics/statistics.ts';
import type { SeriesKey } from '../../history/series.ts';
import type { Work } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { jobsOf, readJob } from '../../platform/jobs/job-rows.ts';
import type { TradingSettings } from '../../trading/orders/settings.ts';
import type { RulesRow } from '../../usecases/risk-rules/change.ts';
import type { BacktestRequest } from '../playback/request.ts';
import type { BacktestFailure, BacktestSummary } from '../playback/result.ts';

type Stored = Selectable<Database['backtest']>;

/** Progress of a run. */
export type Progress = {
  /** 0 to 100, of the whole run. */
  readonly percent: number;
  readonly evaluations: number;
  readonly evaluationsPerSec: number;
  readonly etaSec: number | null;
  readonly simulatedAt: string | null;
};

/** Rules and settings at the start: later changes do not affect the run. */
export type Terms = { readonly rules: RulesRow; readonly settings: TradingSettings };

/** A series used by a run. */
export type CoveredSeries = SeriesKey & {
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: number;
  readonly gaps: number;
  readonly hash: string;
  readonly source: string;
};

/** The summary as stored: of the trades open at the end, the first few and their number. */
export type StoredSummary = Omit<BacktestSummary, Later | 'statistics'> &
  Partial<Pick<BacktestSummary, Later>> & {
    readonly statistics: Omit<Statistics, LaterFigure> & Partial<Pick<Statistics, LaterFigure>>;
    readonly openCount: number;
  };
type LaterFigure = 'risk' | 'rollingSharpe';
/** Fields missing from results of earlier releases. */
type Later =
  | 'fillGrades'
  | 'unsettled'
  | 'benchmark'
  | 'resampled'
  | 'costs'
  | 'capacity'
  | 'attribution'
  | 'forecasts'
  | 'sensitivity';

/** A backtest as stored, with typed JSON. */
export type BacktestRow = Omit<
  Stored,
  'request' | 'terms' | 'progress' | 'failure' | 'summary' | 'coverage' | 'phase'
> & {
  readonly request: BacktestRequest;
  readonly terms: Terms;
  readonly phase: BacktestPhase | null;
  readonly progress: Progress | null;
  readonly failure: BacktestFailure | null;
  readonly summary: StoredSummary | null;
  readonly coverage: readonly CoveredSeries[] | null;
};

/** Only this folder writes these columns, so their JSON has the stated types. */
export const backtestOf = (stored: Stored): BacktestRow => stored as unknown as BacktestRow;

/** @throws DomainError as {@link readJob}. */
export const readBacktest = async (work: Work, id: string): Promise<BacktestRow> =>
  backtestOf(await readJob(work, 'backtest', id));

/** @throws DomainError `not_found` unless it belongs to the account. */
export async function requireOwnBacktest(work: Work, id: string): Promise<void> {
  const row = await jobsOf(work, 'backtest').select('id').where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw notFound();
}
