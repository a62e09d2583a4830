import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type { Side } from '../../../../db/vocabulary.ts';
import type { VenueOrder } from '../../../../venues/broker.ts';
import { exact } from '../../../platform/decimal.ts';
import type { Arrival, PaperFillRow, PaperOrderRow } from './match-orders.ts';
import type { TakenLevels } from './taken-levels.ts';
import { CANCELED, venueOrderOf } from './venue-order.ts';

/**
 * Locks one account's paper orders in one instrument until the transaction ends. Thus processes match them one after the other,
 * and no offer is taken twice.
 */
export async function lockPaperMarket(trx: Db, accountId: string, tokenId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`paper:${accountId}:${tokenId}`}, 0))`.execute(
    trx,
  );
}

/** Stores an arrived order and its trades; false if its id already exists. */
export async function insertArrived(trx: Db, { order, fills }: Omit<Arrival, 'levels'>): Promise<boolean> {
  const inserted = await trx
    .insertInto('paper_order')
    .values(order)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted === undefined) return false;
  if (fills.length > 0)
    await trx
      .insertInto('paper_fill')
      .values([...fills])
      .execute();
  return true;
}

/** One account's side of one market. */
export type MarketSideKey = { accountId: string; tokenId: string; side: Side };

/** Reads the levels that the account has taken from. */
export async function readLevels(trx: Db, { accountId, tokenId, side }: MarketSideKey): Promise<TakenLevels> {
  const rows = await trx
    .selectFrom('paper_level')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('token_id', '=', tokenId)
    .where('side', '=', side)
    .execute();
  return new Map(
    rows.map(({ price, shown, left, seen_at }) => [
      exact(price).toFixed(),
      { price: exact(price), visible: exact(shown), left: exact(left), seenAt: new Date(seen_at) },
    ]),
  );
}

/** Stores changed levels, and deletes those that no longer count. */
export async function storeLevels(
  trx: Db,
  { accountId, tokenId, side }: MarketSideKey,
  before: TakenLevels,
  after: TakenLevels,
): Promise<void> {
  const changed = [...after].filter(([price, level]) => before.get(price) !== level);
  const forgotten = [...before.keys()].filter((price) => !after.has(price));
  if (forgotten.length > 0) {
    await trx
      .deleteFrom('paper_level')
      .where('account_id', '=', accountId)
      .where('token_id', '=', tokenId)
      .where('side', '=', side)
      .where('price', 'in', forgotten)
      .execute();
  }
  if (changed.length === 0) return;
  await trx
    .insertInto('paper_level')
    .values(
      changed.map(([price, { visible, left, seenAt }]) => ({
        account_id: accountId,
        token_id: tokenId,
        side,
        price,
        shown: visible.toFixed(),
        left: left.toFixed(),
        seen_at: seenAt,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'token_id', 'side', 'price']).doUpdateSet((eb) => ({
        shown: eb.ref('excluded.shown'),
        left: eb.ref('excluded.left'),
        seen_at: eb.ref('excluded.seen_at'),
      })),
    )
    .execute();
}

/** Reads the trades of these orders, and all of the account in the instrument with offers shown from `since` on. */
export async function readTrades(
  trx: Db,
  { accountId, tokenId }: Omit<MarketSideKey, 'side'>,
  orderIds: readonly string[],
  since: Date | null,
): Promise<PaperFillRow[]> {
  if (orderIds.length === 0) return [];
  return trx
    .selectFrom('paper_fill')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('token_id', '=', tokenId)
    .where((eb) =>
      eb.or([
        eb('order_id', 'in', orderIds),
        ...(since === null ? [] : [eb('offer_as_of', '>=', since.toISOString())]),
      ]),
    )
    .execute();
}

/** Stores new trades and changed orders; the caller has locked the orders while they were open. */
export async function writeMatched(
  trx: Db,
  orders: readonly PaperOrderRow[],
  fills: readonly PaperFillRow[],
): Promise<void> {
  if (fills.length > 0) await trx.insertInto('paper_fill').values(fills).execute();
  for (const {
    account_id,
    id,
    filled_amount,
    status,
    reason_code,
    reason,
    updated_at,
    candle_at,
  } of orders) {
    await trx
      .updateTable('paper_order')
      .set({ filled_amount, status, reason_code, reason, updated_at, candle_at })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('status', '=', 'open')
      .returning('id')
      .executeTakeFirstOrThrow(() => new Error(`Paper order ${id} is no longer open.`));
  }
}

/** Cancels all open orders of the account, or one of them; returns their number. */
export async function cancelPaperOrders(db: Db, accountId: string, now: Date, id?: string): Promise<number> {
  const open = db
    .updateTable('paper_order')
    .set({ ...CANCELED, updated_at: now })
    .where('account_id', '=', accountId)
    .where('status', '=', 'open');
  const ended = await (id === undefined ? open : open.where('id', '=', id)).returning('id').execute();
  return ended.length;
}

const fillsOf = (db: Db, accountId: string, orderId: string): Promise<PaperFillRow[]> =>
  db
    .selectFrom('paper_fill')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('order_id', '=', orderId)
    .orderBy('at')
    .orderBy('id')
    .execute();

/** Reads an order as a venue's report. */
export async function readPaperVenueOrder(db: Db, accountId: string, id: string): Promise<VenueOrder | null> {
  const order = await db
    .selectFrom('paper_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (order === undefined) return null;
  return venueOrderOf(order, await fillsOf(db, accountId, id));
}
