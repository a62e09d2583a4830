import type { Work } from '../../../platform/context.ts';
import { PAUSE_REFUSALS } from '../../connections/pause.ts';
import type { OrderRow } from '../row.ts';

/** Refusals by the venue, one after the other and for one reason, that say it will not take the next either. */
const IN_A_ROW = 3;

/** Reasons that are about the moment, not about the order: a venue that is down is not an error of a blueprint. */
const PASSING_REASONS: ReadonlySet<string> = new Set([
  'venue_unavailable',
  'never_arrived',
  'arrived_late',
  ...PAUSE_REFUSALS,
]);

/**
 * Whether an order that was just rejected is the last of three in a row that its deployment sent and the venue
 * rejected for the same reason. Answers the deployment and the reason, or null.
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
