import { sql } from 'kysely';
import type { FILL_KINDS, Side } from '../../db/entities/order.ts';
import type { Liquidity, Venue } from '../../db/vocabulary.ts';
import type { Work } from '../context.ts';
import { type Exact, exact, ZERO } from '../decimal.ts';
import { newId } from '../ids.ts';
import { utcDay } from '../utc-day.ts';
import { type AppliedFill, applyFill, cashMovements, type Draw } from './apply-fill.ts';
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
  const draws = await findDraws();
  const applied = applyFill(fill, draws);
  await movePositions(tx, fillId, fill, applied, draws, now);
  await moveCash(tx, fillId, fill, applied, now);
  return applied;
}

async function insertFill(tx: Work, fill: FillToBook, now: Date): Promise<string | null> {
  const inserted = await tx.db
    .insertInto('fill')
    .values({
      account_id: tx.accountId,
      id: newId(),
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

async function movePositions(
  tx: Work,
  fillId: string,
  { side }: FillToBook,
  { parts }: AppliedFill,
  draws: readonly Draw[],
  now: Date,
): Promise<void> {
  const { db } = tx;
  const sign = side === 'buy' ? 1 : -1;
  for (const [index, part] of parts.entries()) {
    const opens = side === 'buy' && (draws[index]?.amount ?? ZERO).isZero();
    await db
      .updateTable('position')
      .set({
        amount: sql<string>`amount + ${part.amount.times(sign).toFixed()}`,
        total_cost: sql<string>`total_cost + ${part.cost.times(sign).toFixed()}`,
        realized_pnl: sql<string>`realized_pnl + ${part.realizedPnl.toFixed()}`,
        fees: sql<string>`fees + ${part.fee.toFixed()}`,
        fill_count: sql<number>`fill_count + 1`,
        updated_at: now,
        ...(opens ? { opened_at: now } : {}),
      })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', part.positionId)
      .execute();
  }
  await db
    .insertInto('fill_allocation')
    .values(
      parts.map((part, index) => ({
        account_id: tx.accountId,
        fill_id: fillId,
        position_id: part.positionId,
        number: index + 1,
        amount: part.amount.toFixed(),
        cost: part.cost.toFixed(),
        fee: part.fee.toFixed(),
        realized_pnl: part.realizedPnl.toFixed(),
      })),
    )
    .execute();
}

async function moveCash(
  tx: Work,
  fillId: string,
  fill: FillToBook,
  applied: AppliedFill,
  now: Date,
): Promise<void> {
  const { db } = tx;
  const movements = cashMovements(fill, applied);
  await db
    .insertInto('cash_entry')
    .values(
      movements.map((movement) => ({
        account_id: tx.accountId,
        id: newId(),
        mode: tx.mode,
        kind: movement.kind,
        amount: movement.amount.toFixed(),
        fill_id: fillId,
        at: now,
      })),
    )
    .execute();
  const moved = movements.reduce((sum, { amount }) => sum.plus(amount), ZERO);
  await db
    .updateTable('trading_account')
    .set({
      cash: sql<string>`cash + ${moved.toFixed()}`,
      realized_pnl: sql<string>`realized_pnl + ${applied.realizedPnl.toFixed()}`,
      ...(applied.isLoss ? { last_loss_at: now } : {}),
    })
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .execute();
  await db
    .updateTable('account_day')
    .set({ realized_pnl: sql<string>`realized_pnl + ${applied.realizedPnl.toFixed()}` })
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('day', '=', utcDay(now))
    .execute();
}

/** The position of a blueprint in an instrument, made empty where there is none, as the place a buy goes to. */
export async function openPosition(
  tx: Work,
  holding: { tokenId: string; venue: Venue; blueprintId: string },
  now: Date,
): Promise<{ positionId: string; amount: Exact; totalCost: Exact }> {
  const { db } = tx;
  await db
    .insertInto('position')
    .values({
      account_id: tx.accountId,
      id: newId(),
      mode: tx.mode,
      token_id: holding.tokenId,
      venue: holding.venue,
      blueprint_id: holding.blueprintId,
      amount: '0',
      total_cost: '0',
      realized_pnl: '0',
      fees: '0',
      opened_at: now,
      updated_at: now,
    })
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
  return { positionId: row.id, amount: exact(row.amount), totalCost: exact(row.total_cost) };
}
