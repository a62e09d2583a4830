import type { OrderType, Side } from '../../db/entities/order.ts';
import type { Work } from '../context.ts';
import type { Receipt } from '../orders/read.ts';
import type { TradingSettings } from '../orders/settings.ts';
import type { Denial } from './decide.ts';

/** An order that is only thought of. `limitPrice` is required for a limit order. */
export type OrderProposal = {
  tokenId: string;
  side: Side;
  amount: string;
  type: OrderType;
  limitPrice?: string;
  slippage?: string;
  blueprintId?: string;
};

export type OrderPreview = {
  verdict: 'queued' | 'pending' | 'denied';
  amount: string;
  limitPrice: string;
  size: string;
  worstFee: string;
  receipt: Receipt;
  denial: Denial | null;
};

export async function previewOrder(
  _work: Work,
  _proposal: OrderProposal,
  _settings?: TradingSettings,
): Promise<OrderPreview> {
  throw new Error('under construction');
}
