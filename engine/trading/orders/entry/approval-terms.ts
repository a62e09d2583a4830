import type { Environment, Mode, Venue } from '../../../../db/vocabulary.ts';
import type { Work } from '../../../platform/context.ts';
import { type Exact, exact } from '../../../platform/decimal.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';

/** Terms that an approver accepts in addition to the rules: the mode, the venue account, and the maximum cost. */
export type ApprovalTerms = {
  readonly mode: Mode;
  readonly venue: Venue;
  /** The venue account it is sent through; null on paper. */
  readonly connection: { readonly label: string; readonly environment: Environment } | null;
  /** USD, decimal string. For a buy the whole notional at its limit price plus the maximum fee, for a sell the maximum fee. */
  readonly worstCost: string;
};

/** @throws DomainError `not_found`. */
export async function approvalTerms(work: Work, id: string): Promise<ApprovalTerms> {
  const order = await loadOrder(work, id);
  return {
    mode: order.mode,
    venue: order.venue,
    connection: await readConnection(work, order),
    worstCost: maxCostOf(order).toFixed(),
  };
}

/** Returns the maximum cost of an order, USD. Pure. */
export const maxCostOf = ({ side, size, worst_fee }: Pick<OrderRow, 'side' | 'size' | 'worst_fee'>): Exact =>
  side === 'buy' ? exact(size).plus(worst_fee) : exact(worst_fee);

async function readConnection(work: Work, { connection_id }: OrderRow): Promise<ApprovalTerms['connection']> {
  if (connection_id === null) return null;
  const row = await work.db
    .selectFrom('venue_connection')
    .select(['label', 'environment'])
    .where('account_id', '=', work.accountId)
    .where('id', '=', connection_id)
    .executeTakeFirst();
  return row ?? null;
}
