import { underAccountLock } from '../../account-lock.ts';
import { openAccountDay } from '../../accounting/day.ts';
import { audit } from '../../audit.ts';
import type { Work } from '../../context.ts';
import { exact } from '../../decimal.ts';
import { DomainError } from '../../errors.ts';
import { recordEvents } from '../../events.ts';
import { dayOf } from '../../risk/basis.ts';
import { writeReceipt } from '../../risk/receipt.ts';
import { refuseOtherVersion } from '../../version.ts';
import { orderChanged } from '../events.ts';
import { isToTrip, tripDailyLoss } from '../lifecycle/daily-loss.ts';
import { transition } from '../lifecycle/transition.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import { SEND_WITHIN_MS } from '../settings.ts';
import { noLaterThan } from '../terms/good-till.ts';
import { readMarket } from '../terms/read-market.ts';
import { refuseMovedPrice, refuseUnlessPending } from './approval-checks.ts';
import { recheck } from './recheck.ts';
import { refuseUnlessQueued, ruleViolated } from './refusals.ts';

/**
 * Lets a pending intent go to its venue, exactly as it was shown. Under the account's lock the rules in force now
 * and the price band are checked again; a check that fails changes nothing, and the intent waits on until it
 * expires; only that the loss of the day is found to have reached its limit is kept, and ends it. Approving what this account has approved already is a success without effect.
 *
 * @throws DomainError `not_found`, `intent_expired`, `intent_not_pending`, `precondition_failed` where the order is
 *   not at `ifVersion` any more, `risk_rule_violated`, `price_moved`, `market_not_open`, `quote_unavailable`,
 *   `no_liquidity`, or `invalid_state` once its deployment has ended.
 */
export async function approveOrder(
  work: Work,
  id: string,
  ifVersion?: number,
): Promise<{ ok: true; id: string }> {
  const refusal = await underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (order.approved_by !== null) return null;
    refuseUnlessPending(order, now);
    refuseOtherVersion(order.version, ifVersion);
    await refuseEndedDeployment(tx, order);
    const market = await readMarket(tx, order.token_id);
    refuseMovedPrice(order, market, now);
    const { basis, decision } = await recheck(tx, order, now, 'person');
    if (basis.day === null) await openAccountDay(tx, now, dayOf(basis).openingUnrealizedPnl);
    if (order.side === 'buy' && isToTrip(basis)) {
      // The trip stays: it declines what waits, this order among it.
      await tripDailyLoss(tx, basis, now);
      return decision.denial;
    }
    refuseUnlessQueued(decision, order.id);
    const receipt = writeReceipt(basis, decision, now);
    const queued = await transition(tx, order, 'queued', {
      at: now,
      set: {
        approved_by: tx.actor,
        approval_receipt: JSON.stringify(receipt),
        queued_at: now,
        expires_at: noLaterThan(order.good_till, new Date(now.getTime() + SEND_WITHIN_MS)),
      },
    });
    await audit(tx, {
      action: 'order.approved',
      subjectId: order.id,
      before: { status: order.status },
      after: {
        status: queued.status,
        rulesVersion: receipt.rulesVersion,
        side: order.side,
        amount: exact(order.amount).toFixed(),
        price: exact(order.limit_price).toFixed(),
        venue: order.venue,
        tokenId: order.token_id,
        title: market.instrument.title,
      },
      at: now,
    });
    await recordEvents(tx, now, [orderChanged(queued)]);
    return null;
  });
  if (refusal !== null) throw ruleViolated(refusal, id);
  return { ok: true, id };
}

/** Stop and deploy cancel what waits; this is for the intent that nobody canceled. */
async function refuseEndedDeployment(tx: Work, { id, deployment_id }: OrderRow): Promise<void> {
  if (deployment_id === null) return;
  const deployment = await tx.db
    .selectFrom('deployment')
    .select('ended_at')
    .where('account_id', '=', tx.accountId)
    .where('id', '=', deployment_id)
    .executeTakeFirst();
  if (deployment?.ended_at === null) return;
  throw new DomainError(
    'invalid_state',
    `The deployment of order ${id} has ended: it cannot be approved any more.`,
  );
}
