import type { MarketData } from '../../../../venues/port.ts';
import type { Work } from '../../../platform/context.ts';
import { wouldFireNow } from '../../../strategy/graph/compile/advice.ts';
import type { Issue } from '../../../strategy/graph/types.ts';
import { CALLS_MAX, callsOf, type PlanToDeploy, readWorld } from './world-now.ts';

export type { PlanToDeploy } from './world-now.ts';

/**
 * What the plan would do in its first moment if it were deployed now, as warnings. Changes nothing. What a venue in
 * trouble, or one slower than 3 s, does not tell is unknown, and nothing fires on unknown: then there are fewer
 * warnings, never an error.
 */
export async function firesAtDeploy(work: Work, market: MarketData, deploy: PlanToDeploy): Promise<Issue[]> {
  const { plan } = deploy;
  if (plan.actions.length === 0 || callsOf(plan.needs) > CALLS_MAX) return [];
  const { world, now } = await readWorld(work, market, deploy);
  return wouldFireNow(plan, world, now);
}
