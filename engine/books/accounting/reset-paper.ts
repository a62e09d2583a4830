import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { exact, sumOf } from '../../platform/decimal.ts';
import { DomainError } from '../../platform/errors.ts';
import { isPastItsTime, LIVE_STATUSES } from '../../platform/order-states.ts';
import { moveCash } from './move-cash.ts';

/** USD: the account's cash now, and the amount brought in, or taken out if below 0. */
export type PaperReset = { readonly cash: string; readonly moved: string };

/**
 * Resets the cash of a paper account to its starting amount, by a transfer. The result so far stays, as it does with money from
 * outside. A repeated call moves nothing.
 *
 * @throws DomainError `invalid_state` in another mode, and while a strategy runs, an order is open or a position is held.
 */
export async function resetPaper(work: Work): Promise<PaperReset> {
  if (work.mode !== 'paper')
    throw new DomainError('invalid_state', 'Only a paper account can be reset; real money is at venues.');
  return underAccountLock(work, async (tx, now) => {
    await refuseWhileBusy(tx, now);
    const [start, cash] = [await begunWith(tx), await cashOf(tx)];
    const amount = start.minus(cash);
    if (!amount.isZero()) {
      const reason = `Reset of the paper account to ${start.toFixed()} USD.`;
      await moveCash(tx, { kind: 'transfer', amount, connectionId: null, reason }, now);
    }
    return { cash: start.toFixed(), moved: amount.toFixed() };
  });
}

async function refuseWhileBusy(tx: Work, now: Date): Promise<void> {
  const running = await tx.db
    .selectFrom('deployment')
    .select('id')
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('ended_at', 'is', null)
    .execute();
  const orders = await tx.db
    .selectFrom('trade_order')
    .select(['status', 'expires_at'])
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('status', 'in', LIVE_STATUSES)
    .execute();
  const held = await tx.db
    .selectFrom('position')
    .select('id')
    .where('account_id', '=', tx.accountId)
    .where('mode', '=', tx.mode)
    .where('amount', '>', '0')
    .execute();
  const busy = [
    counted(running.length, 'strategy runs', 'strategies run'),
    counted(orders.filter((order) => !isPastItsTime(order, now)).length, 'order is open', 'orders are open'),
    counted(held.length, 'position is held', 'positions are held'),
  ].filter((words) => words !== null);
  if (busy.length === 0) return;
  throw new DomainError(
    'invalid_state',
    `The paper account is in use: ${busy.join(', ')}. Stop strategies, cancel orders and close positions, then reset it.`,
  );
}

const counted = (count: number, one: string, many: string): string | null =>
  count === 0 ? null : `${count} ${count === 1 ? one : many}`;

async function begunWith({ db, accountId, mode }: Work) {
  const deposits = await db
    .selectFrom('cash_entry')
    .select('amount')
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .where('kind', '=', 'deposit')
    .execute();
  return sumOf(deposits.map(({ amount }) => exact(amount)));
}

async function cashOf({ db, accountId, mode }: Work) {
  const { cash } = await db
    .selectFrom('trading_account')
    .select('cash')
    .where('account_id', '=', accountId)
    .where('mode', '=', mode)
    .executeTakeFirstOrThrow();
  return exact(cash);
}
