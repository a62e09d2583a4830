import type { Work } from '../../../platform/context.ts';
import { ORDINARY_ENDS } from '../../connections/breakers.ts';
import { PAUSE_REFUSALS } from '../../connections/venue-pause.ts';
import type { OrderRow } from '../row.ts';

/** Consecutive rejections for one reason after which the venue is expected to reject the next order too. */
const IN_A_ROW = 3;

/** Temporary reasons, and ordinary ends such as that of a killed order: neither is an error of a blueprint. */
const PASSING_REASONS: ReadonlySet<string> = new Set([
  'venue_unavailable',
  'arrived_late',
  ...ORDINARY_ENDS,
  ...PAUSE_REFUSALS,
]);

/**
 * Checks whether a rejected order is the third in a row of its deployment that was rejected for one reason. Returns the
 * deployment and the reason, or null.
 */
export async function consecutiveRejections(
  work: Work,
  order: Pick<OrderRow, 'status' | 'deployment_id' | 'reason_code'>,
): Promise<{ deploymentId: string; reason: string } | null> {
  const { status, deployment_id, reason_code } = order;
  if (status !== 'rejected' || deployment_id === null) return null;
  if (reason_code === null || PASSING_REASONS.has(reason_code)) return null;
  const latest = await work.db
    .selectFrom('trade_order')
    .select(['status', 'reason_code', 'reason'])
    .where('account_id', '=', work.accountId)
    .where('deployment_id', '=', deployment_id)
    .where('submitted_at', 'is not', null)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(IN_A_ROW)
    .execute();
  const isRow =
    latest.length === IN_A_ROW &&
    latest.every((sent) => sent.status === 'rejected' && sent.reason_code === reason_code);
  return isRow ? { deploymentId: deployment_id, reason: latest[0]?.reason ?? reason_code } : null;
}
