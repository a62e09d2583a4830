import { sql } from 'kysely';
import type { Json } from '../../../db/json.ts';
import type { VenueFill, VenueOrder } from '../../../venues/broker.ts';
import { underAccountLock } from '../../account-lock.ts';
import { drawsOfSell } from '../../accounting/apply-fill.ts';
import { bookFill, openPosition } from '../../accounting/book-fill.ts';
import { audit } from '../../audit.ts';
import type { Work } from '../../context.ts';
import { exact, sumOf, toMoney } from '../../decimal.ts';
import { recordEvents } from '../../events.ts';
import { isFinal } from '../../order-states.ts';
import { valueAt } from '../../valuation.ts';
import { transition } from '../lifecycle/transition.ts';
import { loadOrder } from '../load.ts';
import type { OrderRow } from '../row.ts';
import { eventsOf, statusAfter, whyAfter, withOwnEnd } from './next-status.ts';

/** What applying an answer did: the order after it, and whether a fill came after its end. */
export type AppliedReport = { order: OrderRow; isLate: boolean };

/**
 * Believes what the venue says of an order: books the fills not booked yet and moves the order along its edges, in
 * one transaction under the account's lock. Safe to call with any answer any number of times, in any order: a fill
 * counts once by its trade id, and an answer older than what is known moves nothing back.
 */
export async function applyReport(work: Work, id: string, told: VenueOrder): Promise<AppliedReport> {
  return underAccountLock(work, async (tx, now) => {
    const before = await loadOrder(tx, id);
    const answer = withOwnEnd(before, told, now);
    const booked = await bookNewFills(tx, before, answer.fills, now);
    const filled = booked > 0 ? await sumFills(tx, before, now) : before;
    const isLate = booked > 0 && isFinal(before.status);
    if (isLate) await auditLateFill(tx, before, filled, now);
    await auditFeeAboveReserve(tx, before, filled, now);

    const to = statusAfter(filled, answer, booked > 0);
    const name = newVenueOrderId(filled, answer.venueOrderId);
    if (to === null && name !== null) await keepVenueOrderId(tx, id, name);
    const order =
      to === null
        ? filled
        : await transition(tx, filled, to, {
            at: now,
            ...whyAfter(filled, answer, to),
            ...(name === null ? {} : { set: { venue_order_id: name } }),
          });
    if (order !== before) await recordEvents(tx, now, eventsOf(order, booked));
    return { order, isLate };
  });
}

/** What the venue calls the order is kept as soon as it says so: without it some venues cannot be asked. */
async function keepVenueOrderId(tx: Work, orderId: string, venueOrderId: string): Promise<void> {
  await tx.db
    .updateTable('trade_order')
    .set({ venue_order_id: venueOrderId })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', orderId)
    .execute();
}

/** The name to be kept, or null where it is known. An answer about another order is none of ours: nothing of it counts. */
function newVenueOrderId({ id, venue_order_id }: OrderRow, told: string | null): string | null {
  if (told === null || told === venue_order_id) return null;
  if (venue_order_id === null) return told;
  throw new Error(`The venue calls order ${id} ${told}, and called it ${venue_order_id} before.`);
}

async function bookNewFills(
  tx: Work,
  order: OrderRow,
  fills: readonly VenueFill[],
  now: Date,
): Promise<number> {
  if (fills.length === 0) return 0;
  const known = await tx.db
    .selectFrom('fill')
    .select('venue_trade_id')
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', order.id)
    .execute();
  const knownIds = new Set(known.map(({ venue_trade_id }) => venue_trade_id));
  let booked = 0;
  for (const fill of fills) {
    if (fill.state !== 'failed' && !knownIds.has(fill.tradeId) && (await bookOrderFill(tx, order, fill, now)))
      booked++;
  }
  return booked;
}

async function bookOrderFill(tx: Work, order: OrderRow, fill: VenueFill, now: Date): Promise<boolean> {
  const amount = toMoney(exact(fill.amount));
  const applied = await bookFill(
    tx,
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
      feeAmount: toMoney(exact(fill.feeAmount)),
      liquidity: fill.liquidity,
      connectionId: order.connection_id,
      at: fill.at,
    },
    now,
    async () => {
      if (order.side === 'buy') {
        const position = await openPosition(
          tx,
          { tokenId: order.token_id, venue: order.venue, blueprintId: order.blueprint_id },
          now,
        );
        return [{ ...position, draw: amount }];
      }
      return drawsOfSell(amount, await readReservations(tx, order), await readPositions(tx, order));
    },
  );
  if (applied === null) return false;
  if (order.side === 'sell') {
    for (const { positionId, amount: drawn } of applied.parts)
      await drawReservation(tx, order, positionId, drawn.toFixed());
  }
  if (applied.unbacked.gt(0)) {
    await audit(tx, {
      action: 'fill.unbacked',
      subjectId: order.id,
      before: null,
      after: { tradeId: fill.tradeId, sold: amount.toFixed(), notHeld: applied.unbacked.toFixed() },
      at: now,
    });
  }
  return true;
}

async function readReservations(tx: Work, order: OrderRow) {
  const rows = await tx.db
    .selectFrom('order_allocation')
    .select(['position_id', 'amount', 'filled_amount'])
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', order.id)
    .orderBy('number')
    .execute();
  return rows.map(({ position_id, amount, filled_amount }) => ({
    positionId: position_id,
    left: exact(amount).minus(filled_amount),
  }));
}

/** All the account ever held of the order's instrument, oldest first: a late fill may need more than was reserved. */
async function readPositions(tx: Work, order: OrderRow) {
  const rows = await tx.db
    .selectFrom('position')
    .select(['id', 'amount', 'total_cost'])
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', order.mode)
    .where('token_id', '=', order.token_id)
    .orderBy('opened_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, amount, total_cost }) => ({
    positionId: id,
    amount: exact(amount),
    totalCost: exact(total_cost),
  }));
}

async function drawReservation(tx: Work, order: OrderRow, positionId: string, amount: string): Promise<void> {
  await tx.db
    .updateTable('order_allocation')
    .set({ filled_amount: sql<string>`least(amount, filled_amount + ${amount})` })
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', order.id)
    .where('position_id', '=', positionId)
    .execute();
}

/** The order's own totals, summed from its fills. */
async function sumFills(tx: Work, order: OrderRow, now: Date): Promise<OrderRow> {
  const { db } = tx;
  const fills = await db
    .selectFrom('fill')
    .select(['price', 'amount', 'fee'])
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', order.id)
    .execute();
  // Here, not in SQL: that rounds a half up, and the books round it to even.
  const notionals = fills.map(({ price, amount }) => valueAt(exact(amount), exact(price)));
  return db
    .updateTable('trade_order')
    .set({
      filled_amount: sumOf(fills.map(({ amount }) => exact(amount))).toFixed(),
      filled_notional: sumOf(notionals).toFixed(),
      fees: sumOf(fills.map(({ fee }) => exact(fee))).toFixed(),
      updated_at: now,
      version: sql<number>`version + 1`,
    })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', order.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A fee that its venue raised meanwhile: it is what was charged, and nobody was asked. Said once. */
async function auditFeeAboveReserve(tx: Work, before: OrderRow, after: OrderRow, now: Date): Promise<void> {
  const reserved = exact(after.worst_fee);
  if (after.side !== 'buy' || exact(before.fees).gt(reserved) || exact(after.fees).lte(reserved)) return;
  await audit(tx, {
    action: 'fill.fee_above_reserve',
    subjectId: after.id,
    before: { reserved: reserved.toFixed() },
    after: { fees: exact(after.fees).toFixed() },
    at: now,
  });
}

async function auditLateFill(tx: Work, before: OrderRow, after: OrderRow, now: Date): Promise<void> {
  const seen = (order: OrderRow): Json => ({ status: order.status, filledAmount: order.filled_amount });
  await audit(tx, {
    action: 'fill.late',
    subjectId: before.id,
    before: seen(before),
    after: seen(after),
    at: now,
  });
}
