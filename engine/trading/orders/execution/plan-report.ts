import type { VenueFill, VenueOrder } from '../../../../venues/broker.ts';
import { type Draw, drawsOfSell } from '../../../books/accounting/apply-fill.ts';
import {
  type Booking,
  type BookingContext,
  emptyPosition,
  type FillPartRow,
  holdingOf,
  movePosition,
  type PositionRow,
  planBooking,
} from '../../../books/accounting/booking.ts';
import { feeWithheldInKind } from '../../../books/accounting/fee-withheld-in-kind.ts';
import type { AuditEntry } from '../../../platform/audit/audit.ts';
import { Exact, exact, MONEY_PLACES, sumOf, toMoney } from '../../../platform/decimal.ts';
import type { AccountEvent } from '../../../platform/events/events.ts';
import { isFinal } from '../../../platform/order-states.ts';
import { valueAt } from '../../../platform/valuation.ts';
import {
  type OrderChange,
  planFieldChange,
  planStatusChange,
  withOrderChange,
} from '../lifecycle/order-change.ts';
import type { OrderRow } from '../row.ts';
import { byAge } from '../terms/free-holdings.ts';
import {
  expiredIfTimeOver,
  lacksFills,
  reportEventsOf,
  statusAfter,
  statusReasonAfter,
} from './next-status.ts';
import { type BookedTrade, fillSignOf, reverseTrade, tradeToReverse } from './reverse-trade.ts';

/** A fill that counts: a reversed one moves nothing. */
type BookableFill = VenueFill & { readonly state: 'provisional' | 'final' };

/** Amount of a position that an order reserves, with the filled part. */
export type AllocationRow = {
  readonly position_id: string;
  readonly amount: string;
  readonly filled_amount: string;
};

/** Stored state that a venue's report is applied to, all of one moment. */
export type ReportFacts = {
  readonly order: OrderRow;
  /** Booked fills of the order. */
  readonly fills: readonly BookedTrade[];
  /** Positions that the fills moved; read only if the report reverses one. */
  readonly parts: readonly FillPartRow[];
  /** Allocations in sequence; empty for a buy. */
  readonly allocations: readonly AllocationRow[];
  /** All positions ever held in the order's instrument, oldest first: a late fill may need more than was reserved. */
  readonly positions: readonly PositionRow[];
};

/** A fill to book, with the position that it opens, if any, and the order's allocations after it. */
export type BookedFill = {
  readonly opened: PositionRow | null;
  readonly booking: Booking;
  /** Changed allocations. */
  readonly allocations: readonly AllocationRow[];
};

/** Effects of a venue's report. */
export type ReportPlan = {
  readonly fills: readonly BookedFill[];
  readonly changes: readonly OrderChange[];
  /** The venue order id, if it is new and not part of `changes`. */
  readonly venueOrderId: string | null;
  readonly audits: readonly AuditEntry[];
  readonly events: readonly AccountEvent[];
  /** Whether a fill came after the order had ended. */
  readonly isLate: boolean;
  /** Whether the venue reports more filled than it lists fills for. */
  readonly lacksFills: boolean;
};

/**
 * Applies a venue's report to an order: books its new fills, and moves its status along the allowed edges. A report may come
 * repeatedly and in any sequence: a fill counts once by its trade id, and an outdated report moves nothing back. Pure.
 */
export function planReport(
  facts: ReportFacts,
  report: VenueOrder,
  entry: BookingContext & { readonly actor: string },
): ReportPlan {
  const { order } = facts;
  const now = entry.at;
  const answer = expiredIfTimeOver(order, report, now);
  const name = newVenueOrderId(order, answer.venueOrderId);
  const { fills, audits } = bookNew(facts, answer.fills, entry);
  const sums = fills.length === 0 ? null : sumsAfter(facts, fills, now);
  const filled = sums === null ? order : withOrderChange(sums);
  const isLate = fills.length > 0 && isFinal(order.status);
  const to = statusAfter(filled, answer, fills.length > 0);
  const step =
    to === null
      ? null
      : planStatusChange(filled, to, {
          at: now,
          actor: entry.actor,
          ...statusReasonAfter(filled, answer, to),
          ...(name === null ? {} : { set: { venue_order_id: name } }),
        });
  const changes = [sums, step].filter((change) => change !== null);
  const last = changes.at(-1);
  return {
    fills,
    changes,
    venueOrderId: step === null ? name : null,
    audits: [
      ...audits,
      ...(isLate ? [lateFill(order, filled, now)] : []),
      ...feeAboveReserve(order, filled, now),
    ],
    events: last === undefined ? [] : reportEventsOf(withOrderChange(last), fills.length),
    isLate,
    lacksFills: lacksFills(filled, answer),
  };
}

/** Returns the venue order id to store, or null if it is known. Throws if the report is about another order. */
function newVenueOrderId({ id, venue_order_id }: OrderRow, reported: string | null): string | null {
  if (reported === null || reported === venue_order_id) return null;
  if (venue_order_id === null) return reported;
  throw new Error(`The venue reports id ${reported} for order ${id}, whose venue id is ${venue_order_id}.`);
}

function bookNew(
  facts: ReportFacts,
  reported: readonly VenueFill[],
  entry: BookingContext,
): { fills: BookedFill[]; audits: AuditEntry[] } {
  const known = new Set(facts.fills.map(({ venue_trade_id }) => venue_trade_id));
  const fills: BookedFill[] = [];
  const audits: AuditEntry[] = [];
  let current = facts;
  let last: BookedFill | null = null;
  for (const fill of reported) {
    // Most reports have one new fill: then the state after it is not needed.
    if (last !== null) current = factsAfter(current, last);
    last = bookOne(current, fill, known, entry);
    if (last === null) continue;
    known.add(last.booking.fill.venue_trade_id);
    fills.push(last);
    audits.push(...unbacked(facts.order, last.booking, entry.at), ...reversed(last.booking, entry.at));
  }
  return { fills, audits };
}

/** Books a new fill, or reverses a failed one; null if there is nothing to do. */
function bookOne(
  facts: ReportFacts,
  fill: VenueFill,
  known: ReadonlySet<string>,
  entry: BookingContext,
): BookedFill | null {
  if (fill.state === 'failed') return takeBack(facts, fill, entry);
  return known.has(fill.tradeId) ? null : bookTrade(facts, { ...fill, state: fill.state }, entry);
}

function takeBack(facts: ReportFacts, fill: VenueFill, entry: BookingContext): BookedFill | null {
  const { order, fills, parts, positions, allocations } = facts;
  const trade = tradeToReverse(fill, fills);
  if (trade === null) return null;
  const own = parts.filter(({ fill_id }) => fill_id === trade.id);
  const booking = reverseTrade(order, trade, { parts: own, positions }, fill.at, entry);
  return {
    opened: null,
    booking,
    allocations: order.side === 'buy' ? [] : givenBack(facts, own, allocations),
  };
}

/** Returns the allocations of a sell after a reversal: the amounts that its remaining trades drew, at most as reserved. */
const givenBack = (
  { parts, fills }: ReportFacts,
  taken: readonly FillPartRow[],
  allocations: readonly AllocationRow[],
): AllocationRow[] =>
  allocations.flatMap((each) => {
    const of = (some: readonly FillPartRow[]) =>
      some.filter(({ position_id }) => position_id === each.position_id);
    if (of(taken).length === 0) return [];
    const signs = new Map(fills.map((fill) => [fill.id, fillSignOf(fill)]));
    const before = sumOf(
      of(parts).map(({ fill_id, amount }) => exact(amount).times(signs.get(fill_id) ?? 0)),
    );
    const after = before.minus(sumOf(of(taken).map(({ amount }) => amount)));
    return [{ ...each, filled_amount: Exact.min(each.amount, after).toFixed() }];
  });

function bookTrade(facts: ReportFacts, fill: BookableFill, entry: BookingContext): BookedFill {
  const { order, allocations } = facts;
  const amount = toMoney(exact(fill.amount));
  const feeAmount = toMoney(exact(fill.feeAmount));
  const feeInKind = feeWithheldInKind({
    side: order.side,
    tokenId: order.token_id,
    feeAsset: fill.feeAsset,
    feeAmount,
  });
  const { opened, draws } = drawsOf(facts, amount.minus(feeInKind), entry);
  const booking = planBooking(
    {
      kind: 'trade',
      orderId: order.id,
      tokenId: order.token_id,
      venue: order.venue,
      venueTradeId: fill.tradeId,
      side: order.side,
      amount,
      price: toMoney(exact(fill.price)),
      fee: toMoney(exact(fill.fee)),
      feeAsset: fill.feeAsset,
      feeAmount,
      liquidity: fill.liquidity,
      state: fill.state,
      connectionId: order.connection_id,
      at: fill.at,
    },
    draws,
    entry,
  );
  return {
    opened,
    booking,
    allocations: order.side === 'buy' ? [] : allocationsAfterFill(allocations, booking),
  };
}

/** Draws of a fill. A buy adds to its blueprint's position, or opens it. A sell draws on its allocations, then on the rest. */
function drawsOf(
  { order, allocations, positions }: ReportFacts,
  amount: Exact,
  { accountId, mode, newId, at }: BookingContext,
): { opened: PositionRow | null; draws: readonly Draw[] } {
  if (order.side === 'sell') {
    const reserved = allocations.map((each) => ({
      positionId: each.position_id,
      left: exact(each.amount).minus(each.filled_amount),
    }));
    return { opened: null, draws: drawsOfSell(amount, reserved, positions.map(holdingOf)) };
  }
  const { token_id, venue, blueprint_id } = order;
  const held = positions.find((position) => position.blueprint_id === blueprint_id);
  const opened =
    held === undefined
      ? emptyPosition({ accountId, mode, token_id, venue, blueprint_id }, newId(), at)
      : null;
  const position = held ?? opened;
  return { opened, draws: position === null ? [] : [{ ...holdingOf(position), draw: amount }] };
}

/** Returns the allocations that a fill drew on, after it. Their filled part never exceeds the reserved amount. */
const allocationsAfterFill = (allocations: readonly AllocationRow[], { applied }: Booking): AllocationRow[] =>
  allocations.flatMap((each) => {
    const part = applied.parts.find(({ positionId }) => positionId === each.position_id);
    if (part === undefined) return [];
    return {
      ...each,
      filled_amount: Exact.min(each.amount, part.amount.plus(each.filled_amount)).toFixed(),
    };
  });

const factsAfter = (facts: ReportFacts, booked: BookedFill): ReportFacts => ({
  ...facts,
  positions: positionsAfter(facts.positions, booked),
  allocations: facts.allocations.map(
    (each) => booked.allocations.find(({ position_id }) => position_id === each.position_id) ?? each,
  ),
});

/** Returns the positions after a booking, oldest first. A reopened position is the newest. */
function positionsAfter(before: readonly PositionRow[], { opened, booking }: BookedFill): PositionRow[] {
  const moves = new Map(booking.positions.map((move) => [move.positionId, move]));
  return [...before, ...(opened === null ? [] : [opened])]
    .map((position) => {
      const move = moves.get(position.id);
      return move === undefined ? position : movePosition(position, move, booking.at);
    })
    .sort(byAge);
}

/** Sums the order's totals from its fills. */
function sumsAfter({ order, fills }: ReportFacts, booked: readonly BookedFill[], now: Date): OrderChange {
  const all = [...fills, ...booked.map(({ booking }) => booking.fill)];
  const notionals = all.map((fill) => valueAt(exact(fill.amount), exact(fill.price)).times(fillSignOf(fill)));
  return planFieldChange(order, now, {
    filled_amount: sumOf(all.map((fill) => exact(fill.amount).times(fillSignOf(fill)))).toFixed(),
    filled_notional: sumOf(notionals).toFixed(),
    fees: sumOf(all.map(({ fee }) => exact(fee))).toFixed(),
  });
}

/** Audits a sell beyond the holdings: a venue may fill after it confirmed a cancel. */
function unbacked({ id }: OrderRow, { fill, applied }: Booking, at: Date): AuditEntry[] {
  if (applied.unbacked.lte(0)) return [];
  const after = { tradeId: fill.venue_trade_id, sold: fill.amount, notHeld: applied.unbacked.toFixed() };
  return [{ action: 'fill.unbacked', subjectId: id, before: null, after, at }];
}

/** Audits a trade that its venue reversed, for review by a person. */
const reversed = ({ fill, applied }: Booking, at: Date): AuditEntry[] =>
  fill.kind === 'reversal'
    ? [
        {
          action: 'fill.reversed',
          subjectId: fill.order_id ?? fill.id,
          before: null,
          after: {
            tradeId: fill.venue_trade_id,
            amount: fill.amount,
            realizedPnl: applied.realizedPnl.toFixed(),
          },
          at,
        },
      ]
    : [];

/** Audits once that the charged fees exceed the reserve, because the venue raised its fee. */
function feeAboveReserve(before: OrderRow, after: OrderRow, at: Date): AuditEntry[] {
  const reserved = exact(after.worst_fee);
  if (after.side !== 'buy' || exact(before.fees).gt(reserved) || exact(after.fees).lte(reserved)) return [];
  return [
    {
      action: 'fill.fee_above_reserve',
      subjectId: after.id,
      before: { reserved: reserved.toFixed() },
      after: { fees: exact(after.fees).toFixed() },
      at,
    },
  ];
}

const lateFill = (before: OrderRow, after: OrderRow, at: Date): AuditEntry => ({
  action: 'fill.late',
  subjectId: before.id,
  before: seen(before),
  after: seen(after),
  at,
});

const seen = ({ status, filled_amount }: OrderRow) => ({
  status,
  filledAmount: exact(filled_amount).toFixed(MONEY_PLACES),
});
