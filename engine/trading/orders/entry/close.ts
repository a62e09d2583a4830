import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { Work } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import type { DecisionScope } from './account/load-decision-data.ts';
import { withAccount } from './account/with-account.ts';
import type { CloseRequest } from './plan-close.ts';
import { refuseDenied } from './refusals.ts';

export type { CloseRequest } from './plan-close.ts';
export type CloseIntent = { intentId: string; status: OrderStatus; amount: string };

/**
 * Closes in one transaction under the account's lock.
 *
 * @throws DomainError as `Account.close`, and `risk_rule_violated` after the denied order is committed.
 */
export async function closePosition(
  work: Work,
  request: CloseRequest,
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<CloseIntent> {
  const scope = scopeOf(request);
  const order = await withAccount(work, scope, settings, (account, doing) => account.close(request, doing));
  refuseDenied(order);
  return { intentId: order.id, status: order.status, amount: exact(order.amount).toFixed() };
}

const scopeOf = ({ tokenId, blueprintId }: CloseRequest): DecisionScope => ({
  tokenIds: [tokenId],
  toSell: [tokenId],
  bound: { tokenId, side: 'sell', blueprintId: blueprintId ?? null },
});
