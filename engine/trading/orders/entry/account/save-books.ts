import { sql } from 'kysely';
import type { Db } from '../../../../../db/tables.ts';
import { openAccountDay } from '../../../../books/accounting/day.ts';
import { audit } from '../../../../platform/audit/audit.ts';
import type { Work } from '../../../../platform/context.ts';
import { exact } from '../../../../platform/decimal.ts';
import { recordEventsOf } from '../../../../platform/events/events.ts';
import { isAllowedTransition } from '../../../../platform/order-states.ts';
import { transitionDigest } from '../../../../platform/transition-digest.ts';
import { rowOfDrawdownState } from '../../../../risk/drawdown-state.ts';
import { writeChange } from '../../lifecycle/transition.ts';
import type { Changes, NewOrder } from './decision-data.ts';
import type { LoadedDecisionData } from './load-decision-data.ts';

/**
 * Saves the changes of the books of one or several accounts. All new orders take one statement, all events one more. Call in
 * the transaction that loaded the books.
 */
export async function saveBooks(db: Db, now: Date, opened: readonly LoadedDecisionData[]): Promise<void> {
  for (const {
    work,
    books: { made },
  } of opened) {
    if (made.day !== null) await openAccountDay(work, now, exact(made.day.opening_unrealized_pnl));
  }
  await insertOrders(
    db,
    opened.flatMap(({ books }) => books.made.orders),
  );
  for (const { work, books } of opened) await saveRest(work, books.made);
  await recordEventsOf(
    db,
    now,
    opened.flatMap(({ books: { key, made } }) => made.events.map((event) => ({ ...key, event }))),
  );
}

/** Saves what few decisions change: the latch of the daily loss, the drawdown watch, older orders, the audit trail. */
async function saveRest(work: Work, { trip, watch, changes, audits }: Changes): Promise<void> {
  if (trip !== null) {
    await work.db
      .updateTable('trading_account')
      .set({ tripped_at: trip.at, trip_reason: trip.reason })
      .where('account_id', '=', work.accountId)
      .where('mode', '=', work.mode)
      .execute();
  }
  if (watch !== null) {
    await work.db
      .updateTable('drawdown_watch')
      .set(rowOfDrawdownState(watch))
      .where('account_id', '=', work.accountId)
      .where('mode', '=', work.mode)
      .execute();
  }
  for (const change of changes) await writeChange(work, change);
  await audit(work, ...audits);
}

/** Inserts new orders in this sequence, each with the first step of its log and its allocations. */
async function insertOrders(db: Db, created: readonly NewOrder[]): Promise<void> {
  const [first] = created;
  if (first === undefined) return;
  const steps = Object.fromEntries(created.map((each) => [each.order.id, firstStep(each)]));
  const columns = sql.join(Object.keys(first.order).map((column) => sql.ref(column)));
  await sql`
    with inserted as (
      insert into trade_order (${columns})
      select ${columns} from json_populate_recordset(null::trade_order, ${JSON.stringify(created.map(({ order }) => order))})
      returning account_id, id, status, created_at, expires_at, reason
    ), step as materialized (select ${JSON.stringify(steps)}::jsonb as of)
    insert into order_transition (account_id, order_id, number, to_status, at, expires_at, actor, reason, digest)
    select account_id, id, 1, status, created_at, expires_at, of -> id::text ->> 'actor', reason, of -> id::text ->> 'digest'
    from inserted, step`.execute(db);
  const allocations = created.flatMap(({ order, allocations }) =>
    allocations.map(({ positionId, amount }, index) => ({
      account_id: order.account_id,
      order_id: order.id,
      number: index + 1,
      position_id: positionId,
      amount: amount.toFixed(),
    })),
  );
  if (allocations.length > 0) await db.insertInto('order_allocation').values(allocations).execute();
}

function firstStep({ order, actor }: NewOrder): { actor: string; digest: string } {
  if (!isAllowedTransition(null, order.status)) throw new Error(`No order starts ${order.status}.`);
  const step = { ...order, from_status: null, to_status: order.status, at: order.created_at, actor };
  return { actor, digest: transitionDigest(order, step) };
}
