import { sql } from 'kysely';
import { audit } from '../../../platform/audit/audit.ts';
import type { Work } from '../../../platform/context.ts';
import { recordEvents } from '../../../platform/events/events.ts';
import { transitionDigest } from '../../../platform/transition-digest.ts';
import type { OrderRow } from '../row.ts';
import { type DecisionOutcome, type OrderChange, withOrderChange } from './order-change.ts';

/** Stores the outcome of a decision: order changes, audit records and events; null: none. Call under the account's lock. */
export async function storeOutcome(tx: Work, now: Date, outcome: DecisionOutcome | null): Promise<void> {
  if (outcome === null) return;
  for (const change of outcome.changes) await writeChange(tx, change);
  await audit(tx, ...outcome.audits);
  await recordEvents(tx, now, outcome.events);
}

/**
 * Stores a change, by compare-and-set on the status read before, and logs its step. Call under the account's lock.
 *
 * @throws Error if the status has changed since, which is a bug.
 */
export async function writeChange(tx: Work, change: OrderChange): Promise<OrderRow> {
  const { before, set, step, released } = change;
  if (released.length > 0) {
    await tx.db
      .updateTable('order_allocation')
      .set({ amount: '0' })
      .where('account_id', '=', tx.accountId)
      .where('order_id', '=', before.id)
      .where('position_id', 'in', released)
      .execute();
  }
  const moved = tx.db
    .updateTable('trade_order')
    .set({
      ...set,
      ...(set.approval_receipt === undefined
        ? {}
        : { approval_receipt: JSON.stringify(set.approval_receipt) }),
      version: sql<number>`version + 1`,
    })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', before.id)
    .where('status', '=', before.status)
    .returningAll();
  const isGone = () => new Error(`Order ${before.id} is no longer ${before.status}.`);
  if (step === null) return moved.executeTakeFirstOrThrow(isGone);
  const after = withOrderChange(change);
  const digest = transitionDigest(after, {
    ...step,
    from_status: before.status,
    to_status: after.status,
    at: after.updated_at,
    expires_at: after.expires_at,
  });
  return tx.db
    .with('moved', () => moved)
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
          'digest',
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
              eb.val(before.status).as('from_status'),
              'moved.status as to_status',
              'moved.updated_at as at',
              'moved.expires_at',
              eb.val(step.actor).as('actor'),
              eb.val(step.reason).as('reason'),
              eb.val(digest).as('digest'),
            ]),
        ),
    )
    .selectFrom('moved')
    .selectAll()
    .executeTakeFirstOrThrow(isGone);
}
