import { type Exact, exact, ZERO } from '../../../platform/decimal.ts';
import { aggregatesOf, type Basis } from '../../../risk/basis.ts';
import { type Decision, decide } from '../../../risk/decide.ts';
import type { Approval, EnvelopeFacts, LiveFacts, PassageFacts } from '../../../risk/facts.ts';
import type { Market, OrderRow } from '../row.ts';
import type { TradingSettings } from '../settings.ts';
import { type FreeHolding, totalFree } from '../terms/allocate.ts';
import { type Draft, type DraftRequest, draftOrder } from '../terms/draft.ts';
import { freeOfAllocated } from './approval-checks.ts';

/** What a proposal is judged by, all of one moment. `holdings` are what a sell may draw on, oldest first. */
export type ProposalFacts = {
  readonly market: Market;
  readonly holdings: readonly FreeHolding[];
  readonly basis: Basis;
  readonly approval: Approval;
  /** Of the key behind it, if it has one. */
  readonly envelope?: EnvelopeFacts | null;
  /** With real money, the way it would leave by; null on paper. */
  readonly route?: PassageFacts | null;
  /** With real money, what bounds it; null on paper. */
  readonly live?: LiveFacts | null;
};

/**
 * The first look: the order a wish comes to, and what the rules say of it.
 *
 * @throws DomainError as {@link draftOrder}.
 */
export function judgeProposal(
  request: DraftRequest & { tokenId: string; blueprintId?: string | undefined },
  { market, holdings, basis, approval, envelope, route, live }: ProposalFacts,
  now: Date,
  settings: TradingSettings,
): { draft: Draft; decision: Decision } {
  const draft = draftOrder(request, market, holdings, now, settings, live != null);
  const { amount, size, worstFee } = draft;
  const { tokenId, side, blueprintId } = request;
  const decision = decide(
    basis.rules,
    aggregatesOf(basis, totalFree(holdings), now),
    {
      tokenId,
      side,
      amount,
      size,
      worstFee,
      approval,
      blueprintId,
      envelope: envelope ?? undefined,
      route: route ?? undefined,
      live: live ?? undefined,
    },
    now,
  );
  return { draft, decision };
}

/** What a sell was shown to draw on, and what is free of the account's holdings; none of a buy. */
export type Drawable = {
  readonly allocations: readonly { readonly position_id: string; readonly amount: string }[];
  readonly holdings: readonly FreeHolding[];
};

/** What the rules see of an order that is there already: `basis`, `drawable` and `live` leave the order itself out. */
export type Recheck = {
  readonly basis: Basis;
  readonly drawable: Drawable;
  /** With real money, the way it would leave by; null on paper. */
  readonly route?: PassageFacts | null;
  /** With real money, what bounds it; null on paper. */
  readonly live?: LiveFacts | null;
};

/** The second look: the same rules as at the proposal. */
export const recheck = (
  order: OrderRow,
  { basis, drawable, route, live }: Recheck,
  now: Date,
  by: 'person' | 'nobody',
): Decision =>
  decide(
    basis.rules,
    aggregatesOf(basis, stillFree(order, drawable), now),
    {
      tokenId: order.token_id,
      side: order.side,
      amount: exact(order.amount),
      size: exact(order.size),
      worstFee: exact(order.worst_fee),
      approval: { by },
      blueprintId: order.blueprint_id,
      route: route ?? undefined,
      live: live ?? undefined,
    },
    now,
  );

/** How much of what the sell was shown to draw on is free now, position by position. */
const stillFree = ({ side }: OrderRow, { allocations, holdings }: Drawable): Exact =>
  side === 'buy' ? ZERO : freeOfAllocated(allocations, holdings);
