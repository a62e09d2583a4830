import type { OrderType, Side } from '../../db/entities/order.ts';
import { dbOf, type Work } from '../context.ts';
import { totalFree } from '../orders/allocate.ts';
import { draftOrder } from '../orders/draft.ts';
import { readHoldings } from '../orders/holdings.ts';
import { readMarket } from '../orders/read-market.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../orders/settings.ts';
import { aggregatesOf } from './basis.ts';
import { type Denial, decide } from './decide.ts';
import { readBasis } from './read-basis.ts';
import { type Receipt, writeReceipt } from './receipt.ts';

/** An order that is only thought of. `limitPrice` is required for a limit order. Decimals are strings. */
export type OrderProposal = {
  tokenId: string;
  side: Side;
  amount: string;
  type: OrderType;
  limitPrice?: string | undefined;
  slippage?: string | undefined;
  /** A sell of this blueprint's own position; without it, of all the account holds. */
  blueprintId?: string | undefined;
};

export type OrderPreview = {
  verdict: 'queued' | 'pending' | 'denied';
  amount: string;
  limitPrice: string;
  size: string;
  worstFee: string;
  receipt: Receipt;
  denial: Denial | null;
};

/**
 * The receipt a proposed order would get now, from the same functions that would decide it, without any effect.
 *
 * @throws DomainError as the proposal would: `not_found`, `market_not_open`, `quote_unavailable`, `no_liquidity`,
 *   `validation_failed`.
 */
export async function previewOrder(
  work: Work,
  proposal: OrderProposal,
  settings: TradingSettings = DEFAULT_TRADING_SETTINGS,
): Promise<OrderPreview> {
  const { tokenId, side, blueprintId = null } = proposal;
  const now = await work.clock(dbOf(work));
  const market = await readMarket(work, tokenId);
  const holdings = side === 'sell' ? await readHoldings(work, { tokenId, blueprintId, now }) : [];
  const draft = draftOrder({ ...proposal, origin: 'order' }, market, holdings, now, settings);
  const basis = await readBasis(work, { tokenId, now });
  const { amount, size, worstFee } = draft;
  const decision = decide(
    basis.rules,
    aggregatesOf(basis, totalFree(holdings)),
    { side, amount, size, worstFee, approval: { by: 'nobody' } },
    now,
  );
  return {
    verdict: decision.verdict,
    amount: amount.toFixed(),
    limitPrice: draft.limitPrice.toFixed(),
    size: size.toFixed(),
    worstFee: worstFee.toFixed(),
    receipt: writeReceipt(basis, decision, now),
    denial: decision.denial,
  };
}
