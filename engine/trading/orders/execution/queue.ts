import { sql } from 'kysely';
import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { Db } from '../../../../db/tables.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import type { OrderKey } from '../../../../venues/broker.ts';
import { statusList } from '../../../platform/fragments.ts';
import { abandonedSince } from './send-deadlines.ts';

/*
 * The orders table is the queue of all work on orders: what is to be done follows from an order's status and times
 * alone, so nothing is lost with a process. These reads take no lock. Whoever acts on what they answer takes the
 * account's lock first and looks again.
 *
 * `via`: the connections this process trades through, whose orders are found besides those on paper; null: all. `limit`: of
 * work that can wait for a venue for long, it is the most of each connection, so that one that does not answer hides no work of others.
 */

/** An order, and the connection it is traded through; none on paper. */
export type WorkKey = OrderKey & { readonly connectionId?: string | null };

/**
 * Cleared orders that wait to be sent, the longest waiting first, those of one instant as they were decided: of those on paper, and
 * of each connection. What a venue is too slow for stays in the queue until it expires, and hides nothing of others.
 */
export function findQueued(db: Db, now: Date, limit: number, via: Via = null): Promise<WorkKey[]> {
  const waiting = ordersIn(db, ['queued']).where('expires_at', '>', now.toISOString());
  const onPaper = waiting.where('connection_id', 'is', null).orderBy('queued_at').orderBy('id').limit(limit);
  if (via?.length === 0) return keys(onPaper);
  const outside = waiting.where('connection_id', 'is not', null).where(reachedBy(via));
  return keys(
    db
      .selectFrom(onPaper.as('on_paper'))
      .selectAll()
      .unionAll(
        db.selectFrom(firstOfEach(db, outside, { by: 'queued_at', limit }).as('outside')).selectAll(),
      ),
  );
}

/** Resting orders somebody wants canceled. */
export const findToCancel = (db: Db, limit: number, via: Via = null): Promise<WorkKey[]> =>
  keys(
    firstOfEach(
      db,
      ordersIn(db, ['open', 'partially_filled'])
        .where(reachedBy(via))
        .where('cancel_requested_at', 'is not', null),
      { by: 'cancel_requested_at', limit },
    ),
  );

/** Resting orders that were good till now, and that nobody else has asked back. */
export const findPastGoodTill = (db: Db, now: Date, limit: number, via: Via = null): Promise<WorkKey[]> =>
  keys(
    firstOfEach(
      db,
      ordersIn(db, ['open', 'partially_filled'])
        .where(reachedBy(via))
        .where('good_till', '<=', now.toISOString())
        .where('cancel_requested_at', 'is', null),
      { by: 'good_till', limit },
    ),
  );

/** Orders that their venue has filled more of than it has shown fills of, and since when. */
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
    .select(placeOf('d.connection_id', 'd.fills_missing_since'))
    .where('d.fills_missing_since', 'is not', null)
    .where(reachedBy(via, 'd.connection_id'));
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

/** Orders whose answer was lost. */
export const findUnknown = (db: Db, limit: number, via: Via = null): Promise<WorkKey[]> =>
  keys(firstOfEach(db, ordersIn(db, ['unknown']).where(reachedBy(via)), { by: 'submitted_at', limit }));

/** Sent orders whose sender must be gone, because it would have had its answer by now. */
export const findAbandoned = (db: Db, now: Date, limit: number, via: Via = null): Promise<WorkKey[]> =>
  keys(
    firstOfEach(
      db,
      ordersIn(db, ['submitted'])
        .where(reachedBy(via))
        .where('submitted_at', '<=', abandonedSince(now).toISOString()),
      { by: 'submitted_at', limit },
    ),
  );

/** A page of the orders that rest at a venue, to be compared with it. `after` is the last of the page before. */
export const findResting = (
  db: Db,
  after: OrderKey | null,
  limit: number,
  via: Via = null,
): Promise<WorkKey[]> => {
  const resting = ordersIn(db, ['open', 'partially_filled'])
    .where(reachedBy(via))
    .orderBy('account_id')
    .orderBy('id')
    .limit(limit);
  if (after === null) return keys(resting);
  return keys(resting.where(sql<boolean>`(account_id, id) > (${after.accountId}::uuid, ${after.id}::uuid)`));
};

/** How long an order that was given up as never received is looked for. */
const GIVEN_UP_WATCH_MS = 24 * 3_600_000;

/** Orders given up as never received that their venue might show yet; the paper venue cannot. */
export const findGivenUp = (db: Db, now: Date, limit: number, via: Via = null): Promise<WorkKey[]> =>
  keys(
    ordersIn(db, ['rejected'])
      .where(reachedBy(via))
      .where('connection_id', 'is not', null)
      .where('reason_code', '=', 'never_arrived')
      .where('ended_at', '>', new Date(now.getTime() - GIVEN_UP_WATCH_MS).toISOString())
      .orderBy('ended_at', 'desc')
      .limit(limit),
  );

/** Pending and queued orders whose time is over and whose row does not say so yet. */
export const findPastTheirTime = (db: Db, now: Date, limit: number): Promise<WorkKey[]> =>
  keys(
    ordersIn(db, ['pending', 'queued'])
      .where('expires_at', '<=', now.toISOString())
      .orderBy('expires_at')
      .limit(limit),
  );

type Via = readonly string[] | null;

/** Of orders on paper, and of those of these connections. */
const reachedBy = (via: Via, column = 'connection_id') =>
  via === null
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.ref(column)} is null or ${sql.ref(column)} = any(${[...via]}::uuid[]))`;

const ordersIn = (db: Db, statuses: readonly OrderStatus[]) =>
  db
    .selectFrom('trade_order')
    .select(['account_id', 'mode', 'id', 'connection_id'])
    .where(sql<boolean>`status in ${statusList(statuses)}`);

const placeOf = (connection: string, ...by: readonly string[]) =>
  sql<string>`row_number() over (partition by ${sql.ref(connection)} order by ${sql.join(by.map(sql.ref))})`.as(
    'place',
  );

/** Of each connection, and of all on paper, the first by a time, and of one instant by birth. */
const firstOfEach = (
  db: Db,
  orders: ReturnType<typeof ordersIn>,
  { by, limit }: { by: 'queued_at' | 'cancel_requested_at' | 'good_till' | 'submitted_at'; limit: number },
) =>
  db
    .selectFrom(
      orders
        .select(by)
        .select(placeOf('connection_id', by, 'id'))
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
