import { type Exact, exact, ZERO } from '../../../platform/decimal.ts';
import { knownSchedule } from '../../../platform/instruments/fee-schedule.ts';
import { lotOf, shortfallOf } from '../../../platform/instruments/lot.ts';
import type { InstrumentRow, OrderRow } from '../row.ts';
import { maxFee } from './fees.ts';
import { orderNotional } from './pricing.ts';

/** Amount that a waiting close would draw from one position. */
export type WaitingDraw = { positionId: string; blueprintId: string; amount: Exact };

/** The close without the amount that a blueprint sells with its own exit. Decimals are strings. */
export type Reduced = { amount: string; size: string; maxFee: string };

/**
 * Returns the rest of a waiting close, without the positions of a blueprint; null if nothing is left, or less than the venue's
 * minimum. Pure.
 */
export function reduceWaitingClose(
  order: Pick<OrderRow, 'amount' | 'limit_price' | 'worst_fee' | 'decided_quote'>,
  allocations: readonly WaitingDraw[],
  blueprintId: string,
  instrument: Pick<InstrumentRow, 'token_id' | 'step_size' | 'min_size' | 'min_notional' | 'fee_schedule'>,
): Reduced | null {
  const gone = allocations
    .filter((each) => each.blueprintId === blueprintId)
    .reduce((sum, { amount }) => sum.plus(amount), ZERO);
  const amount = exact(order.amount).minus(gone);
  const limitPrice = exact(order.limit_price);
  const bid = bidOf(order.decided_quote);
  const price = bid?.gt(limitPrice) ? bid : limitPrice;
  if (shortfallOf(amount, price, lotOf(instrument)) !== null) return null;
  const fee = maxFee(knownSchedule(instrument), { side: 'sell', limitPrice, amount });
  return {
    amount: amount.toFixed(),
    size: orderNotional('sell', amount, limitPrice, bid).toFixed(),
    maxFee: (fee.gt(order.worst_fee) ? exact(order.worst_fee) : fee).toFixed(),
  };
}

function bidOf(quote: OrderRow['decided_quote']): Exact | null {
  const { bid } = (quote ?? {}) as { bid?: string | null };
  return bid == null ? null : exact(bid);
}
