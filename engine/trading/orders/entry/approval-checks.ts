import { Exact, exact, ZERO } from '../../../platform/decimal.ts';
import { DomainError } from '../../../platform/errors.ts';
import { isPastItsTime, statusAt } from '../../../platform/order-states.ts';
import type { SpendingLimitInputs } from '../../../risk/risk-inputs.ts';
import type { Market, OrderRow } from '../row.ts';
import { QUOTE_MAX_AGE_MS } from '../settings.ts';
import type { FreeHolding } from '../terms/allocate.ts';
import { refuseClosedMarket, requireFreshQuote } from '../terms/market-checks.ts';

/** @throws DomainError `intent_expired`, or `intent_not_pending` for an order in another status. */
export function refuseUnlessPending(
  order: Pick<OrderRow, 'id' | 'status' | 'expires_at' | 'queued_at'>,
  now: Date,
): void {
  if (order.status === 'pending' && !isPastItsTime(order, now)) return;
  const status = statusAt(order, now);
  if (status === 'expired' && order.queued_at === null) {
    throw new DomainError('intent_expired', `Order ${order.id} waited for approval and has expired.`);
  }
  throw new DomainError(
    'intent_not_pending',
    `Order ${order.id} is ${status}: only a pending one can be approved.`,
  );
}

/**
 * Refuses an order whose price has left its band. The band was fixed at proposal and nothing widens it: outside of it the order
 * could only be canceled unfilled.
 *
 * @throws DomainError `price_moved`, `market_not_open`, `quote_unavailable` or `no_liquidity`.
 */
export function refuseMovedPrice(
  order: Pick<OrderRow, 'token_id' | 'side' | 'type' | 'limit_price'>,
  market: Market,
  now: Date,
): void {
  refuseClosedMarket(market, order.side);
  if (order.type !== 'market') return;
  const quote = requireFreshQuote(market, now, QUOTE_MAX_AGE_MS);
  const [name, quoted] = order.side === 'buy' ? ['ask', quote.ask] : ['bid', quote.bid];
  if (quoted === null) {
    throw new DomainError('no_liquidity', `There is no ${name} in ${order.token_id} now.`);
  }
  const limit = exact(order.limit_price);
  const isOutside = order.side === 'buy' ? limit.lt(quoted) : limit.gt(quoted);
  if (!isOutside) return;
  throw new DomainError(
    'price_moved',
    `The ${name} of ${order.token_id} is ${exact(quoted).toFixed()} now, outside the price band that ends at ${limit.toFixed()}.`,
  );
}

/**
 * Refuses an approval beyond the key's spending limits. A key with `alwaysApprove` never approves. `envelope` holds the limits
 * of the acting key, if it has any.
 *
 * @throws DomainError `outside_envelope`.
 */
export function refuseBeyondKeyLimits(
  envelope: SpendingLimitInputs | null,
  { side, size }: Pick<OrderRow, 'side' | 'size'>,
): void {
  if (envelope === null) return;
  const { maxOrder, maxDay, spentToday, alwaysApprove, isOutside } = envelope;
  const refuse = (message: string) => {
    throw new DomainError('outside_envelope', message);
  };
  if (alwaysApprove) refuse('This key cannot approve: its orders always wait for a person.');
  if (isOutside) refuse('The key was not made for the blueprint of this order.');
  if (side === 'sell') return;
  if (maxOrder !== undefined && exact(size).gt(maxOrder))
    refuse(`This order is ${exact(size).toFixed()} USD; the key allows up to ${maxOrder} USD an order.`);
  const total = exact(spentToday).plus(size);
  if (maxDay !== undefined && total.gt(maxDay))
    refuse(
      `The key would have bought ${total.toFixed()} USD since 00:00 UTC; it allows up to ${maxDay} USD a day.`,
    );
}

/** Sums the free amounts of the positions allocated to a sell, each at most the allocated amount. */
export function freeAllocatedAmount(
  allocations: readonly { position_id: string; amount: string }[],
  holdings: readonly FreeHolding[],
): Exact {
  const free = new Map(holdings.map((holding) => [holding.positionId, holding.free]));
  return allocations.reduce(
    (sum, { position_id, amount }) =>
      sum.plus(Exact.min(amount, Exact.max(free.get(position_id) ?? ZERO, ZERO))),
    ZERO,
  );
}
