/** Sweeps as if they had run. */
import { randomUUID } from 'node:crypto';
import type { Json } from '../../db/json.ts';
import { type Pool, systemDb } from '../../db/pool.ts';
import type { Work } from '../../engine/platform/context.ts';
import type { Lease } from '../../engine/platform/jobs/queue.ts';
import { outcomeOf } from '../../engine/research/search/outcome.ts';
import type { SweepRequest } from '../../engine/research/search/request.ts';
import { endSweep } from '../../engine/research/sweeps/queue.ts';
import { startSweep } from '../../engine/research/sweeps/start.ts';
import { storeTrials, WHOLE_RANGE } from '../../engine/research/sweeps/trials.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../engine/trading/orders/settings.ts';
import { readRulesRow } from '../../engine/usecases/risk-rules/rules.ts';
import { trialOf } from '../engine/research/search/trials.ts';
import { REQUEST } from './backtests.ts';

const VISUAL: Json = {
  nodes: [
    { id: 'five', type: 'constant', position: { x: 0, y: 0 }, data: { label: 'Five', config: { value: 5 } } },
  ],
  edges: [],
};

export const SWEEP_REQUEST: SweepRequest = {
  backtest: { ...REQUEST, checks: false },
  space: { dimensions: [{ pointer: '/nodes/0/data/config/value', values: [5, 6, 7] }], constraints: [] },
  search: { kind: 'grid' },
  objective: { statistic: 'sharpe', minTrades: 30 },
  walkForward: null,
};

/** Three trials, the second the best. */
export const TRIALS = [0.001, 0.003, 0.002].map((mean, number) => ({
  number,
  trial: trialOf(
    [number],
    Array.from({ length: 30 }, (_, day) => mean + (day % 2 ? 0.01 : -0.01)),
  ),
}));

/** Requests a sweep of three values, which stays queued. */
export async function queueSweep(work: Work, blueprintId: string | null = null): Promise<string> {
  const terms = { rules: await readRulesRow(work), settings: DEFAULT_TRADING_SETTINGS };
  const request = { ...SWEEP_REQUEST, backtest: { ...SWEEP_REQUEST.backtest, blueprintId } };
  return (await startSweep(work, { request, visual: VISUAL, name: 'Sample', terms })).id;
}

/** Claims this sweep and no other, as a process that runs it would. */
export async function beginSweep(pool: Pool, { accountId }: Work, id: string): Promise<Lease> {
  const owner = randomUUID();
  await systemDb(pool)
    .updateTable('sweep')
    .set({
      status: 'running',
      lease_owner: owner,
      leased_until: new Date(Date.now() + 60_000),
      attempts: 1,
      started_at: new Date(),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
  return { id, owner, attempt: 1 };
}

/** A finished sweep with a result. */
export async function addSweep(pool: Pool, work: Work, blueprintId: string | null = null): Promise<string> {
  const id = await queueSweep(work, blueprintId);
  const lease = await beginSweep(pool, work, id);
  await storeTrials(work, lease, { part: WHOLE_RANGE, trials: TRIALS, objective: SWEEP_REQUEST.objective });
  const trials = TRIALS.map(({ trial }) => trial);
  const outcome = outcomeOf(SWEEP_REQUEST, { trials, trialsEver: 3, walkForward: null });
  await endSweep(work, lease, { status: 'done', outcome });
  return id;
}
