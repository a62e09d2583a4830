import type { MayLeave, WhyWithheld } from '../../../../venues/http/send-once.ts';
import type { Work } from '../../../platform/context.ts';
import { closureOf } from '../../../risk/passage.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import type { HeldConnections } from './brokers.ts';
import { type Fence, isFenced } from './departure.ts';
import { readDeparting } from './read-departing.ts';
import { isStillHeld, type Leased } from './way-out.ts';

export const LEASE_LOST: WhyWithheld = {
  code: 'lease_lost',
  reason: 'It was not sent: another process now trades through the connection.',
};
export const TOO_LATE: WhyWithheld = {
  code: 'too_late',
  reason: 'It was not sent: it waited too long for a request slot at the venue.',
};
const ENDED: WhyWithheld = {
  code: 'deployment_ended',
  reason: 'Its deployment ended before it was sent.',
};

/** Conditions that can still block a cleared order while it waits for its request slot at the venue. */
type Brakes = { readonly fence: Fence | undefined | null; readonly leased: Leased | null };

/** Returns why an order that was marked as sent must not be sent after all, or null. Pure. */
export function whyWithheld(
  order: OrderRow,
  { fence, leased }: Brakes,
  { isLiveOn }: Pick<HeldConnections, 'isLiveOn'>,
): WhyWithheld | null {
  const { status, cancel_requested_at, reason_code, reason, connection_id, side } = order;
  if (status !== 'submitted') return TOO_LATE;
  if (cancel_requested_at !== null)
    return { code: reason_code ?? 'canceled', reason: reason ?? 'It was canceled before it was sent.' };
  if (isFenced(order, fence)) return ENDED;
  if (leased === null) return LEASE_LOST;
  const blocked = closureOf({ connectionId: connection_id, state: leased.state, isLiveOn }, side);
  return blocked === null ? null : { code: blocked.code, reason: blocked.message };
}

/**
 * Builds the last check before a live order is sent: it reads the committed blocks, set by any process. Paper orders wait for
 * nothing outside the books, so nothing is read for them.
 */
export function askingBrakes(
  work: Work,
  { id, connection_id }: Pick<OrderRow, 'id' | 'connection_id'>,
  held: HeldConnections | undefined,
  leaseEpoch: string | null,
): MayLeave {
  return async () => {
    if (connection_id === null || held === undefined) return null;
    const order = await loadOrder(work, id);
    const why = whyWithheld(order, await readDeparting(work, order, leaseEpoch), held);
    // Checked last, without a wait: the process may have been suspended during the read.
    return isStillHeld(connection_id, held, leaseEpoch) ? why : LEASE_LOST;
  };
}
