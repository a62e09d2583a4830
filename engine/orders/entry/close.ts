import type { OrderStatus } from '../../../db/entities/order.ts';
import { underAccountLock } from '../../account-lock.ts';
import { audit } from '../../audit.ts';
import type { Work } from '../../context.ts';
import { exact } from '../../decimal.ts';
import { readHoldings } from '../read/holdings.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import { type CloseRequest, closeOf, closeRequested } from './closing.ts';
import { approvalByRequest } from './intent.ts';
import { proposeUnderLock } from './propose.ts';
import { refuseDenied } from './refusals.ts';

export type { CloseRequest } from './closing.ts';
export type CloseIntent = { intentId: string; status: OrderStatus; amount: string };

/**
 * Sells part or all of what the account holds of one instrument, at the market and within the price band, oldest
 * position first. The intent belongs to the blueprint of the first position it draws on.
 *
 * @throws DomainError `not_found` without such a position, `validation_failed` for more than is held and free,
 *   `quote_unavailable`, `no_liquidity`, and `risk_rule_violated` once the denied order is committed.
 */
export async function closePosition(
  work: Work,
  request: CloseRequest,
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<CloseIntent> {
  const order = await underAccountLock(work, (tx, now) => proposeClose(tx, now, request, settings));
  refuseDenied(order);
  return { intentId: order.id, status: order.status, amount: exact(order.amount).toFixed() };
}

async function proposeClose(tx: Work, now: Date, request: CloseRequest, settings: TradingSettings) {
  const { tokenId, blueprintId = null } = request;
  const holdings = await readHoldings(tx, { tokenId, blueprintId, now });
  const intent = closeOf(request, holdings);
  const order = await proposeUnderLock(tx, intent, now, settings, approvalByRequest(tx));
  await audit(tx, closeRequested(order, holdings, now));
  return order;
}
