import { sql } from 'kysely';
import type { OrderStatus } from '../../../../db/entities/order.ts';
import { isSessionActor } from '../../../platform/audit/session-actor.ts';
import { BY_HAND_ID } from '../../../platform/by-hand.ts';
import type { Work } from '../../../platform/context.ts';
import { exact } from '../../../platform/decimal.ts';
import { DomainError } from '../../../platform/errors.ts';
import { spendingLimitsOfActor } from '../../keys/read-spending-limits.ts';
import type { QuoteRow } from '../row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../settings.ts';
import type { DecisionScope } from './account/load-decision-data.ts';
import { withAccount } from './account/with-account.ts';
import type { ManualOrder } from './plan-manual-order.ts';
import { refuseDenied } from './refusals.ts';

export type ManualIntent = { intentId: string; status: OrderStatus; amount: string; limitPrice: string };

/** `quote` is for an instrument that no strategy, position or order uses yet: the feed does not follow it. */
export type ManualOrderOptions = { settings?: TradingSettings; quote?: QuoteRow | null };

/**
 * Creates the order of a person or key, in one transaction under the account's lock.
 *
 * @throws DomainError as `Account.orderByHand`; `outside_envelope` for a live buy of a key without `allowsUntried`; and
 *   `risk_rule_violated` after the denied order is committed.
 */
export async function createManualOrder(
  work: Work,
  request: ManualOrder,
  { settings = DEFAULT_TRADING_SETTINGS, quote = null }: ManualOrderOptions = {},
): Promise<ManualIntent> {
  const order = await withAccount(
    work,
    (tx) => prepareManualOrder(tx, request, quote),
    settings,
    (account, doing) => account.orderByHand(request, doing),
  );
  refuseDenied(order);
  return {
    intentId: order.id,
    status: order.status,
    amount: exact(order.amount).toFixed(),
    limitPrice: exact(order.limit_price).toFixed(),
  };
}

async function prepareManualOrder(
  tx: Work,
  { tokenId, side }: ManualOrder,
  quote: QuoteRow | null,
): Promise<DecisionScope> {
  if (side === 'buy') {
    await requireVouching(tx);
    await ensureBlueprintByHand(tx);
  }
  return {
    tokenIds: [tokenId],
    toSell: side === 'sell' ? [tokenId] : [],
    bound: { tokenId, side, blueprintId: side === 'sell' ? null : BY_HAND_ID },
    quote,
  };
}

/** Refuses a key that buys live, unless a person vouched for what has not run on paper: an order by hand never has. */
async function requireVouching(tx: Work): Promise<void> {
  if (tx.mode !== 'live' || isSessionActor(tx.actor)) return;
  if ((await spendingLimitsOfActor(tx))?.allowsUntried === true) return;
  throw new DomainError(
    'outside_envelope',
    'This key cannot buy by hand with real money: its spending limits do not have `allowsUntried`. Order in a web session, or with a key that has it.',
  );
}

async function ensureBlueprintByHand({ db, accountId }: Work): Promise<void> {
  const now = sql<string>`statement_timestamp()`;
  await db
    .insertInto('blueprint')
    .values({
      account_id: accountId,
      id: BY_HAND_ID,
      name: 'By hand',
      created_at: now,
      updated_at: now,
      deleted_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
