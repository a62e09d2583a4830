import type { Selectable } from 'kysely';
import type { BacktestPhase } from '../../../db/entities/backtest.ts';
import type { Database } from '../../../db/tables.ts';
import type { SeriesKey } from '../../history/series.ts';
import type { Work } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import type { TradingSettings } from '../../trading/orders/settings.ts';
import type { RulesRow } from '../../usecases/risk-rules/change.ts';
import type { BacktestRequest } from '../playback/request.ts';
import type { BacktestFailure, BacktestSummary } from '../playback/result.ts';

type Stored = Selectable<Database['backtest']>;

/** How far a run is. */
export type Progress = {
  /** 0 to 100, of the whole run. */
  readonly percent: number;
  readonly evaluations: number;
  readonly evaluationsPerSec: number;
  readonly etaSec: number | null;
  readonly simulatedAt: string | null;
};

/** Rules and settings of the start: what changes afterwards changes no run. */
export type Terms = { readonly rules: RulesRow; readonly settings: TradingSettings };

/** A series a run was made over. */
export type CoveredSeries = SeriesKey & {
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: number;
  readonly gaps: number;
  readonly hash: string;
  readonly source: string;
};

/** The summary as it is stored: of what was open at the end the first few, and how many there were. */
export type StoredSummary = Omit<BacktestSummary, Later> &
  Partial<Pick<BacktestSummary, Later>> & { readonly openCount: number };
/** Fields that results of earlier releases do not have. */
type Later = 'fillGrades' | 'unsettled';

/** A backtest as stored, its JSON as it was written. */
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

/** Written by nothing but this folder, so its JSON is what the types say. */
export const backtestOf = (stored: Stored): BacktestRow => stored as unknown as BacktestRow;

/** @throws DomainError `not_found` for a missing or foreign one, both alike. */
export async function readBacktest({ db, accountId }: Work, id: string): Promise<BacktestRow> {
  const row = await db
    .selectFrom('backtest')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return backtestOf(row);
}

/** @throws DomainError `not_found` unless it is the account's. */
export async function refuseForeign({ db, accountId }: Work, id: string): Promise<void> {
  const row = await db
    .selectFrom('backtest')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
}
