import type { OrderOrigin, OrderType, Side, TimeInForce } from '../../db/entities/order.ts';
import type { Json } from '../../db/json.ts';
import type { Work } from '../context.ts';
import type { OrderRow } from './row.ts';
import type { TradingSettings } from './settings.ts';

/** What somebody wants done, before any rule has looked at it. Decimals are strings. */
export type ProposedIntent = {
  origin: OrderOrigin;
  blueprintId: string;
  /** With the three below: what raised it. Absent for a person or key. */
  deploymentId?: string;
  releaseNumber?: number;
  nodeId?: string;
  stepAt?: Date;
  tokenId: string;
  side: Side;
  type: OrderType;
  timeInForce: TimeInForce;
  amount: string;
  /** Required for a limit order. A market order gets its price band instead. */
  limitPrice?: string;
  /** How far a market order may go beyond the quote; default from the settings. */
  slippage?: string;
  /** Node values that led to it, at most 8 KB. */
  inputs: Json;
  /** The release whose deploy approved this exit in advance. */
  preapprovedRelease?: number;
  /** Which positions a sell may draw on: the blueprint's own (default), or all of the account's, oldest first. */
  allocate?: 'blueprint' | 'account';
};

export async function proposeIntent(
  _work: Work,
  _intent: ProposedIntent,
  _settings?: TradingSettings,
): Promise<OrderRow> {
  throw new Error('under construction');
}
