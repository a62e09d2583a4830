import type { Selectable } from 'kysely';
import type { Database } from '../../../../db/tables.ts';
import { exact, sumOf } from '../../../platform/decimal.ts';
import { isPastItsTime, isReserving } from '../../../platform/order-states.ts';
import type { OrderRow } from '../row.ts';
import type { FreeHolding } from './allocate.ts';

type PositionRow = Selectable<Database['position']>;

export type HoldingsQuery = {
  tokenId: string;
  /** Null for all blueprints of the account. */
  blueprintId: string | null;
  now: Date;
  /** An order whose own reservation does not count. */
  leaveOut?: string;
};

/** Amount that an order may draw from a position, with the filled part. */
export type Reserving = {
  readonly order: Pick<OrderRow, 'id' | 'status' | 'expires_at'>;
  readonly position_id: string;
  readonly amount: string;
  readonly filled_amount: string;
};

/**
 * Computes the positions that a sell may draw on, oldest first, each with the amount not reserved by cleared sells.
 * `readSellablePositions` computes the same in the database.
 */
export function freeHoldings(
  positions: Iterable<PositionRow>,
  reserving: readonly Reserving[],
  { tokenId, blueprintId, now, leaveOut }: HoldingsQuery,
): FreeHolding[] {
  const isCounted = ({ order }: Reserving) =>
    isReserving(order.status) && !isPastItsTime(order, now) && order.id !== leaveOut;
  const counted = reserving.filter(isCounted);
  return [...positions]
    .filter(
      ({ token_id, blueprint_id, amount }) =>
        token_id === tokenId && (blueprintId === null || blueprint_id === blueprintId) && exact(amount).gt(0),
    )
    .sort(byAge)
    .map(({ id, blueprint_id, amount }) => {
      const own = counted.filter(({ position_id }) => position_id === id);
      const reserved = sumOf(own.map((each) => exact(each.amount).minus(each.filled_amount)));
      return {
        positionId: id,
        blueprintId: blueprint_id,
        held: exact(amount),
        free: exact(amount).minus(reserved),
      };
    });
}

/** Oldest first. */
export const byAge = (
  a: Pick<PositionRow, 'opened_at' | 'id'>,
  b: Pick<PositionRow, 'opened_at' | 'id'>,
): number => Date.parse(a.opened_at) - Date.parse(b.opened_at) || (a.id < b.id ? -1 : 1);
