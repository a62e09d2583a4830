import { mayRest } from '../../../../db/vocabulary.ts';
import type { AuditEntry } from '../../../platform/audit/audit.ts';
import { BY_HAND_ID } from '../../../platform/by-hand.ts';
import { exact } from '../../../platform/decimal.ts';
import type { OrderRow } from '../row.ts';
import type { FreeHolding } from '../terms/allocate.ts';
import { invalidField } from '../terms/draft.ts';
import { firstHoldingToClose } from '../terms/first-holding-to-close.ts';
import type { ProposedIntent } from './proposed-intent.ts';

/** Order that a person or key requests. Decimals are strings. */
export type ManualOrder = Pick<
  ProposedIntent,
  'tokenId' | 'side' | 'type' | 'timeInForce' | 'amount' | 'limitPrice' | 'expireAfterSec'
>;

/**
 * Builds the intent of an order by hand. A buy belongs to no strategy. A sell draws on all positions, as a close does, and
 * belongs to the blueprint of the first. Pure.
 *
 * @param holdings positions that a sell may draw on, oldest first
 * @throws DomainError `validation_failed` for terms that contradict each other. For a sell, `not_found` without such a position,
 *   and `validation_failed` for more than is held and free.
 */
export function planManualOrder(request: ManualOrder, holdings: readonly FreeHolding[]): ProposedIntent {
  const { side, type, timeInForce, amount, limitPrice, expireAfterSec } = request;
  if (type === 'market' && limitPrice !== undefined)
    throw invalidField(
      '/limitPrice',
      `A market order takes no limit price, got ${limitPrice}. Leave it out.`,
    );
  if (type === 'market' && (timeInForce === 'fok' || timeInForce === 'gtx'))
    throw invalidField('/timeInForce', `Only a limit order can be ${timeInForce}. Send \`limitPrice\` too.`);
  if (expireAfterSec !== undefined && (type === 'market' || !mayRest(timeInForce)))
    throw invalidField(
      '/expireAfterSec',
      'Only a limit order that may rest (`gtc`, `gtx`) expires after seconds. Leave it out.',
    );
  return {
    ...request,
    origin: 'manual',
    blueprintId: side === 'buy' ? BY_HAND_ID : firstHoldingToClose(holdings, amount).blueprintId,
    inputs: null,
    allocate: 'account',
  };
}

/** Builds the audit record of an order by hand. */
export const manualOrderRequested = (order: OrderRow, title: string, at: Date): AuditEntry => ({
  action: 'order.requested',
  subjectId: order.id,
  before: null,
  after: {
    side: order.side,
    amount: exact(order.amount).toFixed(),
    price: exact(order.limit_price).toFixed(),
    venue: order.venue,
    tokenId: order.token_id,
    title,
    status: order.status,
  },
  at,
});
