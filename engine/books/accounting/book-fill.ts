import { sql } from 'kysely';
import { utcDay } from '../../platform/clock/utc-day.ts';
import type { Work } from '../../platform/context.ts';
import type { Draw } from './apply-fill.ts';
import { type Booking, type BookingContext, type FillToBook, planBooking } from './booking.ts';
import { openAccountDay } from './day.ts';

/**
 * Books one execution: fill, positions, cash, the account's day and its last loss, all or nothing. Call under the
 * account's lock.
 *
 * @returns whether it was new: a trade of the venue is booked once.
 */
export async function bookFill(
  tx: Work,
  fill: FillToBook,
  draws: readonly Draw[],
  now: Date,
): Promise<boolean> {
  await openAccountDay(tx, now);
  return writeBooking(tx, planBooking(fill, draws, bookingContextOf(tx, now)));
}

/** The books of a work's entries, and the source of their ids. */
export const bookingContextOf = ({ accountId, mode, newId }: Work, at: Date): BookingContext => ({
  accountId,
  mode,
  newId,
  at,
});

/** Writes a booking. Returns false and writes nothing if the trade is booked already. The day must be open. */
export async function writeBooking(tx: Work, booking: Booking): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('fill')
    .values(booking.fill)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'mode', 'connection_id', 'order_id', 'venue_trade_id']).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (inserted === undefined) return false;
  await writePositions(tx, booking);
  await writeCash(tx, booking);
  return true;
}

async function writePositions(tx: Work, { positions, parts, at }: Booking): Promise<void> {
  const { db } = tx;
  for (const { positionId, amount, totalCost, realizedPnl, fees, opens } of positions) {
    await db
      .updateTable('position')
      .set({
        amount: sql<string>`amount + ${amount.toFixed()}`,
        total_cost: sql<string>`total_cost + ${totalCost.toFixed()}`,
        realized_pnl: sql<string>`realized_pnl + ${realizedPnl.toFixed()}`,
        fees: sql<string>`fees + ${fees.toFixed()}`,
        fill_count: sql<number>`fill_count + 1`,
        updated_at: at,
        ...(opens ? { opened_at: at } : {}),
      })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', positionId)
      .execute();
  }
  await db.insertInto('fill_allocation').values(parts).execute();
}

async function writeCash(tx: Work, { cash, account, at }: Booking): Promise<void> {
  const { db } = tx;
  await db.insertInto('cash_entry').values(cash).execute();
  const realized = sql<string>`realized_pnl + ${account.realizedPnl.toFixed()}`;
  await db
    .updateTable('trading_account')
    .set({
      cash: sql<string>`cash + ${account.cash.toFixed()}`,
      realized_pnl: realized,
      ...(account.isLoss ? { last_loss_at: at } : {}),
    })
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .execute();
  await db
    .updateTable('account_day')
    .set({ realized_pnl: realized })
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('day', '=', utcDay(at))
    .execute();
}
