import { sql } from 'kysely';
import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { Json } from '../../../../db/json.ts';
import type { Side } from '../../../../db/vocabulary.ts';
import { type Archive, withEvidence } from '../../../platform/archive/archive.ts';
import { toIso } from '../../../platform/clock/timestamp-text.ts';
import type { Work } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { type PriceSource, priceSourceInSql } from '../../../platform/price-source.ts';
import type { Receipt } from '../../../risk/receipt.ts';
import type { OrderRow } from '../row.ts';
import { orderFieldsOf, trimmedDecimal } from './order-fields.ts';

export type { Receipt } from '../../../risk/receipt.ts';

/** One order with all details. Decimals are strings, times ISO 8601. */
export type OrderDetail = {
  id: string;
  blueprintId: string;
  deploymentId: string | null;
  releaseNumber: number | null;
  nodeId: string | null;
  origin: OrderRow['origin'];
  tokenId: string;
  venue: OrderRow['venue'];
  title: string;
  /** Price source at the decision, regardless of the current setting; null if it was not recorded then. */
  priceSource: PriceSource | null;
  side: Side;
  type: OrderRow['type'];
  timeInForce: OrderRow['time_in_force'];
  amount: string;
  limitPrice: string;
  /** USD. Notional that the rules checked. */
  size: string;
  worstFee: string;
  filledAmount: string;
  /** USD. Null until something is filled. */
  averagePrice: string | null;
  fees: string;
  status: OrderStatus;
  reasonCode: string | null;
  reason: string | null;
  receipt: Receipt;
  /** Receipt of the recheck at the approval. */
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
  /** Version for `ETag` and `If-Match`. */
  version: number;
  allocations: OrderAllocation[];
  fills: OrderFill[];
  timeline: OrderStep[];
};
export type OrderAllocation = {
  positionId: string;
  blueprintId: string;
  amount: string;
  filledAmount: string;
};
export type OrderFill = { id: string; amount: string; price: string; fee: string; at: string };
export type OrderStep = {
  status: OrderStatus;
  from: OrderStatus | null;
  at: string;
  actor: string;
  reason: string | null;
};

/**
 * Reads an order with what it was decided from, which of an old one is in the archive.
 *
 * @throws DomainError `not_found`, `archived_unavailable`.
 */
export async function readOrder(
  work: Work,
  id: string,
  archive: Archive | null = null,
): Promise<OrderDetail> {
  const { db } = work;
  const row = await db
    .selectFrom('trade_order as o')
    .innerJoin('instrument as i', 'i.token_id', 'o.token_id')
    .selectAll('o')
    .select(['i.title', priceSourceInSql('o.created_at').as('price_source')])
    .where('o.account_id', '=', work.accountId)
    .where('o.mode', '=', work.mode)
    .where('o.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  const { title, price_source: priceSource, ...stored } = row;
  const [order = stored] = await withEvidence(db, archive, work.accountId, [stored]);
  const now = await work.clock(db);
  return {
    ...orderFieldsOf(order, now),
    title,
    priceSource,
    allocations: await readAllocations(work, id),
    fills: await readFills(work, id),
    timeline: await readTimeline(work, id),
  };
}

async function readAllocations(work: Work, orderId: string): Promise<OrderAllocation[]> {
  const rows = await work.db
    .selectFrom('order_allocation as a')
    .innerJoin('position as p', (join) =>
      join.onRef('p.account_id', '=', 'a.account_id').onRef('p.id', '=', 'a.position_id'),
    )
    .select(['a.position_id', 'p.blueprint_id', 'a.amount', 'a.filled_amount'])
    .where('a.account_id', '=', work.accountId)
    .where('a.order_id', '=', orderId)
    .where('a.amount', '>', '0')
    .orderBy('a.number')
    .execute();
  return rows.map((row) => ({
    positionId: row.position_id,
    blueprintId: row.blueprint_id,
    amount: trimmedDecimal(row.amount),
    filledAmount: trimmedDecimal(row.filled_amount),
  }));
}

async function readFills(work: Work, orderId: string): Promise<OrderFill[]> {
  const rows = await work.db
    .selectFrom('fill as f')
    .select(['f.id', 'f.amount', 'f.price', 'f.fee', 'f.at'])
    .where('f.account_id', '=', work.accountId)
    .where('f.order_id', '=', orderId)
    .where('f.mode', '=', work.mode)
    .where('f.kind', '=', 'trade')
    .where(
      sql<boolean>`not exists (select from fill r where r.account_id = f.account_id and r.order_id = f.order_id
        and r.kind = 'reversal' and r.venue_trade_id = 'reversal:' || f.venue_trade_id)`,
    )
    .orderBy('f.seq')
    .execute();
  return rows.map(({ id, amount, price, fee, at }) => ({
    id,
    amount: trimmedDecimal(amount),
    price: trimmedDecimal(price),
    fee: trimmedDecimal(fee),
    at: toIso(at),
  }));
}

async function readTimeline(work: Work, orderId: string): Promise<OrderStep[]> {
  const rows = await work.db
    .selectFrom('order_transition')
    .select(['from_status', 'to_status', 'at', 'actor', 'reason'])
    .where('account_id', '=', work.accountId)
    .where('order_id', '=', orderId)
    .orderBy('number')
    .execute();
  return rows.map(({ from_status, to_status, at, actor, reason }) => ({
    status: to_status,
    from: from_status,
    at: toIso(at),
    actor,
    reason,
  }));
}
