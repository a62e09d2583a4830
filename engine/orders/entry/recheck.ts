import { readPassageOf } from '../../connections/passage.ts';
import type { Work } from '../../context.ts';
import { readBasis } from '../../risk/read-basis.ts';
import { readLive } from '../../risk/read-live.ts';
import { type Receipt, writeReceipt } from '../../risk/receipt.ts';
import { loadOrder } from '../load.ts';
import { readHoldings } from '../read/holdings.ts';
import type { OrderRow } from '../row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import { refuseUnlessPending } from './approval-checks.ts';
import { type Drawable, judgeAgain, type SecondLook } from './judge.ts';

/**
 * What an approval of a pending order would see now, without any effect. That it waits for a person is still so.
 *
 * @throws DomainError `not_found`, `intent_expired`, `intent_not_pending`.
 */
export async function approvalPreview(
  work: Work,
  id: string,
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<Receipt> {
  const now = await work.clock(work.db);
  const order = await loadOrder(work, id);
  refuseUnlessPending(order, now);
  const facts = await readAgain(work, order, now, settings);
  return writeReceipt(facts.basis, judgeAgain(order, facts, now, 'nobody'), now, facts);
}

/** What the rules see of an order that is there already, at `now`. */
export const readAgain = async (
  work: Work,
  order: OrderRow,
  now: Date,
  settings: TradingSettings,
): Promise<SecondLook> => ({
  basis: await readBasis(work, { now, leaveOut: order.id }),
  drawable: await readDrawable(work, order, now),
  passage: await readPassageOf(work, order, settings),
  live: await readLive(work, { ...order, connectionId: order.connection_id }, settings.liveCaps, now),
});

/** What a sell was shown to draw on, and what of the account's holdings no other sell has reserved. */
async function readDrawable(work: Work, order: OrderRow, now: Date): Promise<Drawable> {
  if (order.side === 'buy') return { allocations: [], holdings: [] };
  const allocations = await work.db
    .selectFrom('order_allocation')
    .select(['position_id', 'amount'])
    .where('account_id', '=', work.accountId)
    .where('order_id', '=', order.id)
    .execute();
  const holdings = await readHoldings(work, {
    tokenId: order.token_id,
    blueprintId: null,
    now,
    leaveOut: order.id,
  });
  return { allocations, holdings };
}
