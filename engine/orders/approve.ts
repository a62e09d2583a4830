import { underAccountLock } from '../account-lock.ts';
import { openAccountDay } from '../accounting/day.ts';
import { audit } from '../audit.ts';
import { dbOf, type Work } from '../context.ts';
import { Decimal, type Exact, exact, ZERO } from '../decimal.ts';
import { DomainError } from '../errors.ts';
import { recordEvents } from '../events.ts';
import { aggregatesOf, readBasis, unrealizedPnl } from '../risk/basis.ts';
import { decide } from '../risk/decide.ts';
import { type Receipt, writeReceipt } from '../risk/receipt.ts';
import { refuseOtherVersion } from '../version.ts';
import { orderChanged } from './events.ts';
import { readHoldings } from './holdings.ts';
import { loadOrder } from './load.ts';
import { freshQuote, readMarket, refuseClosedMarket } from './market.ts';
import { refuseUnlessQueued } from './refusals.ts';
import type { OrderRow } from './row.ts';
import { QUOTE_MAX_AGE_MS, SEND_WITHIN_MS } from './settings.ts';
import { isPastItsTime, statusAt, transition } from './states.ts';

/**
 * Lets a pending intent go to its venue, exactly as it was shown. Under the account's lock the rules in force now
 * and the price band are checked again; a check that fails changes nothing, and the intent waits on until it
 * expires. Approving what this account has approved already is a success without effect.
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
  return underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    if (order.approved_by !== null) return { ok: true, id: order.id };
    refuseUnlessPending(order, now);
    refuseOtherVersion(order.version, ifVersion);
    await refuseEndedDeployment(tx, order);
    await refuseMovedPrice(tx, order, now);
    const receipt = await judgeAgain(tx, order, now);
    const queued = await transition(tx, order, 'queued', {
      at: now,
      set: {
        approved_by: tx.actor,
        approval_receipt: JSON.stringify(receipt),
        queued_at: now,
        expires_at: new Date(now.getTime() + SEND_WITHIN_MS),
      },
    });
    await audit(tx, {
      action: 'order.approved',
      subjectId: order.id,
      before: { status: order.status },
      after: { status: queued.status, rulesVersion: receipt.rulesVersion },
      at: now,
    });
    await recordEvents(tx, now, [orderChanged(queued)]);
    return { ok: true, id: order.id };
  });
}

function refuseUnlessPending(order: OrderRow, now: Date): void {
  if (order.status === 'pending' && !isPastItsTime(order, now)) return;
  const status = statusAt(order, now);
  if (status === 'expired' && order.queued_at === null) {
    throw new DomainError('intent_expired', `Order ${order.id} waited for approval and has expired.`);
  }
  throw new DomainError(
    'intent_not_pending',
    `Order ${order.id} is ${status}: only a pending one can be approved.`,
  );
}

/** Stop and deploy cancel what waits; this is for the intent that nobody canceled. */
async function refuseEndedDeployment(tx: Work, { id, deployment_id }: OrderRow): Promise<void> {
  if (deployment_id === null) return;
  const deployment = await dbOf(tx)
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

/** The band was fixed at proposal and nothing widens it: outside of it the order could only be canceled unfilled. */
async function refuseMovedPrice(tx: Work, order: OrderRow, now: Date): Promise<void> {
  const market = await readMarket(tx, order.token_id);
  refuseClosedMarket(market);
  if (order.type !== 'market') return;
  const quote = freshQuote(market, now, QUOTE_MAX_AGE_MS);
  const [name, quoted] = order.side === 'buy' ? ['ask', quote.ask] : ['bid', quote.bid];
  if (quoted === null) {
    throw new DomainError('no_liquidity', `There is no ${name} in ${order.token_id} now.`);
  }
  const limit = exact(order.limit_price);
  const isOutside = order.side === 'buy' ? limit.lt(quoted) : limit.gt(quoted);
  if (!isOutside) return;
  throw new DomainError(
    'price_moved',
    `The ${name} of ${order.token_id} is ${exact(quoted).toFixed()} now, outside the price band that ends at ${limit.toFixed()}.`,
  );
}

/** The second look: the same rules as at the proposal, without counting the order against itself. */
async function judgeAgain(tx: Work, order: OrderRow, now: Date): Promise<Receipt> {
  const basis = await readBasis(tx, { tokenId: order.token_id, now, leaveOut: order.id });
  if (basis.day === null) await openAccountDay(tx, now, unrealizedPnl(basis.held));
  const decision = decide(
    basis.rules,
    aggregatesOf(basis, await stillFree(tx, order, now)),
    {
      side: order.side,
      amount: exact(order.amount),
      size: exact(order.size),
      worstFee: exact(order.worst_fee),
      approval: { by: 'person' },
    },
    now,
  );
  refuseUnlessQueued(decision, order.id);
  return writeReceipt(basis, decision, now);
}

/** How much of what the sell was shown to draw on is free now, position by position. */
async function stillFree(tx: Work, order: OrderRow, now: Date): Promise<Exact> {
  if (order.side === 'buy') return ZERO;
  const allocations = await dbOf(tx)
    .selectFrom('order_allocation')
    .select(['position_id', 'amount'])
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', order.id)
    .execute();
  const holdings = await readHoldings(tx, {
    tokenId: order.token_id,
    blueprintId: null,
    now,
    leaveOut: order.id,
  });
  const free = new Map(holdings.map((holding) => [holding.positionId, holding.free]));
  return allocations.reduce(
    (sum, { position_id, amount }) =>
      sum.plus(Decimal.min(amount, Decimal.max(free.get(position_id) ?? ZERO, ZERO))),
    ZERO,
  );
}
