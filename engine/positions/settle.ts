import { sql } from 'kysely';
import type { Mode } from '../../db/columns.ts';
import type { Db } from '../../db/tables.ts';
import { underAccountLock } from '../account-lock.ts';
import { bookFill } from '../accounting/book-fill.ts';
import { audit } from '../audit.ts';
import type { BooksKey, Work } from '../context.ts';
import { exact, ZERO } from '../decimal.ts';
import { recordEvents } from '../events.ts';
import { LIVE_STATUSES, statusList } from '../order-states.ts';
import { orderChanged } from '../orders/events.ts';
import { cancelOrRequestCancel } from '../orders/lifecycle/cancel.ts';
import { canceledFor } from '../orders/lifecycle/taking-back.ts';

/** Books that still hold, or have live orders in, an instrument whose venue has stated what it pays. */
export async function findToSettle(db: Db): Promise<(BooksKey & { tokenId: string })[]> {
  const { rows } = await sql<{ account_id: string; mode: Mode; token_id: string }>`
    select p.account_id, p.mode, p.token_id from position p
      join instrument i on i.token_id = p.token_id
      where p.amount > 0 and i.settlement_value is not null
    union
    select o.account_id, o.mode, o.token_id from trade_order o
      join instrument i on i.token_id = o.token_id
      where o.status in ${statusList(LIVE_STATUSES)} and i.settlement_value is not null`.execute(db);
  return rows.map(({ account_id, mode, token_id }) => ({ accountId: account_id, mode, tokenId: token_id }));
}

/**
 * Pays out what an account holds of a settled instrument, at the venue's value. Live orders in it end first: while
 * the venue may still have one, nothing is paid and the next call looks again. A second call finds nothing to pay.
 *
 * @returns whether everything is paid.
 */
export async function settleAccount(work: Work, tokenId: string): Promise<boolean> {
  return underAccountLock(work, async (tx, now) => {
    const { db } = tx;
    const instrument = await db
      .selectFrom('instrument')
      .select(['venue', 'settlement_value'])
      .where('token_id', '=', tokenId)
      .executeTakeFirstOrThrow();
    if (instrument.settlement_value === null) return false;
    if (!(await endOrders(tx, tokenId, now))) return false;

    const value = exact(instrument.settlement_value);
    const positions = await db
      .selectFrom('position')
      .select(['id', 'blueprint_id', 'amount', 'total_cost', 'fill_count'])
      .where('account_id', '=', tx.accountId)
      .where('mode', '=', tx.mode)
      .where('token_id', '=', tokenId)
      .where('amount', '>', '0')
      .orderBy('opened_at')
      .orderBy('id')
      .execute();
    for (const position of positions) {
      const amount = exact(position.amount);
      const draw = { positionId: position.id, amount, totalCost: exact(position.total_cost), draw: amount };
      const booked = await bookFill(
        tx,
        {
          kind: 'settlement',
          orderId: null,
          tokenId,
          venue: instrument.venue,
          // A late fill can open a settled position again: then its next settlement is another one.
          venueTradeId: `settlement:${position.id}:${position.fill_count}`,
          side: 'sell',
          amount,
          price: value,
          fee: ZERO,
          at: now,
        },
        now,
        async () => [draw],
      );
      if (booked === null) throw new Error(`Position ${position.id} holds what was settled already.`);
      await audit(tx, {
        action: 'position.settled',
        subjectId: position.id,
        before: { amount: amount.toFixed() },
        after: { amount: '0', value: value.toFixed(), realizedPnl: booked.realizedPnl.toFixed() },
        at: now,
      });
    }
    await recordEvents(
      tx,
      now,
      positions.map(({ blueprint_id }) => ({
        type: 'position.changed' as const,
        payload: { tokenId, blueprintId: blueprint_id, settled: value.toFixed() },
      })),
    );
    return true;
  });
}

/** Ends the account's live orders in the instrument; false while the venue still has to confirm one. */
async function endOrders(tx: Work, tokenId: string, now: Date): Promise<boolean> {
  const orders = await tx.db
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('token_id', '=', tokenId)
    .where(sql<boolean>`status in ${statusList(LIVE_STATUSES)}`)
    .execute();
  const events = [];
  let mustWait = false;
  for (const order of orders) {
    if (order.cancel_requested_at !== null) {
      mustWait = true;
      continue;
    }
    const after = await cancelOrRequestCancel(tx, order, now, canceledFor('Its market is settled.'));
    if (after === null) continue;
    events.push(orderChanged(after));
    mustWait ||= after.status !== 'canceled';
  }
  await recordEvents(tx, now, events);
  return !mustWait;
}
