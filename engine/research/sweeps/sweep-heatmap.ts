import { sql } from 'kysely';
import type { Work } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { heatmapOf, type TrialFigure, type TrialHeatmap } from '../search/heatmap.ts';
import { readSweep } from './row.ts';

/** Figures of trials that a grid can show. */
export const HEATMAP_METRICS = [
  'score',
  'totalReturn',
  'sharpe',
  'sortino',
  'calmar',
  'profitFactor',
  'maxDrawdown',
  'closed',
] as const;
export type HeatmapMetric = (typeof HEATMAP_METRICS)[number];

const FIGURES: Readonly<Record<HeatmapMetric, ReturnType<typeof sql>>> = {
  score: sql`score`,
  totalReturn: sql`(figures #>> '{totalReturn,value}')::float8`,
  sharpe: sql`(figures #>> '{sharpe,value}')::float8`,
  sortino: sql`(figures #>> '{sortino,value}')::float8`,
  calmar: sql`(figures #>> '{calmar,value}')::float8`,
  profitFactor: sql`(figures #>> '{profitFactor,value}')::float8`,
  maxDrawdown: sql`(figures ->> 'maxDrawdown')::float8`,
  closed: sql`(figures ->> 'closed')::float8`,
};

/**
 * Returns two dimensions of a sweep against each other, also while it runs.
 *
 * @throws DomainError `not_found`, `validation_failed` if the dimensions do not exist.
 */
export async function readHeatmap(
  work: Work,
  id: string,
  { x, y, metric }: { x: number; y: number; metric: HeatmapMetric },
): Promise<TrialHeatmap> {
  const { request } = await readSweep(work, id);
  const { length } = request.space.dimensions;
  if (x === y || x >= length || y >= length) {
    const message = `Name two of the ${length} dimensions of the sweep, each once.`;
    throw invalid([{ path: x >= length ? '/x' : '/y', message, code: 'invalid_value' }]);
  }
  const { rows } = await sql<TrialFigure>`
    select number, combination, ${FIGURES[metric]} as figure from sweep_trial
    where account_id = ${work.accountId} and sweep_id = ${id} and stage = 'whole' and fold = 0
    order by number`.execute(work.db);
  return heatmapOf(request.space, rows, { x, y, isLessBetter: metric === 'maxDrawdown' });
}
