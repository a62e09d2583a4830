import { underAccountLock } from '../../account-lock.ts';
import { openAccountDay } from '../../accounting/day.ts';
import { readPassage } from '../../connections/passage.ts';
import type { Work } from '../../context.ts';
import { recordEvents } from '../../events.ts';
import { readEnvelope } from '../../keys/read-envelope.ts';
import { LIVE_STATUSES } from '../../order-states.ts';
import { dayOf } from '../../risk/basis.ts';
import type { Approval } from '../../risk/facts.ts';
import { readBasis } from '../../risk/read-basis.ts';
import { readLive } from '../../risk/read-live.ts';
import { orderChanged } from '../events.ts';
import { tripDailyLoss } from '../lifecycle/daily-loss.ts';
import { isToTrip } from '../lifecycle/trip.ts';
import { withdrawUnapprovedSells } from '../lifecycle/withdraw.ts';
import { readHoldings } from '../read/holdings.ts';
import type { OrderRow } from '../row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import { readMarket } from '../terms/read-market.ts';
import { composeOrder } from './compose.ts';
import { fenceOf, type RaisingDeployment, refuseSecondSell } from './fence.ts';
import { insertOrder } from './insert-order.ts';
import { approvalOf, type ProposedIntent } from './intent.ts';

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
    const deployment = fenceOf(await readDeployment(tx, intent), intent);
    if (intent.side === 'sell') refuseSecondSell(await readLiveSells(tx, intent), intent, now);
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
  const basis = await readBasis(tx, { now });
  const envelope = await readEnvelope(
    tx,
    {
      // A close of all blueprints may sell what is any one's.
      blueprintId: intent.allocate === 'account' ? null : blueprintId,
      deploymentId: intent.deploymentId ?? null,
    },
    now,
  );
  const { venue } = market.instrument;
  const passage = await readPassage(tx, venue, settings);
  const live = await readLive(
    tx,
    { venue, token_id: tokenId, side, connectionId: passage?.connectionId ?? null },
    settings.liveCaps,
    now,
  );
  const composed = composeOrder(
    intent,
    { market, holdings, basis, approval, envelope, passage, live },
    { accountId: tx.accountId, mode: tx.mode, id: tx.newId(), now, settings },
  );
  if (basis.day === null) await openAccountDay(tx, now, dayOf(basis).openingUnrealizedPnl);
  if (composed.isWayOut) {
    await withdrawUnapprovedSells(tx, { instrument: market.instrument, blueprintId }, now);
  }
  const order = await insertOrder(tx, composed.order, composed.allocations);
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

/** The live sells of the node that raised the intent. */
async function readLiveSells(
  tx: Work,
  { deploymentId, nodeId, tokenId }: ProposedIntent,
): Promise<OrderRow[]> {
  if (deploymentId === undefined || nodeId === undefined) return [];
  return tx.db
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('deployment_id', '=', deploymentId)
    .where('node_id', '=', nodeId)
    .where('token_id', '=', tokenId)
    .where('side', '=', 'sell')
    .where('status', 'in', LIVE_STATUSES)
    .execute();
}

/** The deployment that raised the intent. Read under the account's lock, this is the fence behind a stop. */
async function readDeployment(
  tx: Work,
  { deploymentId, blueprintId }: ProposedIntent,
): Promise<RaisingDeployment | undefined> {
  if (deploymentId === undefined) return undefined;
  return tx.db
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
}
