import { DomainError } from '../../../platform/errors.ts';
import { isLive, isPastItsTime } from '../../../platform/order-states.ts';
import type { OrderRow } from '../row.ts';
import { type FencedDeployment, type ProposedIntent, refuseHaltedEntry } from './proposed-intent.ts';

/** Columns of a deployment that decide whether it may raise an intent. */
export type RaisingDeployment = {
  readonly release_number: number;
  readonly ended_at: string | null;
  readonly halted: boolean | null;
};

/**
 * Returns the deployment behind an intent; null for an intent of a person or key. Pass `undefined` if the deployment does not
 * belong to the intent's blueprint.
 *
 * @throws DomainError `invalid_state` for an ended deployment, and for a buy or a kept order of one with halted entries.
 */
export function requireActiveDeployment(
  deployment: RaisingDeployment | undefined,
  intent: Pick<ProposedIntent, 'deploymentId' | 'side' | 'isKept'>,
): FencedDeployment | null {
  if (intent.deploymentId === undefined) return null;
  if (deployment === undefined || deployment.ended_at !== null) {
    throw new DomainError(
      'invalid_state',
      `Deployment ${intent.deploymentId} has ended: no orders are created for it.`,
    );
  }
  const fenced = { releaseNumber: deployment.release_number, halted: deployment.halted ?? false };
  refuseHaltedEntry(fenced, intent);
  return fenced;
}

export type Sell = Pick<
  OrderRow,
  'id' | 'status' | 'expires_at' | 'side' | 'deployment_id' | 'node_id' | 'token_id'
>;

/**
 * Prevents order storms: a node has at most one live sell of its position, for any number of steps.
 *
 * @throws DomainError `invalid_state` if one of these orders is already a live sell of the node.
 */
export function refuseSecondSell(
  orders: readonly Sell[],
  { deploymentId, nodeId, tokenId }: Pick<ProposedIntent, 'deploymentId' | 'nodeId' | 'tokenId'>,
  now: Date,
): void {
  if (deploymentId === undefined) return;
  const live = orders.find(
    (order) =>
      order.side === 'sell' &&
      order.deployment_id === deploymentId &&
      order.node_id === nodeId &&
      order.token_id === tokenId &&
      isLive(order.status) &&
      !isPastItsTime(order, now),
  );
  if (live === undefined) return;
  throw new DomainError('invalid_state', `Node ${nodeId} sells this position already, by order ${live.id}.`);
}
