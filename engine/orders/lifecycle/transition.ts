import { sql, type Updateable } from 'kysely';
import type { OrderStatus } from '../../../db/entities/order.ts';
import type { Database } from '../../../db/tables.ts';
import type { Work } from '../../context.ts';
import { isEdge, isFinal } from '../../order-states.ts';
import type { OrderRow } from '../row.ts';

export type Step = {
  at: Date;
  /** Why it is in the new status, machine-readable and in words; what was said of the status before is over. */
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
  return tx.db
    .with('moved', (db) =>
      db
        .updateTable('trade_order')
        .set({
          ...(isFinal(to) ? { ended_at: step.at } : { expires_at: null }),
          reason_code: step.reasonCode ?? null,
          reason: step.reason ?? null,
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
