import type { Environment, Mode, Venue } from '../../../../db/vocabulary.ts';
import type { Work } from '../../../platform/context.ts';
import { type Exact, exact } from '../../../platform/decimal.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';

/** What a person says yes to besides the rules: whose money it is, where it goes, and what it can cost at most. */
export type ApprovalTerms = {
  readonly mode: Mode;
  readonly venue: Venue;
  /** The venue account it leaves by; null on paper. */
  readonly connection: { readonly label: string; readonly environment: Environment } | null;
  /** USD, decimal string. Of a buy all of it at its limit with the worst fee, of a sell the worst fee. */
  readonly worstCost: string;
};

/** @throws DomainError `not_found`. */
export async function approvalTerms(work: Work, id: string): Promise<ApprovalTerms> {
  const order = await loadOrder(work, id);
  return {
    mode: order.mode,
    venue: order.venue,
    connection: await readConnection(work, order),
    worstCost: worstCostOf(order).toFixed(),
  };
}

/** USD. The most an order can cost whoever approves it. Pure. */
export const worstCostOf = ({
  side,
  size,
  worst_fee,
}: Pick<OrderRow, 'side' | 'size' | 'worst_fee'>): Exact =>
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
