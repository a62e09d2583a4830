import { type RawBuilder, sql, type Updateable } from 'kysely';
import type { OrderStatus } from '../../db/entities/order.ts';
import type { Database } from '../../db/tables.ts';
import { dbOf, type Work } from '../context.ts';
import type { OrderRow } from './row.ts';

/**
 * Every step an order may take; there is no other. A final status is left only by a late fill that completes the
 * order, because what the venue did is a fact.
 */
const EDGES: Record<OrderStatus | 'born', readonly OrderStatus[]> = {
  born: ['denied', 'pending', 'queued'],
  denied: [],
  pending: ['queued', 'declined', 'expired', 'canceled'],
  queued: ['submitted', 'canceled', 'expired'],
  submitted: ['open', 'partially_filled', 'filled', 'rejected', 'canceled', 'expired', 'unknown'],
  unknown: ['open', 'partially_filled', 'filled', 'rejected', 'canceled', 'expired'],
  open: ['partially_filled', 'filled', 'canceled', 'expired'],
  partially_filled: ['partially_filled', 'filled', 'canceled', 'expired'],
  filled: [],
  canceled: ['filled'],
  expired: ['filled'],
  declined: [],
  rejected: ['filled'],
};

/** Statuses in which an order can still trade, or waits for the word that lets it. */
export const LIVE_STATUSES = [
  'pending',
  'queued',
  'submitted',
  'unknown',
  'open',
  'partially_filled',
] as const satisfies OrderStatus[];

/** Statuses in which the venue may have the order. */
export const AT_VENUE_STATUSES = [
  'submitted',
  'unknown',
  'open',
  'partially_filled',
] as const satisfies OrderStatus[];

/** Statuses in which a sell has been cleared, and so reserves what it would sell. */
export const RESERVING_STATUSES = ['queued', ...AT_VENUE_STATUSES] as const satisfies OrderStatus[];

/** Statuses as SQL, written out: only a literal list lets the planner use the partial indexes. */
export const statusList = (statuses: readonly OrderStatus[]): RawBuilder<unknown> =>
  sql.raw(`('${statuses.join("', '")}')`);

const LIVE: ReadonlySet<OrderStatus> = new Set(LIVE_STATUSES);
const AT_VENUE: ReadonlySet<OrderStatus> = new Set(AT_VENUE_STATUSES);

export const isLive = (status: OrderStatus): boolean => LIVE.has(status);
export const isAtVenue = (status: OrderStatus): boolean => AT_VENUE.has(status);
export const isFinal = (status: OrderStatus): boolean => !isLive(status);

export const isEdge = (from: OrderStatus | null, to: OrderStatus): boolean =>
  EDGES[from ?? 'born'].includes(to);

/** A pending or queued order past its time is expired for everyone who looks, whether or not a job has run. */
export function isPastItsTime(order: Pick<OrderRow, 'status' | 'expires_at'>, now: Date): boolean {
  if (order.status !== 'pending' && order.status !== 'queued') return false;
  return order.expires_at !== null && new Date(order.expires_at) <= now;
}

/** The status a reader is told at `now`. */
export const statusAt = (order: Pick<OrderRow, 'status' | 'expires_at'>, now: Date): OrderStatus =>
  isPastItsTime(order, now) ? 'expired' : order.status;

export type Step = {
  at: Date;
  /** Machine-readable and in words; kept on the order where given. */
  reasonCode?: string;
  reason?: string;
  /** Who took the step, where it is not the one who acts. */
  actor?: string;
  set?: Updateable<Database['trade_order']>;
};

/**
 * Takes one step, by compare-and-set on the status that was read, and logs it. Call under the account's lock.
 *
 * @throws Error if the table has no such edge, or the order has left the status it was read in: both are bugs.
 */
export async function transition(
  tx: Work,
  order: Pick<OrderRow, 'id' | 'status'>,
  to: OrderStatus,
  step: Step,
): Promise<OrderRow> {
  if (!isEdge(order.status, to)) {
    throw new Error(`Order ${order.id} is ${order.status}: there is no step from there to ${to}.`);
  }
  return dbOf(tx)
    .with('moved', (db) =>
      db
        .updateTable('trade_order')
        .set({
          ...(isFinal(to) ? { ended_at: step.at } : { expires_at: null }),
          ...(step.reasonCode === undefined ? {} : { reason_code: step.reasonCode }),
          ...(step.reason === undefined ? {} : { reason: step.reason }),
          ...step.set,
          status: to,
          updated_at: step.at,
          version: sql<number>`version + 1`,
        })
        .where('account_id', '=', tx.accountId)
        .where('id', '=', order.id)
        .where('status', '=', order.status)
        .returningAll(),
    )
    .with('logged', (db) =>
      db
        .insertInto('order_transition')
        .columns([
          'account_id',
          'order_id',
          'number',
          'from_status',
          'to_status',
          'at',
          'expires_at',
          'actor',
          'reason',
        ])
        .expression((eb) =>
          eb
            .selectFrom('moved')
            .select([
              'moved.account_id',
              'moved.id as order_id',
              sql<number>`(select max(number) + 1 from order_transition where account_id = moved.account_id and order_id = moved.id)`.as(
                'number',
              ),
              eb.val(order.status).as('from_status'),
              'moved.status as to_status',
              'moved.updated_at as at',
              'moved.expires_at',
              eb.val(step.actor ?? tx.actor).as('actor'),
              eb.val(step.reason ?? null).as('reason'),
            ]),
        ),
    )
    .selectFrom('moved')
    .selectAll()
    .executeTakeFirstOrThrow(
      () => new Error(`Order ${order.id} was ${order.status} a moment ago and is not any more.`),
    );
}
