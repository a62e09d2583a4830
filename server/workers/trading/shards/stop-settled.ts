import { underAccountLock } from '../../../../engine/platform/account-lock.ts';
import { stopBlueprint } from '../../../../engine/usecases/blueprints/running/stop.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import type { DeploymentInMemory } from './deployment-in-memory.ts';

const REASON = 'all instruments it trades are settled';

/** Whether a deployment has nothing left to trade. One that never trades continues, or has a series: its next market may open. Pure. */
export const hasNothingToTrade = (
  { plan, problem, members }: Pick<DeploymentInMemory, 'plan' | 'problem' | 'members'>,
  settled: ReadonlySet<string>,
): boolean =>
  problem === null &&
  members === null &&
  plan.needs.traded.length > 0 &&
  plan.needs.traded.every((tokenId) => settled.has(tokenId));

/** Stops a blueprint whose markets are settled, on behalf of the service, unless it was deployed again meanwhile. */
export async function stopSettled(
  { workOf }: RunnerContext,
  { accountId, mode, id, blueprintId }: DeploymentInMemory,
): Promise<void> {
  await underAccountLock(workOf({ accountId, mode }), async (tx) => {
    const live = await tx.db
      .selectFrom('deployment')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (live) await stopBlueprint(tx, blueprintId, REASON);
  });
}
