import type { OrderStatus } from '../../db/entities/order.ts';
import type { Work } from '../context.ts';
import type { TradingSettings } from './settings.ts';

export type CloseRequest = { tokenId: string; amount: string; blueprintId?: string };
export type CloseIntent = { intentId: string; status: OrderStatus; amount: string };

export async function closePosition(
  _work: Work,
  _request: CloseRequest,
  _settings?: TradingSettings,
): Promise<CloseIntent> {
  throw new Error('under construction');
}
