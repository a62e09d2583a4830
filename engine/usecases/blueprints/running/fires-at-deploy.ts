import type { MarketData } from '../../../../venues/port.ts';
import type { Work } from '../../../platform/context.ts';
import { wouldFireNow } from '../../../strategy/graph/compile/review-warnings.ts';
import type { Issue } from '../../../strategy/graph/types.ts';
import {
  type PlanToDeploy,
  readWorldBeforeDeploy,
  VENUE_REQUESTS_MAX,
  venueRequestsOf,
} from './world-before-deploy.ts';

export type { PlanToDeploy } from './world-before-deploy.ts';

/**
 * Warns of the actions that the plan would fire in its first moment if it were deployed now. Changes nothing. A value of a
 * venue that fails, or takes more than 3 s, is unknown, and nothing fires on unknown. There are then fewer warnings, never
 * an error.
 */
export async function firesAtDeploy(work: Work, market: MarketData, deploy: PlanToDeploy): Promise<Issue[]> {
  const { plan } = deploy;
  if (plan.actions.length === 0 || venueRequestsOf(plan.needs) > VENUE_REQUESTS_MAX) return [];
  const { world, now } = await readWorldBeforeDeploy(work, market, deploy);
  return wouldFireNow(plan, world, now);
}
