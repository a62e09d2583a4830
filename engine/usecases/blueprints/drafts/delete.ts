import { sql } from 'kysely';
import { underAccountLock } from '../../../platform/account-lock.ts';
import { audit } from '../../../platform/audit/audit.ts';
import type { Work } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { DomainError } from '../../../platform/errors.ts';
import { recordEvents } from '../../../platform/events/events.ts';
import { AT_VENUE_STATUSES } from '../../../platform/order-states.ts';
import { writeOffTerms } from '../../../trading/positions/write-off-terms.ts';
import { lockBlueprint } from './row.ts';

/**
 * Deletes a blueprint: it answers 404 from now on; its rows stay for its orders and its history. Its graph is deleted;
 * deployed graphs stay in its releases.
 *
 * @throws DomainError `not_found`, `blueprint_running`, `blueprint_holds_positions` (also while an order may still fill).
 */
export async function deleteBlueprint(work: Work, id: string): Promise<void> {
  await underAccountLock(work, async (tx, at) => {
    const row = await lockBlueprint(tx, id);
    if (row.status === 'running' || row.status === 'error') {
      throw new DomainError(
        'blueprint_running',
        row.runs_in === tx.mode
          ? `The blueprint is ${row.status}. Stop it first, then delete it.`
          : `The blueprint runs in ${row.runs_in} mode. Stop it there first, then delete it.`,
      );
    }
    await refuseWhileHolding(tx, id);
    await refuseWhileTrading(tx, id);
    const { db } = tx;
    await db
      .updateTable('blueprint')
      .set({ deleted_at: at, updated_at: at, version: row.version + 1, visual: null, visual_bytes: 0 })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', id)
      .execute();
    await db
      .deleteFrom('share_link')
      .where('account_id', '=', tx.accountId)
      .where('blueprint_id', '=', id)
      .execute();
    await db
      .updateTable('account')
      .set({
        blueprint_count: sql<number>`blueprint_count - 1`,
        visual_bytes: sql<number>`visual_bytes - ${row.visual_bytes}`,
      })
      .where('id', '=', tx.accountId)
      .execute();
    await audit(tx, {
      action: 'blueprint.deleted',
      mode: null,
      subjectId: id,
      before: { name: row.name, status: row.status },
      after: null,
      at,
    });
    await recordEvents(tx, at, [{ type: 'blueprint.changed', payload: { id, deleted: true }, mode: null }]);
  });
}

async function refuseWhileHolding(tx: Work, blueprintId: string): Promise<void> {
  const held = await tx.db
    .selectFrom('position')
    .select(['token_id', 'amount', 'mode'])
    .where('account_id', '=', tx.accountId)
    .where('blueprint_id', '=', blueprintId)
    .where('amount', '>', '0')
    .orderBy('token_id')
    .executeTakeFirst();
  if (!held) return;
  const [where, there] = held.mode === tx.mode ? ['', ''] : [` in ${held.mode} mode`, ' there'];
  const terms = await writeOffTerms({ ...tx, mode: held.mode }, held.token_id, blueprintId);
  const remedy =
    terms === null
      ? `Close its positions${there} first, or write off what cannot be sold, then delete it.`
      : `${terms.reason} Write it off${there} under Portfolio, by Close…, then delete the blueprint.`;
  throw new DomainError(
    'blueprint_holds_positions',
    `The blueprint holds ${exact(held.amount).toFixed()} of ${held.token_id}${where}. ${remedy}`,
  );
}

/** An order at a venue may fill until its cancel is confirmed. Its owner must be able to see that. */
async function refuseWhileTrading(tx: Work, blueprintId: string): Promise<void> {
  const order = await tx.db
    .selectFrom('trade_order')
    .select('id')
    .where('account_id', '=', tx.accountId)
    .where('blueprint_id', '=', blueprintId)
    .where('status', 'in', AT_VENUE_STATUSES)
    .executeTakeFirst();
  if (!order) return;
  throw new DomainError(
    'blueprint_holds_positions',
    `Order ${order.id} of the blueprint is at the venue and may still fill. Try again once its cancel is confirmed.`,
  );
}
