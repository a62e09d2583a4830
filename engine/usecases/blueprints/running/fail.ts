import { underAccountLock } from '../../../platform/account-lock.ts';
import { audit } from '../../../platform/audit/audit.ts';
import type { Work } from '../../../platform/context.ts';
import { recordEvents } from '../../../platform/events/events.ts';
import { quoteNodesOf } from '../../../strategy/graph/quote-nodes.ts';
import { type Members, withMembers } from '../../../strategy/graph/series-lists.ts';
import { cancelDeploymentOrders } from '../../../trading/orders/lifecycle/cancel-orders.ts';
import { deploymentsWithGraph } from '../releases/deployments-with-graph.ts';

/**
 * Puts a running blueprint into `error` for a failure that a retry cannot repair: entries halt, resting and
 * pending buys and all orders of quotes are canceled, and its exits keep guarding. Does nothing if the deployment has ended
 * meanwhile.
 *
 * `message` states what happened, at which node, and the remedy; `code` names it for programs, if it has a code.
 */
export const failDeployment = (
  work: Work,
  deploymentId: string,
  message: string,
  code?: string,
): Promise<void> =>
  underAccountLock(work, (tx, at) => failLocked(tx, at, { deploymentId, message, code }), { isUrgent: true });

async function failLocked(
  tx: Work,
  at: Date,
  { deploymentId, message, code }: { deploymentId: string; message: string; code: string | undefined },
): Promise<void> {
  const { db } = tx;
  const failure = { status: 'error' as const, error: message, ...(code !== undefined && { code }) };
  const failed = await db
    .updateTable('blueprint')
    .set(({ eb }) => ({
      status: 'error' as const,
      error: message.slice(0, 2_000),
      version: eb('version', '+', 1),
      updated_at: at,
    }))
    .where('account_id', '=', tx.accountId)
    .where('deployment_id', '=', deploymentId)
    .where('status', '=', 'running')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deployment as d')
          .select('d.id')
          .whereRef('d.account_id', '=', 'blueprint.account_id')
          .whereRef('d.id', '=', 'blueprint.deployment_id')
          .where('d.mode', '=', tx.mode),
      ),
    )
    .returning('id')
    .executeTakeFirst();
  if (!failed) return;
  await db
    .updateTable('deployment_state')
    .set({ halted: true })
    .where('account_id', '=', tx.accountId)
    .where('deployment_id', '=', deploymentId)
    .execute();
  await cancelDeploymentOrders(tx, deploymentId, {
    now: at,
    reason: 'the blueprint is in error: entries halt',
    onlyBuys: true,
    quotes: quoteNodesOf(await readGraph(tx, deploymentId)),
  });
  await audit(tx, {
    action: 'blueprint.failed',
    subjectId: failed.id,
    before: { status: 'running' },
    after: failure,
    at,
  });
  await recordEvents(tx, at, [{ type: 'blueprint.changed', payload: { id: failed.id, ...failure } }]);
}

async function readGraph(work: Work, deploymentId: string): Promise<unknown> {
  const row = await deploymentsWithGraph(work)
    .select(['b.visual', 'd.members'])
    .where('d.id', '=', deploymentId)
    .executeTakeFirst();
  return row === undefined ? null : withMembers(row.visual, row.members as Members);
}
