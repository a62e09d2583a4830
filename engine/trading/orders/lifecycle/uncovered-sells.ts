import { type Exact, exact, ZERO } from '../../../platform/decimal.ts';
import { isPastItsTime, isReserving } from '../../../platform/order-states.ts';
import type { OrderRow } from '../row.ts';
import { type DecisionOutcome, decisionOutcomeOf } from './order-change.ts';
import { type ActionContext, planCancel } from './plan-cancel.ts';

/** A sell with its allocations. Decimals are strings. */
export type AllocatedSell = {
  readonly order: OrderRow;
  readonly allocations: readonly {
    readonly position_id: string;
    readonly amount: string;
    readonly filled_amount: string;
  }[];
};

/**
 * Cancels sells that draw on more than is held, after a venue has reversed a trade. The oldest sells keep their holdings, and
 * nothing is sold that is not owned. `held` is the amount of each position. Pure.
 */
export function planUncoveredCancels(
  sells: readonly AllocatedSell[],
  held: ReadonlyMap<string, Exact>,
  doing: ActionContext,
): DecisionOutcome {
  const left = new Map(held);
  const reserving = sells
    .filter(
      ({ order }) => order.side === 'sell' && isReserving(order.status) && !isPastItsTime(order, doing.now),
    )
    .toSorted((a, b) => (a.order.id < b.order.id ? -1 : 1));
  const changes = reserving.map(({ order, allocations }) => {
    const draws = allocations.map(({ position_id, amount, filled_amount }) => ({
      position_id,
      rest: exact(amount).minus(filled_amount),
    }));
    const isCovered = draws.every(({ position_id, rest }) => rest.lte(left.get(position_id) ?? ZERO));
    if (isCovered) {
      for (const { position_id, rest } of draws)
        left.set(position_id, (left.get(position_id) ?? ZERO).minus(rest));
      return null;
    }
    return order.cancel_requested_at === null ? planCancel(order, TAKEN_BACK, doing) : null;
  });
  return decisionOutcomeOf(changes.filter((change) => change !== null));
}

const TAKEN_BACK = {
  reasonCode: 'trade_reversed',
  reason: 'The venue reversed the trade that had bought this holding.',
} as const;
