import { sql } from 'kysely';
import type { Db } from '../../../../db/tables.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import type { OrderKey } from '../../../../venues/broker.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { type Exact, exact } from '../../../platform/decimal.ts';
import { feeScheduleOf } from '../../../platform/instruments/fee-schedule.ts';
import { type DecisionOutcome, decisionOutcomeOf, withOrderChange } from '../lifecycle/order-change.ts';
import { type ActionContext, planCancel } from '../lifecycle/plan-cancel.ts';
import { storeOutcome } from '../lifecycle/transition.ts';
import { loadOrder } from '../load.ts';
import type { InstrumentRow, OrderRow } from '../row.ts';
import { maxFee } from '../terms/fees.ts';

type Priced = Pick<OrderRow, 'side' | 'amount' | 'limit_price' | 'worst_fee'>;

/** Returns the maximum fee of a buy now, USD, if it exceeds the reserve of its decision; otherwise null. Pure. */
export function feeAboveReserve(
  { side, amount, limit_price, worst_fee }: Priced,
  schedule: InstrumentRow['fee_schedule'],
): Exact | null {
  if (side !== 'buy' || schedule === null) return null;
  const order = { side, amount: exact(amount), limitPrice: exact(limit_price) };
  const fee = maxFee(schedule, order);
  return fee.gt(worst_fee) ? fee : null;
}

/** Finds buys whose venue has raised its fee above their reserve, and which have no cancel request yet. */
export async function findFeeRaised(db: Db, among: readonly OrderKey[]): Promise<OrderKey[]> {
  const rows = await db
    .selectFrom('trade_order as o')
    .innerJoin(keysOf(among), (join) =>
      join
        .onRef('asked.account_id', '=', 'o.account_id')
        .onRef('asked.mode', '=', 'o.mode')
        .onRef('asked.id', '=', 'o.id'),
    )
    .innerJoin('instrument as i', 'i.token_id', 'o.token_id')
    .select([
      'o.account_id',
      'o.mode',
      'o.id',
      'o.side',
      'o.amount',
      'o.limit_price',
      'o.worst_fee',
      'i.fee_schedule',
    ])
    .where('o.side', '=', 'buy')
    .where('o.cancel_requested_at', 'is', null)
    .execute();
  return rows
    .filter((row) => feeAboveReserve(row, feeScheduleOf(row.fee_schedule)) !== null)
    .map(({ account_id, mode, id }) => ({ accountId: account_id, mode, id }));
}

/** Passes keys as rows, so that the statement is the same for any number of them. */
const keysOf = (keys: readonly OrderKey[]) =>
  sql<{
    account_id: string;
    mode: Mode;
    id: string;
  }>`unnest(${keys.map(({ accountId }) => accountId)}::uuid[],
    ${keys.map(({ mode }) => mode)}::text[], ${keys.map(({ id }) => id)}::uuid[])`.as<'asked'>(
    sql`asked(account_id, mode, id)`,
  );

/**
 * Cancels the rest of a buy that could cost more than its reserve, because its venue raised the fee: the rules and the approver
 * decided on a lower cost. Null for any other order. Pure.
 */
export function planFeeRaisedCancel(
  order: OrderRow,
  schedule: InstrumentRow['fee_schedule'],
  doing: ActionContext,
): DecisionOutcome | null {
  const fee = order.cancel_requested_at === null ? feeAboveReserve(order, schedule) : null;
  if (fee === null) return null;
  const reserved = exact(order.worst_fee).toFixed();
  const reason = `The venue raised its fee: up to ${fee.toFixed()} USD, and ${reserved} were reserved.`;
  const change = planCancel(order, { reasonCode: 'fee_raised', reason }, doing);
  if (change === null) return null;
  const audit = {
    action: 'order.fee_raised',
    subjectId: order.id,
    before: { worstFee: reserved },
    after: { worstFee: fee.toFixed(), status: withOrderChange(change).status },
    at: doing.now,
  };
  return decisionOutcomeOf([change], [audit]);
}

/** Cancels a buy whose venue has raised its fee. @see planFeeRaisedCancel */
export const cancelFeeRaised = (work: Work, id: string): Promise<void> =>
  underAccountLock(work, async (tx, now) => {
    const order = await loadOrder(tx, id);
    const { fee_schedule } = await tx.db
      .selectFrom('instrument')
      .select('fee_schedule')
      .where('token_id', '=', order.token_id)
      .executeTakeFirstOrThrow();
    const outcome = planFeeRaisedCancel(order, feeScheduleOf(fee_schedule), { actor: tx.actor, now });
    await storeOutcome(tx, now, outcome);
  });
