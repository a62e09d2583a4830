import type { Venue } from '../../../db/vocabulary.ts';
import { toIso } from '../../platform/clock/timestamp-text.ts';
import { exact, toMoney } from '../../platform/decimal.ts';
import { averageCostOf, unrealizedAt } from '../../platform/valuation.ts';

/** Decimals are strings, times ISO 8601. Mark and unrealized are null until the instrument was first quoted. */
export type PositionView = {
  tokenId: string;
  venue: Venue;
  title: string;
  amount: string;
  /** The amount reserved by cleared sells. */
  amountClosing: string;
  /** USD per unit, fees not included. */
  averageCost: string;
  markPrice: string | null;
  unrealizedPnl: string | null;
  /** USD. Since the position first opened, after fees. */
  realizedPnl: string;
  blueprintId: string;
  openedAt: string;
  updatedAt: string;
  /** Live mode only: the account's whole holding is below the venue's minimum sell size. */
  isDust?: true;
};

/** The database row that {@link viewOf} converts. `closing` is the amount reserved by cleared sells. */
export type PositionRow = {
  token_id: string;
  venue: Venue;
  title: string;
  amount: string;
  closing: string;
  total_cost: string;
  mark_price: string | null;
  realized_pnl: string;
  blueprint_id: string;
  opened_at: string;
  updated_at: string;
  is_dust: boolean;
};

/** A position for display, with its average cost and its value at the stored bid mark. */
export function viewOf(row: PositionRow): PositionView {
  const amount = exact(row.amount);
  const cost = exact(row.total_cost);
  const mark = row.mark_price === null ? null : exact(row.mark_price);
  return {
    tokenId: row.token_id,
    venue: row.venue,
    title: row.title,
    amount: amount.toFixed(),
    amountClosing: exact(row.closing).toFixed(),
    averageCost: toMoney(averageCostOf({ amount, totalCost: cost })).toFixed(),
    markPrice: mark?.toFixed() ?? null,
    unrealizedPnl: mark === null ? null : unrealizedAt({ amount, totalCost: cost }, mark).toFixed(),
    realizedPnl: exact(row.realized_pnl).toFixed(),
    blueprintId: row.blueprint_id,
    openedAt: toIso(row.opened_at),
    updatedAt: toIso(row.updated_at),
    ...(row.is_dust && { isDust: true }),
  };
}
