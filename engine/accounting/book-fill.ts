import { sql } from 'kysely';
import type { FILL_KINDS, Side } from '../../db/entities/order.ts';
import type { Liquidity, Venue } from '../../db/vocabulary.ts';
import type { Work } from '../context.ts';
import type { Exact } from '../decimal.ts';
import { utcDay } from '../utc-day.ts';
import type { AppliedFill, Draw, Holding } from './apply-fill.ts';
import { type Booking, bookFillOn, emptyPosition, holdingOf } from './booking.ts';
import { openAccountDay } from './day.ts';

/** An execution to be booked. `at` is the venue's time; what rules count from is the time it is applied. */
export type FillToBook = {
  kind: (typeof FILL_KINDS)[number];
  orderId: string | null;
  tokenId: string;
  venue: Venue;
  venueTradeId: string;
  side: Side;
  amount: Exact;
  price: Exact;
  /** USD. */
  fee: Exact;
  /** In what it was charged, and how much of that: as `fee` in dollars, unless told otherwise. */
  feeAsset?: string;
  feeAmount?: Exact;
  liquidity?: Liquidity | null;
  /** The venue account; null, as by default, where none was needed. */
  connectionId?: string | null;
  at: Date;
};

/**
 * Books one execution: fill, positions, cash, the account's day and its last loss, all or nothing. Call under the
 * account's lock; `findDraws` is asked only for a fill that is new.
 *
 * @returns null if this trade of the venue is booked already.
 */
export async function bookFill(
  tx: Work,
  fill: FillToBook,
  now: Date,
  findDraws: () => Promise<Draw[]>,
): Promise<AppliedFill | null> {
  await openAccountDay(tx, now);
  const fillId = await insertFill(tx, fill, now);
  if (fillId === null) return null;
  const { accountId, mode } = tx;
  const booking = bookFillOn(fill, await findDraws(), { accountId, mode, fillId, at: now, newId: tx.newId });
  await writePositions(tx, booking);
  await writeCash(tx, booking);
  return booking.applied;
}

async function insertFill(tx: Work, fill: FillToBook, now: Date): Promise<string | null> {
  const inserted = await tx.db
    .insertInto('fill')
    .values({
      account_id: tx.accountId,
      id: tx.newId(),
      order_id: fill.orderId,
      mode: tx.mode,
      kind: fill.kind,
      token_id: fill.tokenId,
      venue: fill.venue,
      venue_trade_id: fill.venueTradeId,
      side: fill.side,
      amount: fill.amount.toFixed(),
      price: fill.price.toFixed(),
      fee: fill.fee.toFixed(),
      fee_asset: fill.feeAsset ?? 'USD',
      fee_amount: (fill.feeAmount ?? fill.fee).toFixed(),
      liquidity: fill.liquidity ?? null,
      connection_id: fill.connectionId ?? null,
      at: fill.at,
      applied_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'mode', 'connection_id', 'order_id', 'venue_trade_id']).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return inserted?.id ?? null;
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

/** The position of a blueprint in an instrument, made empty where there is none, as the place a buy goes to. */
export async function openPosition(
  tx: Work,
  holding: { tokenId: string; venue: Venue; blueprintId: string },
  now: Date,
): Promise<Holding> {
  const { db } = tx;
  await db
    .insertInto('position')
    .values(
      emptyPosition(
        {
          accountId: tx.accountId,
          mode: tx.mode,
          token_id: holding.tokenId,
          venue: holding.venue,
          blueprint_id: holding.blueprintId,
        },
        tx.newId(),
        now,
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom('position')
    .select(['id', 'amount', 'total_cost'])
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('token_id', '=', holding.tokenId)
    .where('blueprint_id', '=', holding.blueprintId)
    .executeTakeFirstOrThrow();
  return holdingOf(row);
}
