import { DomainError } from '../../platform/errors.ts';
import { compile } from '../../strategy/graph/compile/compile.ts';
import { withMembers } from '../../strategy/graph/series-lists.ts';
import { intrabarTriggersOf } from '../playback/intrabar-triggers.ts';
import type { BacktestRequest } from '../playback/request.ts';
import { EVALUATIONS_MAX } from '../playback/request.ts';
import { type RunDataNeeds, runDataNeedsOf } from '../playback/run-data-needs.ts';

/** Limit of all columns of a run: a year of minutes is 30 MB. */
export const HISTORY_BYTES_MAX = 256 * 1_048_576;
/** Seven columns of eight bytes. */
const ROW_BYTES = 56;

/** Returns the data that a run reads, by its request and graph. Pure. */
export function backtestDataNeedsOf(request: BacktestRequest, visual: unknown): RunDataNeeds {
  const graph = withMembers(visual, request.members ?? null);
  return runDataNeedsOf(compile(graph).needs, intrabarTriggersOf(graph), request);
}

/**
 * Refuses a run above the size limit.
 *
 * @throws DomainError `backtest_too_large`.
 */
export function refuseTooLargeRun({ evaluations, series }: RunDataNeeds): void {
  if (evaluations > EVALUATIONS_MAX) {
    throw tooLarge('evaluations', EVALUATIONS_MAX, evaluations, 'Take a shorter range or a longer interval.');
  }
  const rows = series.reduce(
    (sum, { key, fromMs, toMs }) => sum + Math.ceil((toMs - fromMs) / key.resolutionMs),
    0,
  );
  if (rows * ROW_BYTES > HISTORY_BYTES_MAX) {
    const most = Math.floor(HISTORY_BYTES_MAX / ROW_BYTES);
    throw tooLarge('rows of history', most, rows, 'Take a shorter range, less detail or fewer instruments.');
  }
}

const tooLarge = (rule: string, limit: number, value: number, remedy: string) =>
  new DomainError(
    'backtest_too_large',
    `The backtest would take ${grouped(value)} ${rule} of at most ${grouped(limit)}. ${remedy}`,
  );

const grouped = (value: number): string => value.toLocaleString('en-US');
