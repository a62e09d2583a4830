import type { OrderOrigin, OrderType } from '../../../db/entities/order.ts';
import type { Side } from '../../../db/vocabulary.ts';
import type { MarketData } from '../../../venues/port.ts';
import { BY_HAND_ID } from '../../platform/by-hand.ts';
import type { Work } from '../../platform/context.ts';
import type { Exact } from '../../platform/decimal.ts';
import type { Denial } from '../../risk/decide.ts';
import { readLiveOrderInputs } from '../../risk/read-live-order-inputs.ts';
import { readRiskSnapshot } from '../../risk/read-risk-snapshot.ts';
import { buildReceipt, type Receipt } from '../../risk/receipt.ts';
import type { Approval } from '../../risk/risk-inputs.ts';
import { readRouteOfNewOrder } from '../../trading/connections/order-route.ts';
import { evaluateProposal } from '../../trading/orders/entry/evaluate-proposal.ts';
import { approvalByRequest } from '../../trading/orders/entry/proposed-intent.ts';
import { readSellablePositions } from '../../trading/orders/read/sellable-positions.ts';
import type { Market } from '../../trading/orders/row.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../../trading/orders/settings.ts';
import { totalHeld } from '../../trading/orders/terms/allocate.ts';
import { fetchMarket } from '../../trading/orders/terms/fetch-market.ts';
import { readMarket } from '../../trading/orders/terms/read-market.ts';
import { dustReason } from '../../trading/orders/terms/unsellable.ts';
import { readBlueprint } from '../blueprints/drafts/row.ts';

/** A hypothetical order. `limitPrice` is required for a limit order. Decimals are strings. */
export type OrderProposal = {
  tokenId: string;
  side: Side;
  amount: string;
  type: OrderType;
  limitPrice?: string | undefined;
  slippage?: string | undefined;
  /** Sells this blueprint's own position; without it, the account's whole holding. */
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
  /** An effect of the order that its owner may not want, in words. */
  warning: string | null;
};

export type PreviewOptions = {
  settings?: TradingSettings;
  /** Asked for instruments that are not in use yet; without it, they are not found. */
  marketData?: Pick<MarketData, 'instrument' | 'quotes'>;
  /** Decides as if a strategy raised the order; without it, as the caller's own order. */
  as?: { origin: OrderOrigin; approval: Approval };
};

/**
 * Computes the receipt a proposed order would get now, without any effect on the account. It uses the functions that would
 * decide the order.
 *
 * @throws DomainError as the proposal would: `account_suspended` for a buy, `not_found`, `market_not_open`, `quote_unavailable`,
 *   `no_liquidity`, `validation_failed`.
 * @throws VenueError while a venue that has to be asked fails.
 */
export async function previewOrder(
  work: Work,
  proposal: OrderProposal,
  { settings = DEFAULT_TRADING_SETTINGS, marketData, as }: PreviewOptions = {},
): Promise<OrderPreview> {
  const { tokenId, side, blueprintId = null } = proposal;
  if (blueprintId !== null && blueprintId !== BY_HAND_ID) await readBlueprint(work, blueprintId);
  const now = await work.clock(work.db);
  const market = await (marketData ? fetchMarket(work, marketData, tokenId, now) : readMarket(work, tokenId));
  const holdings = side === 'sell' ? await readSellablePositions(work, { tokenId, blueprintId, now }) : [];
  // A sell is previewed as the close that a person or key would ask for.
  const origin = as?.origin ?? (side === 'sell' ? 'manual' : 'order');
  const snapshot = await readRiskSnapshot(work, { now });
  const approval: Approval = as?.approval ?? approvalByRequest(work, side);
  const { venue } = market.instrument;
  const route = await readRouteOfNewOrder(work, venue, settings);
  const live = await readLiveOrderInputs(
    work,
    { venue, token_id: tokenId, side, connectionId: route?.connectionId ?? null },
    settings.liveCaps,
    now,
  );
  const { draft, decision } = evaluateProposal(
    { ...proposal, blueprintId: blueprintId ?? BY_HAND_ID, origin },
    { market, holdings, snapshot, approval, route, live },
    now,
    settings,
  );
  const { amount, size, maxFee } = draft;
  return {
    verdict: decision.verdict,
    amount: amount.toFixed(),
    limitPrice: draft.limitPrice.toFixed(),
    size: size.toFixed(),
    worstFee: maxFee.toFixed(),
    receipt: buildReceipt(snapshot, decision, now, { route, live }),
    denial: decision.denial,
    warning: side === 'sell' ? warningOf(market, totalHeld(holdings), amount) : null,
  };
}

/** A partial sale may leave less than the venue's minimum sell size. */
function warningOf(market: Market, held: Exact, sold: Exact): string | null {
  const left = held.minus(sold);
  const dust = left.gt(0) ? dustReason(market, left) : null;
  return (
    dust && `It would leave ${left.toFixed()}, which could not be sold then. ${dust} Sell all of it, or less.`
  );
}
