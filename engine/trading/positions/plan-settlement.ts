import { applyFill, type Draw } from '../../books/accounting/apply-fill.ts';
import { type FillToBook, holdingOf, type PositionRow } from '../../books/accounting/booking.ts';
import type { AuditEntry } from '../../platform/audit/audit.ts';
import { type Exact, exact, ZERO } from '../../platform/decimal.ts';
import type { AccountEvent } from '../../platform/events/events.ts';
import { isLive } from '../../platform/order-states.ts';
import {
  type DecisionOutcome,
  decisionOutcomeOf,
  withOrderChange,
} from '../orders/lifecycle/order-change.ts';
import { type ActionContext, canceledFor, planCancel } from '../orders/lifecycle/plan-cancel.ts';
import type { InstrumentRow, OrderRow } from '../orders/row.ts';

/** A fill that closes one whole position, with its draw and its realized result, USD. */
export type WholePosition = {
  readonly fill: FillToBook;
  readonly draws: readonly [Draw];
  readonly realizedPnl: Exact;
};

/** Bookings without a trade, with their audit records and events. */
export type Payout = {
  readonly fills: readonly WholePosition[];
  readonly audits: readonly AuditEntry[];
  readonly events: readonly AccountEvent[];
};

/** Cancels of orders in a settled instrument, and its payout; null while the venue has to confirm a cancel. */
export type Settlement = { readonly orders: DecisionOutcome; readonly payout: Payout | null };

/** Inputs of a settlement: the account's live orders in the instrument, and positions, oldest first. */
export type SettledHoldings = {
  readonly orders: readonly OrderRow[];
  readonly positions: readonly PositionRow[];
  /** The venue account that holds them; absent on paper. */
  readonly connectionId?: string | null;
};

/**
 * Settles the holdings of an instrument at the venue's value. Live orders in it end first: while the venue may still have one,
 * nothing is paid. Null if the venue has not stated a value. Pure.
 */
export function planSettlement(
  { token_id, venue, settlement_value }: Pick<InstrumentRow, 'token_id' | 'venue' | 'settlement_value'>,
  { orders, positions, connectionId = null }: SettledHoldings,
  doing: ActionContext,
): Settlement | null {
  if (settlement_value === null) return null;
  const live = orders.filter((order) => order.token_id === token_id && isLive(order.status));
  const changes = live
    .filter(({ cancel_requested_at }) => cancel_requested_at === null)
    .map((order) => planCancel(order, canceledFor('Its market is settled.'), doing))
    .filter((change) => change !== null);
  const mustWait =
    live.some(({ cancel_requested_at }) => cancel_requested_at !== null) ||
    changes.some((change) => withOrderChange(change).status !== 'canceled');
  const value = exact(settlement_value);
  const held = positions.filter((position) => position.token_id === token_id && exact(position.amount).gt(0));
  return {
    orders: decisionOutcomeOf(changes),
    payout: mustWait
      ? null
      : payoutOf(held, { kind: 'settlement', venue, price: value, connectionId, now: doing.now }),
  };
}

function payoutOf(held: readonly PositionRow[], terms: WholeTerms): Payout {
  const { price: value, now } = terms;
  const fills = held.map((position) => wholePositionFill(position, terms));
  return {
    fills,
    audits: fills.map(({ fill, draws, realizedPnl }) => ({
      action: 'position.settled',
      subjectId: draws[0].positionId,
      before: { amount: fill.amount.toFixed() },
      after: { amount: '0', value: value.toFixed(), realizedPnl: realizedPnl.toFixed() },
      at: now,
    })),
    events: held.map(({ token_id, blueprint_id }) => ({
      type: 'position.changed' as const,
      payload: { tokenId: token_id, blueprintId: blueprint_id, settled: value.toFixed() },
    })),
  };
}

type WholeTerms = {
  readonly kind: 'settlement' | 'write_off';
  readonly venue: InstrumentRow['venue'];
  readonly price: Exact;
  /** The venue account that holds it; null on paper. */
  readonly connectionId: string | null;
  readonly now: Date;
};

/** Builds a fill of a whole position at a price without a trade. */
export function wholePositionFill(position: PositionRow, terms: WholeTerms): WholePosition {
  const { kind, venue, price, connectionId, now } = terms;
  const holding = holdingOf(position);
  const fill: FillToBook = {
    kind,
    orderId: null,
    tokenId: position.token_id,
    venue,
    // A late fill can reopen a position that was paid out: its next payout then has another id.
    venueTradeId: `${kind}:${position.id}:${position.fill_count}`,
    side: 'sell',
    amount: holding.amount,
    price,
    fee: ZERO,
    connectionId,
    at: now,
  };
  const draws = [{ ...holding, draw: holding.amount }] as const;
  return { fill, draws, realizedPnl: applyFill(fill, draws).realizedPnl };
}
