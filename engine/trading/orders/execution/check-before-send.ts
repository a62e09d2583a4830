import type { MayLeave, WithholdReason } from '../../../../venues/http/send-once.ts';
import type { Work } from '../../../platform/context.ts';
import { routeBlockOf } from '../../../risk/route-block.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import type { HeldConnections } from './brokers.ts';
import { type DeploymentSendState, isBlockedByDeployment } from './plan-submission.ts';
import { readSubmissionFacts } from './read-submission-facts.ts';
import { isStillHeld, type LeasedConnection } from './route-state.ts';

export const LEASE_LOST: WithholdReason = {
  code: 'lease_lost',
  reason: 'It was not sent: another process now trades through the connection.',
};
export const TOO_LATE: WithholdReason = {
  code: 'too_late',
  reason: 'It was not sent: it waited too long for a request slot at the venue.',
};
const ENDED: WithholdReason = {
  code: 'deployment_ended',
  reason: 'Its deployment ended before it was sent.',
};

/** Conditions that can still block a cleared order while it waits for its request slot at the venue. */
type SendBlocks = {
  readonly fence: DeploymentSendState | undefined | null;
  readonly leased: LeasedConnection | null;
};

/** Returns why an order that was marked as sent must not be sent after all, or null. Pure. */
export function whyWithheld(
  order: OrderRow,
  { fence, leased }: SendBlocks,
  { isLiveOn }: Pick<HeldConnections, 'isLiveOn'>,
): WithholdReason | null {
  const { status, cancel_requested_at, reason_code, reason, connection_id, side } = order;
  if (status !== 'submitted') return TOO_LATE;
  if (cancel_requested_at !== null)
    return { code: reason_code ?? 'canceled', reason: reason ?? 'It was canceled before it was sent.' };
  if (isBlockedByDeployment(order, fence)) return ENDED;
  if (leased === null) return LEASE_LOST;
  const blocked = routeBlockOf({ connectionId: connection_id, state: leased.state, isLiveOn }, side);
  return blocked === null ? null : { code: blocked.code, reason: blocked.message };
}

/**
 * Builds the last check before a live order is sent: it reads the committed blocks, set by any process. Paper orders wait for
 * nothing outside the books, so nothing is read for them.
 */
export function checkBeforeSend(
  work: Work,
  { id, connection_id }: Pick<OrderRow, 'id' | 'connection_id'>,
  held: HeldConnections | undefined,
  leaseEpoch: string | null,
): MayLeave {
  return async () => {
    if (connection_id === null || held === undefined) return null;
    const order = await loadOrder(work, id);
    const why = whyWithheld(order, await readSubmissionFacts(work, order, leaseEpoch), held);
    // Checked last, without a wait: the process may have been suspended during the read.
    return isStillHeld(connection_id, held, leaseEpoch) ? why : LEASE_LOST;
  };
}
