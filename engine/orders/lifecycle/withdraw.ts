import { sql } from 'kysely';
import { audit } from '../../audit.ts';
import type { Work } from '../../context.ts';
import { exact } from '../../decimal.ts';
import { recordEvents } from '../../events.ts';
import { orderChanged } from '../events.ts';
import type { InstrumentRow, OrderRow } from '../row.ts';
import { feeScheduleOf } from '../terms/fees.ts';
import { type Drawn, type Reduced, reduceBy } from '../terms/reduce.ts';
import { canceledFor, cancelOrRequestCancel } from './cancel.ts';

const REASON = canceledFor('The blueprint sells this position now, so this sell is not needed any more.');

export type WayOut = { instrument: InstrumentRow; blueprintId: string; now: Date };

/**
 * Takes a blueprint's position in an instrument out of the sells that wait for approval: what gets the blueprint out of it
 * goes first. What other blueprints hold stays in them; a sell of nothing else is canceled. Call under the account's lock.
 */
export async function withdrawUnapprovedSells(
  tx: Work,
  { instrument, blueprintId, now }: WayOut,
): Promise<void> {
  const events = [];
  for (const order of await waitingSells(tx, instrument.token_id, blueprintId)) {
    const drawn = await readDrawn(tx, order);
    const fees = feeScheduleOf(instrument.fee_schedule);
    const reduced = reduceBy(order, drawn, blueprintId, instrument, fees);
    const changed =
      reduced === null
        ? await cancelOrRequestCancel(tx, order, now, REASON)
        : await reduce(tx, order, reduced, { drawn, blueprintId, now });
    if (changed !== null) events.push(orderChanged(changed));
  }
  await recordEvents(tx, now, events);
}

async function waitingSells(tx: Work, tokenId: string, blueprintId: string): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.* from trade_order o
    where o.account_id = ${tx.accountId} and o.mode = ${tx.mode} and o.status = 'pending' and o.side = 'sell' and o.token_id = ${tokenId}
      and exists (
        select from order_allocation a
        join position p on p.account_id = a.account_id and p.id = a.position_id
        where a.account_id = o.account_id and a.order_id = o.id and a.amount > 0
          and p.blueprint_id = ${blueprintId})
    order by o.id`.execute(tx.db);
  return rows;
}

async function readDrawn(tx: Work, { id }: OrderRow): Promise<Drawn[]> {
  const rows = await tx.db
    .selectFrom('order_allocation as a')
    .innerJoin('position as p', (join) =>
      join.onRef('p.account_id', '=', 'a.account_id').onRef('p.id', '=', 'a.position_id'),
    )
    .select(['a.position_id', 'p.blueprint_id', 'a.amount'])
    .where('a.account_id', '=', tx.accountId)
    .where('a.order_id', '=', id)
    .orderBy('a.number')
    .execute();
  return rows.map((row) => ({
    positionId: row.position_id,
    blueprintId: row.blueprint_id,
    amount: exact(row.amount),
  }));
}

/** The order of what is left stays: only what the blueprint holds draws nothing any more. */
async function reduce(
  tx: Work,
  order: OrderRow,
  { amount, size, worstFee }: Reduced,
  { drawn, blueprintId, now }: { drawn: readonly Drawn[]; blueprintId: string; now: Date },
): Promise<OrderRow> {
  const { db } = tx;
  const own = drawn.filter((each) => each.blueprintId === blueprintId);
  await db
    .updateTable('order_allocation')
    .set({ amount: '0' })
    .where('account_id', '=', tx.accountId)
    .where('order_id', '=', order.id)
    .where(
      'position_id',
      'in',
      own.map(({ positionId }) => positionId),
    )
    .execute();
  await audit(tx, {
    action: 'order.reduced',
    subjectId: order.id,
    before: factsOf({ amount: order.amount, size: order.size, worstFee: order.worst_fee }),
    after: { ...factsOf({ amount, size, worstFee }), soldBy: blueprintId },
    at: now,
  });
  return db
    .updateTable('trade_order')
    .set({ amount, size, worst_fee: worstFee, updated_at: now, version: sql<number>`version + 1` })
    .where('account_id', '=', tx.accountId)
    .where('id', '=', order.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const factsOf = ({ amount, size, worstFee }: Reduced) => ({
  amount: exact(amount).toFixed(),
  size: exact(size).toFixed(),
  worstFee: exact(worstFee).toFixed(),
});
