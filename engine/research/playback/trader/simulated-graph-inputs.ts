import { exact } from '../../../platform/decimal.ts';
import { averageCostOf } from '../../../platform/valuation.ts';
import type { OrderFacts } from '../../../strategy/deployments/node-orders.ts';
import type { Position } from '../../../strategy/graph/types.ts';
import type { OrderRow } from '../../../trading/orders/row.ts';
import { freeHoldings } from '../../../trading/orders/terms/free-holdings.ts';
import type { SimulatedBooks } from '../../account/simulated-books.ts';

/** Returns a blueprint's holdings as its graph reads them, like `readHeldPositions` for stored ones. */
export function positionsIn(rows: SimulatedBooks, now: Date): ReadonlyMap<string, Position> {
  const held = new Map<string, Position>();
  for (const { token_id, blueprint_id, amount, total_cost, opened_at } of rows.positions.values()) {
    const units = exact(amount);
    if (!units.gt(0)) continue;
    const [own] = freeHoldings(rows.positions.values(), rows.reserving(), {
      tokenId: token_id,
      blueprintId: blueprint_id,
      now,
    });
    held.set(token_id, {
      amount: units.toFixed(),
      free: (own?.free ?? units).toFixed(),
      averageCost: averageCostOf({ amount: units, totalCost: exact(total_cost) }).toFixed(),
      openedAt: Date.parse(opened_at),
    });
  }
  return held;
}

/** Returns the units that live buys may still add, by instrument, like `readUnfilledBuyUnits` for stored ones. */
export function unfilledBuyUnitsIn(rows: SimulatedBooks): ReadonlyMap<string, string> {
  const buying = new Map<string, string>();
  for (const { side, token_id, amount, filled_amount } of rows.liveOrders()) {
    if (side !== 'buy') continue;
    const before = exact(buying.get(token_id) ?? 0);
    buying.set(token_id, before.plus(amount).minus(filled_amount).toFixed());
  }
  return buying;
}

const msOf = (moment: string | null): number | null => (moment === null ? null : Date.parse(moment));

export const toOrderFacts = ({
  id,
  status,
  amount,
  limit_price,
  cancel_requested_at,
  filled_amount,
  filled_notional,
  fees,
  ended_at,
  reason,
}: OrderRow): OrderFacts => ({
  id,
  status,
  amount,
  limitPrice: limit_price,
  isCanceling: cancel_requested_at !== null,
  filledAmount: filled_amount,
  filledNotional: filled_notional,
  fees,
  endedAtMs: msOf(ended_at),
  message: reason,
});
