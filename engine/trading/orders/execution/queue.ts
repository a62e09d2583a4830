import { sql } from 'kysely';
import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { Db } from '../../../../db/tables.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import type { OrderKey } from '../../../../venues/broker.ts';
import { statusList } from '../../../platform/sql-fragments.ts';
import { abandonedSince } from './send-deadlines.ts';

/*
 * The orders table is the queue of all work on orders: the next task follows from an order's status and times, so that no
 * task is lost with a process. These reads take no lock. A caller that acts on a result takes the account's lock first and
 * reads again.
 *
 * `via`: the connections this process trades through; their orders are found in addition to those on paper; null: all.
 * `limit`: for tasks that can wait long for a venue, it applies to each connection. Thus an unresponsive one hides no tasks of
 * others.
 */

/** An order with its connection; none on paper. */
export type WorkKey = OrderKey & { readonly connectionId?: string | null };

/**
 * Finds queued orders to send, for paper and for each connection: the longest waiting first, those of one instant in the
 * sequence of their decision. Orders that a venue is too slow for stay queued until they expire, and hide no others.
 */
export function findQueued(db: Db, now: Date, limit: number, via: Via = null): Promise<WorkKey[]> {
  const waiting = ordersIn(db, ['queued']).where('expires_at', '>', now.toISOString());
  const onPaper = waiting.where('connection_id', 'is', null).orderBy('queued_at').orderBy('id').limit(limit);
  if (via?.length === 0) return keys(onPaper);
  const outside = waiting.where('connection_id', 'is not', null).where(isVia(via));
  return keys(
    db
      .selectFrom(onPaper.as('on_paper'))
      .selectAll()
      .unionAll(
        db.selectFrom(firstOfEach(db, outside, { by: 'queued_at', limit }).as('outside')).selectAll(),
      ),
  );
}

/** Finds resting orders with a cancel request. */
export const findToCancel = (db: Db, limit: number, via: Via = null): Promise<WorkKey[]> =>
  keys(
    firstOfEach(
      db,
      ordersIn(db, ['open', 'partially_filled'])
        .where(isVia(via))
        .where('cancel_requested_at', 'is not', null),
      { by: 'cancel_requested_at', limit },
    ),
  );

/** Finds resting orders whose good-till time has passed, without a cancel request yet. */
export const findPastGoodTill = (db: Db, now: Date, limit: number, via: Via = null): Promise<WorkKey[]> =>
  keys(
    firstOfEach(
      db,
      ordersIn(db, ['open', 'partially_filled'])
        .where(isVia(via))
        .where('good_till', '<=', now.toISOString())
        .where('cancel_requested_at', 'is', null),
      { by: 'good_till', limit },
    ),
  );

/** Finds orders of which the venue reports more filled than it lists fills for, and since when. */
export async function findFillsMissing(
  db: Db,
  limit: number,
  via: Via = null,
): Promise<(WorkKey & { since: Date })[]> {
  const missing = db
    .selectFrom('order_dispatch as d')
    .innerJoin('trade_order as o', (join) =>
      join.onRef('o.account_id', '=', 'd.account_id').onRef('o.id', '=', 'd.order_id'),
    )
    .select(['o.account_id', 'o.mode', 'o.id', 'o.connection_id', 'd.fills_missing_since as since'])
    .select(rankOf('d.connection_id', 'd.fills_missing_since'))
    .where('d.fills_missing_since', 'is not', null)
    .where(isVia(via, 'd.connection_id'));
  const rows = await db
    .selectFrom(missing.as('missing'))
    .selectAll()
    .where('place', '<=', String(limit))
    .orderBy('since')
    .execute();
  return rows.flatMap(({ account_id, mode, id, connection_id, since }) =>
    since === null
      ? []
      : [{ accountId: account_id, mode, id, connectionId: connection_id, since: new Date(since) }],
  );
}

/** Finds orders whose response was lost. */
export const findUnknown = (db: Db, limit: number, via: Via = null): Promise<WorkKey[]> =>
  keys(firstOfEach(db, ordersIn(db, ['unknown']).where(isVia(via)), { by: 'submitted_at', limit }));

/** Finds sent orders whose sender must have stopped, because it would otherwise have its response. */
export const findSentWithoutSender = (
  db: Db,
  now: Date,
  limit: number,
  via: Via = null,
): Promise<WorkKey[]> =>
  keys(
    firstOfEach(
      db,
      ordersIn(db, ['submitted'])
        .where(isVia(via))
        .where('submitted_at', '<=', abandonedSince(now).toISOString()),
      { by: 'submitted_at', limit },
    ),
  );

/** Finds a page of resting orders to reconcile with their venue. `after` is the last order of the previous page. */
export const findResting = (
  db: Db,
  after: OrderKey | null,
  limit: number,
  via: Via = null,
): Promise<WorkKey[]> => {
  const resting = ordersIn(db, ['open', 'partially_filled'])
    .where(isVia(via))
    .orderBy('account_id')
    .orderBy('id')
    .limit(limit);
  if (after === null) return keys(resting);
  return keys(resting.where(sql<boolean>`(account_id, id) > (${after.accountId}::uuid, ${after.id}::uuid)`));
};

/** How long an order that was given up as never received is still polled. */
const GIVEN_UP_WATCH_MS = 24 * 3_600_000;

/** Finds orders given up as never received that their venue might still list; the paper venue cannot. */
export const findGivenUp = (db: Db, now: Date, limit: number, via: Via = null): Promise<WorkKey[]> =>
  keys(
    ordersIn(db, ['rejected'])
      .where(isVia(via))
      .where('connection_id', 'is not', null)
      .where('reason_code', '=', 'never_arrived')
      .where('ended_at', '>', new Date(now.getTime() - GIVEN_UP_WATCH_MS).toISOString())
      .orderBy('ended_at', 'desc')
      .limit(limit),
  );

/** Finds pending and queued orders that have expired while their stored status has not changed yet. */
export const findExpiredOrders = (db: Db, now: Date, limit: number): Promise<WorkKey[]> =>
  keys(
    ordersIn(db, ['pending', 'queued'])
      .where('expires_at', '<=', now.toISOString())
      .orderBy('expires_at')
      .limit(limit),
  );

type Via = readonly string[] | null;

/** Selects orders on paper and of these connections. */
const isVia = (via: Via, column = 'connection_id') =>
  via === null
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} = any(${[...via]}::uuid[]))`;

const ordersIn = (db: Db, statuses: readonly OrderStatus[]) =>
  db
    .selectFrom('trade_order')
    .select(['account_id', 'mode', 'id', 'connection_id'])
    .where(sql<boolean>`status in ${statusList(statuses)}`);

const rankOf = (connection: string, ...by: readonly string[]) =>
  sql<string>`row_number() over (partition by ${sql.ref(connection)} order by ${sql.join(by.map(sql.ref))})`.as(
    'place',
  );

/** Selects the first orders by a time for each connection and for paper; equal times by creation. */
const firstOfEach = (
  db: Db,
  orders: ReturnType<typeof ordersIn>,
  { by, limit }: { by: 'queued_at' | 'cancel_requested_at' | 'good_till' | 'submitted_at'; limit: number },
) =>
  db
    .selectFrom(
      orders
        .select(by)
        .select(rankOf('connection_id', by, 'id'))
        .as('o'),
    )
    .select(['account_id', 'mode', 'id', 'connection_id'])
    .where('place', '<=', String(limit))
    .orderBy(by)
    .orderBy('id');

async function keys(query: {
  execute(): Promise<{ account_id: string; mode: Mode; id: string; connection_id: string | null }[]>;
}): Promise<WorkKey[]> {
  const rows = await query.execute();
  return rows.map(({ account_id, mode, id, connection_id }) => ({
    accountId: account_id,
    mode,
    id,
    connectionId: connection_id,
  }));
}
