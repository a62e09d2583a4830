import { DomainError } from '../../../platform/errors.ts';
import { isLive, isPastItsTime } from '../../../platform/order-states.ts';
import type { OrderRow } from '../row.ts';
import { type FencedDeployment, type ProposedIntent, refuseHaltedEntry } from './intent.ts';

/** What of a deployment decides whether it may raise an intent. */
export type RaisingDeployment = {
  readonly release_number: number;
  readonly ended_at: string | null;
  readonly halted: boolean | null;
};

/**
 * The deployment behind an intent; null for one of a person or key. It is found under the blueprint the intent names, or not
 * at all.
 *
 * @throws DomainError `invalid_state` for one that has ended, and for a buy of one that has halted its entries.
 */
export function fenceOf(
  deployment: RaisingDeployment | undefined,
  intent: Pick<ProposedIntent, 'deploymentId' | 'side'>,
): FencedDeployment | null {
  if (intent.deploymentId === undefined) return null;
  if (deployment === undefined || deployment.ended_at !== null) {
    throw new DomainError(
      'invalid_state',
      `Deployment ${intent.deploymentId} has ended: nothing is created for it.`,
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
 * Against storms: a node has one live sell of its position, however often it is stepped.
 *
 * @throws DomainError `invalid_state` where one of these orders is that.
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
