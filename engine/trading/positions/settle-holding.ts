import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { Mode, Venue } from '../../../db/vocabulary.ts';
import { VENUES } from '../../../venues/catalogue.ts';
import { heldPositionsOf } from '../../books/accounting/positions-of.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { BooksKey, Work } from '../../platform/context.ts';
import { sumOf } from '../../platform/decimal.ts';
import { LIVE_STATUSES } from '../../platform/order-states.ts';
import { statusList } from '../../platform/sql-fragments.ts';
import { valueAt } from '../../platform/valuation.ts';
import { storeOutcome } from '../orders/lifecycle/transition.ts';
import { liveOrdersOf } from '../orders/load.ts';
import { recordUnredeemedPayout } from '../reconciliation/unredeemed-payout.ts';
import { bookPayout, readHoldingConnection } from './payout.ts';
import { type Payout, planSettlement } from './plan-settlement.ts';

/** Finds books with a holding or live orders in an instrument whose settlement value is stated. */
export async function findHoldingsToSettle(db: Db): Promise<(BooksKey & { tokenId: string })[]> {
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
 * Pays out an account's holding of a settled instrument, at the venue's value. Live orders in it end first: while the venue
 * may still have one, nothing is paid, and the next call tries again. A second call finds nothing to pay.
 *
 * @returns whether everything is paid.
 */
export async function settleHolding(work: Work, tokenId: string): Promise<boolean> {
  return underAccountLock(work, async (tx, now) => {
    const instrument = await tx.db
      .selectFrom('instrument')
      .select(['token_id', 'venue', 'settlement_value'])
      .where('token_id', '=', tokenId)
      .executeTakeFirstOrThrow();
    const holdings = {
      orders: await liveOrdersOf(tx).where('token_id', '=', tokenId).execute(),
      positions: await heldPositionsOf(tx, tokenId).execute(),
      connectionId: await readHoldingConnection(tx, tokenId),
    };
    const settlement = planSettlement(instrument, holdings, { actor: tx.actor, now });
    if (settlement === null) return false;
    await storeOutcome(tx, now, settlement.orders);
    if (settlement.payout === null) return false;
    await bookPayout(tx, now, settlement.payout);
    await claimPayout(tx, now, instrument, settlement.payout);
    return true;
  });
}

/** Records a claim for the payout at a venue that pays only after the owner redeems it. */
async function claimPayout(
  tx: Work,
  now: Date,
  { token_id, venue }: { readonly token_id: string; readonly venue: Venue },
  { fills }: Payout,
): Promise<void> {
  const connectionId = fills[0]?.fill.connectionId ?? null;
  if (connectionId === null || !VENUES[venue].clearing.paysOnRedemption) return;
  const worth = sumOf(fills.map(({ fill }) => valueAt(fill.amount, fill.price)));
  if (worth.gt(0)) await recordUnredeemedPayout(tx, connectionId, { tokenId: token_id, worth }, now);
}
