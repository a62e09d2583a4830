import { underAccountLock } from '../../account-lock.ts';
import { openAccountDay } from '../../accounting/day.ts';
import type { Work } from '../../context.ts';
import { refuseOutsideEnvelope } from '../../keys/read-envelope.ts';
import { dayOf } from '../../risk/basis.ts';
import { tripDailyLoss } from '../lifecycle/daily-loss.ts';
import { carryOut } from '../lifecycle/transition.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import { readMarket } from '../terms/read-market.ts';
import { approve } from './approval.ts';
import { readAgain } from './recheck.ts';
import { ruleViolated } from './refusals.ts';

/**
 * Lets a pending intent go to its venue, exactly as it was shown. Under the account's lock the rules in force now
 * and the price band are checked again; a check that fails changes nothing, and the intent waits on until it
 * expires; only that the loss of the day is found to have reached its limit is kept, and ends it. Approving what this account has approved already is a success without effect.
 *
 * @throws DomainError `not_found`, `intent_expired`, `intent_not_pending`, `precondition_failed` where the order is
 *   not at `ifVersion` any more, `risk_rule_violated`, `price_moved`, `market_not_open`, `quote_unavailable`,
 *   `no_liquidity`, `outside_envelope` for a key that may not, or `invalid_state` once its deployment has ended.
 */
export async function approveOrder(
  work: Work,
  id: string,
  ifVersion?: number,
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<{ ok: true; id: string }> {
  const refusal = await underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (order.approved_by === null) await refuseOutsideEnvelope(tx, order, now);
    const facts = {
      ...(await readAgain(tx, order, now, settings)),
      order,
      hasEnded: await hasDeploymentEnded(tx, order),
      market: await readMarket(tx, order.token_id),
    };
    const { basis } = facts;
    const approved = approve(facts, { actor: tx.actor, now }, ifVersion);
    if (approved === null) return null;
    if (basis.day === null) await openAccountDay(tx, now, dayOf(basis).openingUnrealizedPnl);
    if (approved.kind === 'cleared') {
      await carryOut(tx, now, approved.outcome);
      return null;
    }
    // The trip stays: it declines what waits, this order among it.
    await tripDailyLoss(tx, basis, now);
    return approved.denial;
  });
  if (refusal !== null) throw ruleViolated(refusal, id);
  return { ok: true, id };
}

async function hasDeploymentEnded(tx: Work, { deployment_id }: OrderRow): Promise<boolean> {
  if (deployment_id === null) return false;
  const deployment = await tx.db
    .selectFrom('deployment')
    .select('ended_at')
    .where('account_id', '=', tx.accountId)
    .where('id', '=', deployment_id)
    .executeTakeFirst();
  return deployment?.ended_at !== null;
}
