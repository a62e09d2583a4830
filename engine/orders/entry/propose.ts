import { underAccountLock } from '../../account-lock.ts';
import { openAccountDay } from '../../accounting/day.ts';
import type { Work } from '../../context.ts';
import { DomainError } from '../../errors.ts';
import { recordEvents } from '../../events.ts';
import { newId } from '../../ids.ts';
import { isPastItsTime, LIVE_STATUSES } from '../../order-states.ts';
import { aggregatesOf, dayOf } from '../../risk/basis.ts';
import { decide } from '../../risk/decide.ts';
import type { Approval } from '../../risk/facts.ts';
import { readBasis } from '../../risk/read-basis.ts';
import { writeReceipt } from '../../risk/receipt.ts';
import { orderChanged } from '../events.ts';
import { isToTrip, tripDailyLoss } from '../lifecycle/daily-loss.ts';
import { withdrawUnapprovedSells } from '../lifecycle/withdraw.ts';
import { readHoldings } from '../read/holdings.ts';
import type { OrderRow } from '../row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import { allocate, totalFree } from '../terms/allocate.ts';
import { draftOrder } from '../terms/draft.ts';
import { goodTillOf } from '../terms/good-till.ts';
import { readMarket } from '../terms/read-market.ts';
import { insertOrder } from './insert-order.ts';
import {
  approvalOf,
  type FencedDeployment,
  isExit,
  type ProposedIntent,
  refuseHaltedEntry,
  statusOf,
} from './intent.ts';

export type { ProposedIntent } from './intent.ts';

/**
 * The one entry: every order of every origin comes into being here, in one transaction under the account's lock,
 * with the receipt of the rules in force. A refusal by a rule is an order too, `denied` and never sent.
 *
 * An intent of a graph is unique by deployment, node and step: a repeat answers the order of the first.
 *
 * @throws DomainError where there is nothing to judge: `invalid_state` for an ended deployment or a halted entry,
 *   `not_found`, `market_not_open`, `quote_unavailable`, `no_liquidity`, `validation_failed`. Nothing is stored then.
 */
export async function proposeIntent(
  work: Work,
  intent: ProposedIntent,
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<OrderRow> {
  return underAccountLock(work, async (tx, now) => {
    const first = await orderOfStep(tx, intent);
    if (first) return first;
    const deployment = await liveDeployment(tx, intent);
    if (deployment) refuseHaltedEntry(deployment, intent);
    if (intent.side === 'sell') await refuseSecondSell(tx, intent, now);
    return proposeUnderLock(tx, intent, now, settings, approvalOf(intent, deployment));
  });
}

/** The same entry for a caller that holds the lock already, and has read `now` under it. */
export async function proposeUnderLock(
  tx: Work,
  intent: ProposedIntent,
  now: Date,
  settings: TradingSettings,
  approval: Approval = { by: 'nobody' },
): Promise<OrderRow> {
  const { tokenId, side, blueprintId } = intent;
  const market = await readMarket(tx, tokenId);
  const holdings =
    side === 'sell'
      ? await readHoldings(tx, {
          tokenId,
          blueprintId: intent.allocate === 'account' ? null : blueprintId,
          now,
        })
      : [];
  const draft = draftOrder(intent, market, holdings, now, settings);
  const basis = await readBasis(tx, { now });
  if (basis.day === null) await openAccountDay(tx, now, dayOf(basis).openingUnrealizedPnl);
  const { amount, size, worstFee } = draft;
  const decision = decide(
    basis.rules,
    aggregatesOf(basis, totalFree(holdings), now),
    { tokenId, side, amount, size, worstFee, approval },
    now,
  );
  if (decision.verdict === 'queued' && isExit(intent)) {
    await withdrawUnapprovedSells(tx, { instrument: market.instrument, blueprintId, now });
  }

  const goodTill = goodTillOf(intent, now);
  const order = await insertOrder(
    tx,
    {
      id: newId(),
      mode: tx.mode,
      blueprint_id: blueprintId,
      deployment_id: intent.deploymentId ?? null,
      release_number: intent.releaseNumber ?? null,
      node_id: intent.nodeId ?? null,
      step_at: intent.stepAt ?? null,
      origin: intent.origin,
      token_id: tokenId,
      venue: market.instrument.venue,
      side,
      type: intent.type,
      time_in_force: intent.type === 'market' ? 'ioc' : intent.timeInForce,
      amount: amount.toFixed(),
      limit_price: draft.limitPrice.toFixed(),
      size: size.toFixed(),
      worst_fee: worstFee.toFixed(),
      receipt: JSON.stringify(writeReceipt(basis, decision, now)),
      rules_version: basis.rulesVersion,
      inputs: JSON.stringify(intent.inputs),
      decided_quote: JSON.stringify(draft.decidedQuote),
      preapproved_release: approval.by === 'deploy' ? approval.release : null,
      created_at: now,
      updated_at: now,
      good_till: decision.verdict === 'denied' ? null : goodTill,
      ...statusOf(decision, now, settings, goodTill),
    },
    decision.verdict === 'denied' ? [] : (allocate(holdings, amount) ?? []),
  );
  await recordEvents(tx, now, [orderChanged(order)]);
  // After the order: what its receipt says was so before anything is taken back.
  if (isToTrip(basis)) await tripDailyLoss(tx, basis, now);
  return order;
}

/** The order this very step has made already: a replayed step must not make a second one. */
async function orderOfStep(
  tx: Work,
  { deploymentId, nodeId, stepAt }: ProposedIntent,
): Promise<OrderRow | undefined> {
  if (deploymentId === undefined) return undefined;
  if (nodeId === undefined || stepAt === undefined) {
    throw new Error(`An intent of deployment ${deploymentId} must name its node and step.`);
  }
  return tx.db
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('deployment_id', '=', deploymentId)
    .where('node_id', '=', nodeId)
    .where('step_at', '=', stepAt.toISOString())
    .executeTakeFirst();
}

/** Against storms: a node has one live sell of its position, however often it is stepped. */
async function refuseSecondSell(
  tx: Work,
  { deploymentId, nodeId, tokenId }: ProposedIntent,
  now: Date,
): Promise<void> {
  if (deploymentId === undefined || nodeId === undefined) return;
  const orders = await tx.db
    .selectFrom('trade_order')
    .select(['id', 'status', 'expires_at'])
    .where('account_id', '=', tx.accountId)
    .where('deployment_id', '=', deploymentId)
    .where('node_id', '=', nodeId)
    .where('token_id', '=', tokenId)
    .where('side', '=', 'sell')
    .where('status', 'in', LIVE_STATUSES)
    .execute();
  const live = orders.find((order) => !isPastItsTime(order, now));
  if (live === undefined) return;
  throw new DomainError('invalid_state', `Node ${nodeId} sells this position already, by order ${live.id}.`);
}

/** The deployment that raised the intent. Read under the account's lock, this is the fence behind a stop. */
async function liveDeployment(
  tx: Work,
  { deploymentId, blueprintId }: ProposedIntent,
): Promise<FencedDeployment | null> {
  if (deploymentId === undefined) return null;
  const deployment = await tx.db
    .selectFrom('deployment as d')
    .leftJoin('deployment_state as s', (join) =>
      join.onRef('s.account_id', '=', 'd.account_id').onRef('s.deployment_id', '=', 'd.id'),
    )
    .select(['d.release_number', 'd.ended_at', 's.halted'])
    .where('d.account_id', '=', tx.accountId)
    .where('d.mode', '=', tx.mode)
    .where('d.id', '=', deploymentId)
    .where('d.blueprint_id', '=', blueprintId)
    .executeTakeFirst();
  if (deployment === undefined || deployment.ended_at !== null) {
    throw new DomainError(
      'invalid_state',
      `Deployment ${deploymentId} has ended: nothing is created for it.`,
    );
  }
  return { releaseNumber: deployment.release_number, halted: deployment.halted ?? false };
}
