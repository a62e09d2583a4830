import type { OrderStatus, Side } from '../../db/entities/order.ts';
import type { Json } from '../../db/json.ts';
import type { Work } from '../context.ts';
import type { ReceiptLine, RiskRules } from '../risk/decide.ts';

export type OrderFilter = {
  limit: number;
  cursor: { createdAt: Date; id: string } | null;
  status?: OrderStatus;
  side?: Side;
  blueprintId?: string;
  since?: Date;
  until?: Date;
};
/** `amount` is a decimal string, `createdAt` as the pool gives it. */
export type OrderListRow = {
  id: string;
  blueprint_id: string;
  status: OrderStatus;
  side: Side;
  amount: string;
  created_at: string;
};

export async function listOrders(_work: Work, _filter: OrderFilter): Promise<OrderListRow[]> {
  throw new Error('under construction');
}

/** What a decision saw and said. Decimals are strings. */
export type Receipt = {
  decidedAt: string;
  rulesVersion: number;
  rules: RiskRules;
  lines: ReceiptLine[];
  marks: {
    tokenId: string;
    amount: string;
    price: string | null;
    asOf: string | null;
    ageSec: number | null;
  }[];
};

/** Everything about one order. Decimals are strings, times ISO 8601. */
export type OrderDetail = {
  id: string;
  blueprintId: string;
  deploymentId: string | null;
  releaseNumber: number | null;
  nodeId: string | null;
  origin: string;
  tokenId: string;
  venue: string;
  title: string;
  side: Side;
  type: string;
  timeInForce: string;
  amount: string;
  limitPrice: string;
  size: string;
  worstFee: string;
  filledAmount: string;
  averagePrice: string | null;
  fees: string;
  status: OrderStatus;
  reasonCode: string | null;
  reason: string | null;
  receipt: Receipt;
  approvalReceipt: Receipt | null;
  inputs: Json;
  decidedQuote: Json;
  preapprovedRelease: number | null;
  approvedBy: string | null;
  cancelRequestedAt: string | null;
  createdAt: string;
  updatedAt: string;
  queuedAt: string | null;
  submittedAt: string | null;
  endedAt: string | null;
  expiresAt: string | null;
  /** What `If-Match` and `ETag` speak of. */
  version: number;
  allocations: { positionId: string; blueprintId: string; amount: string; filledAmount: string }[];
  fills: { id: string; amount: string; price: string; fee: string; at: string }[];
  timeline: {
    status: OrderStatus;
    from: OrderStatus | null;
    at: string;
    actor: string;
    reason: string | null;
  }[];
};

export async function readOrder(_work: Work, _id: string): Promise<OrderDetail> {
  throw new Error('under construction');
}
