import { type Selectable, sql } from 'kysely';
import type { Side } from '../../../db/entities/order.ts';
import type { PaperStatus } from '../../../db/entities/paper.ts';
import type { Database, Db } from '../../../db/tables.ts';
import type { BrokerOrder, VenueFill, VenueOrder } from '../../../venues/broker.ts';
import { type Exact, exact, sumOf, ZERO } from '../../decimal.ts';
import { newId } from '../../ids.ts';
import { PRICING_QUOTE_MAX_AGE_MS } from '../settings.ts';
import { type FeeSchedule, feesOf, type Liquidity, rawFee } from '../terms/fees.ts';
import type { Levels } from './levels.ts';
import type { Execution, PaperDemand } from './match.ts';

export type PaperOrderRow = Selectable<Database['paper_order']>;
type PaperFillRow = Selectable<Database['paper_fill']>;

/** What an order still wants. */
export const demandOf = (order: PaperOrderRow): PaperDemand => ({
  side: order.side,
  limitPrice: exact(order.limit_price),
  left: exact(order.amount).minus(order.filled_amount),
});

/** As what an order traded, and when the market showed what it traded with. */
export type OfferSource = { liquidity: Liquidity; asOf: Date };

/**
 * One account's orders in one instrument are matched one after the other, whatever number of processes try, so that
 * no offer is taken twice. Lasts until the transaction ends.
 */
export async function lockPaperMarket(trx: Db, accountId: string, tokenId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`paper:${accountId}:${tokenId}`}, 0))`.execute(
    trx,
  );
}

/** Stores an arriving order; null if one with its id is there already. */
export async function insertPaperOrder(
  trx: Db,
  order: BrokerOrder,
  state: { status: PaperStatus; reasonCode: string | null; reason: string | null; now: Date; feedNow: Date },
): Promise<PaperOrderRow | null> {
  const row = await trx
    .insertInto('paper_order')
    .values({
      account_id: order.accountId,
      id: order.id,
      token_id: order.tokenId,
      venue: order.venue,
      side: order.side,
      time_in_force: order.timeInForce,
      amount: order.amount,
      limit_price: order.limitPrice,
      status: state.status,
      reason_code: state.reasonCode,
      reason: state.reason,
      placed_at: state.now,
      updated_at: state.now,
      candle_at: state.feedNow,
      good_till: order.goodTill,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** One account's side of one market. */
export type SideKey = { accountId: string; tokenId: string; side: Side };

export const sideOf = ({ account_id, token_id, side }: PaperOrderRow): SideKey => ({
  accountId: account_id,
  tokenId: token_id,
  side,
});

/** What the account remembers of the offers it has taken from. */
export async function readLevels(trx: Db, { accountId, tokenId, side }: SideKey): Promise<Levels> {
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
      { price: exact(price), shown: exact(shown), left: exact(left), seenAt: new Date(seen_at) },
    ]),
  );
}

/** Stores what has changed of them; what nothing is missing from is forgotten once no older look can come. */
export async function keepLevels(
  trx: Db,
  { accountId, tokenId, side }: SideKey,
  before: Levels,
  after: Levels,
): Promise<void> {
  const changed = [...after].filter(([price, level]) => before.get(price) !== level);
  if (changed.length === 0) return;
  await trx
    .insertInto('paper_level')
    .values(
      changed.map(([price, { shown, left, seenAt }]) => ({
        account_id: accountId,
        token_id: tokenId,
        side,
        price,
        shown: shown.toFixed(),
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
  const newest = Math.max(...changed.map(([, { seenAt }]) => seenAt.getTime()));
  await trx
    .deleteFrom('paper_level')
    .where('account_id', '=', accountId)
    .where('token_id', '=', tokenId)
    .where('side', '=', side)
    .whereRef('left', '=', 'shown')
    .where('seen_at', '<', new Date(newest - PRICING_QUOTE_MAX_AGE_MS).toISOString())
    .execute();
}

/** How much the account's orders of one side have taken of the volume of the candle that closed at this moment. */
export async function readTakenOfCandle(
  trx: Db,
  { accountId, tokenId, side }: SideKey,
  closedAt: Date,
): Promise<Exact> {
  const rows = await trx
    .selectFrom('paper_fill')
    .select('amount')
    .where('account_id', '=', accountId)
    .where('token_id', '=', tokenId)
    .where('side', '=', side)
    .where('offer_as_of', '=', closedAt.toISOString())
    .execute();
  return sumOf(rows.map(({ amount }) => amount));
}

/** Books executions on an open paper order the caller has locked, fees by the venue's schedule, and moves it to `status`. */
export async function recordExecutions(
  trx: Db,
  order: PaperOrderRow,
  executions: readonly Execution[],
  source: OfferSource,
  schedule: FeeSchedule,
  change: { status: PaperStatus; reasonCode?: string; reason?: string; now: Date },
): Promise<PaperOrderRow> {
  const fees = feesOf(schedule, source.liquidity, await rawFeesSoFar(trx, order, schedule), executions);
  const fills = executions.map(({ price, amount }, index) => ({
    account_id: order.account_id,
    id: newId(),
    order_id: order.id,
    token_id: order.token_id,
    side: order.side,
    amount: amount.toFixed(),
    price: price.toFixed(),
    fee: (fees[index] ?? ZERO).toFixed(),
    liquidity: source.liquidity,
    offer_price: price.toFixed(),
    offer_as_of: source.asOf,
    at: change.now,
  }));
  if (fills.length > 0) await trx.insertInto('paper_fill').values(fills).execute();
  const filled = executions.reduce((sum, { amount }) => sum.plus(amount), exact(order.filled_amount));
  const { status, reasonCode = null, reason = null } = change;
  return trx
    .updateTable('paper_order')
    .set({
      filled_amount: filled.toFixed(),
      updated_at: change.now,
      ...(filled.eq(order.amount) ? { status: 'filled' } : { status, reason_code: reasonCode, reason }),
    })
    .where('account_id', '=', order.account_id)
    .where('id', '=', order.id)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirstOrThrow(() => new Error(`Paper order ${order.id} is not open any more.`));
}

/** Ends what rests of the account's orders, or of one of them; answers how many that were. */
export async function cancelPaperOrders(db: Db, accountId: string, now: Date, id?: string): Promise<number> {
  const open = db
    .updateTable('paper_order')
    .set({ status: 'canceled', reason_code: 'canceled', reason: 'Canceled on request.', updated_at: now })
    .where('account_id', '=', accountId)
    .where('status', '=', 'open');
  const ended = await (id === undefined ? open : open.where('id', '=', id)).returning('id').execute();
  return ended.length;
}

/** Remembers up to when, on the feed's clock, a resting order has met the candles. */
export async function rememberCandles(trx: Db, order: PaperOrderRow, upTo: Date): Promise<void> {
  await trx
    .updateTable('paper_order')
    .set({ candle_at: upTo })
    .where('account_id', '=', order.account_id)
    .where('id', '=', order.id)
    .execute();
}

async function rawFeesSoFar(trx: Db, order: PaperOrderRow, schedule: FeeSchedule): Promise<Exact> {
  if (exact(order.filled_amount).isZero()) return ZERO;
  const fills = await fillsOf(trx, order.account_id, order.id);
  return fills.reduce(
    (sum, { liquidity, price, amount }) => sum.plus(rawFee(schedule, liquidity, exact(price), exact(amount))),
    ZERO,
  );
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

/** All the paper venue knows of an order, in a broker's words. */
export async function readVenueOrder(db: Db, accountId: string, id: string): Promise<VenueOrder | null> {
  const order = await db
    .selectFrom('paper_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (order === undefined) return null;
  const fills = await fillsOf(db, accountId, id);
  return {
    venueOrderId: order.id,
    status: order.status,
    filledAmount: exact(order.filled_amount).toFixed(),
    fills: fills.map(fillOf),
    reasonCode: order.reason_code,
    reason: order.reason,
  };
}

/** A trade of the paper venue in a broker's words: it charges in dollars, and takes none back. */
export function fillOf(fill: PaperFillRow): VenueFill {
  const fee = exact(fill.fee).toFixed();
  return {
    tradeId: fill.id,
    amount: exact(fill.amount).toFixed(),
    price: exact(fill.price).toFixed(),
    fee,
    feeAsset: 'USD',
    feeAmount: fee,
    liquidity: fill.liquidity,
    state: 'final',
    at: new Date(fill.at),
  };
}
