import { type Exact, exact, ZERO } from '../../../platform/decimal.ts';
import { type Decision, decide } from '../../../risk/decide.ts';
import type {
  Approval,
  LiveOrderInputs,
  RouteInputs,
  SpendingLimitInputs,
} from '../../../risk/risk-inputs.ts';
import { aggregatesOf, type RiskSnapshot } from '../../../risk/risk-snapshot.ts';
import { accountSuspended } from '../../accounts/suspension.ts';
import type { Market, OrderRow } from '../row.ts';
import type { TradingSettings } from '../settings.ts';
import { type FreeHolding, totalFree } from '../terms/allocate.ts';
import { type Draft, type DraftRequest, draftOrder } from '../terms/draft.ts';
import { freeAllocatedAmount } from './approval-checks.ts';

/** Inputs of a proposal's decision, all of one moment. `holdings` are the positions a sell may draw on, oldest first. */
export type ProposalFacts = {
  readonly market: Market;
  readonly holdings: readonly FreeHolding[];
  readonly snapshot: RiskSnapshot;
  readonly approval: Approval;
  /** Spending limits of the key behind it, if it has any. */
  readonly envelope?: SpendingLimitInputs | null;
  /** Route to the venue with real money; null on paper. */
  readonly route?: RouteInputs | null;
  /** Limits and sums for real money; null on paper. */
  readonly live?: LiveOrderInputs | null;
};

/**
 * Drafts the order of a request, and decides it by the rules.
 *
 * @throws DomainError `account_suspended` for a buy, and as {@link draftOrder}.
 */
export function evaluateProposal(
  request: DraftRequest & { tokenId: string; blueprintId?: string | undefined },
  { market, holdings, snapshot, approval, envelope, route, live }: ProposalFacts,
  now: Date,
  settings: TradingSettings,
): { draft: Draft; decision: Decision } {
  refuseSuspendedBuy(request.side, snapshot);
  const draft = draftOrder(request, market, holdings, now, settings, live != null);
  const { amount, size, maxFee } = draft;
  const { tokenId, side, blueprintId } = request;
  const decision = decide(
    snapshot.rules,
    aggregatesOf(snapshot, totalFree(holdings), now),
    {
      tokenId,
      side,
      amount,
      size,
      maxFee,
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

/** An operator's suspension lets an account out of positions, and into none. */
export function refuseSuspendedBuy(side: OrderRow['side'], { suspension }: RiskSnapshot): void {
  if (side === 'buy' && suspension !== undefined) throw accountSuspended();
}

/** Allocations of a sell, and the account's free holdings; empty for a buy. */
export type AllocatedHoldings = {
  readonly allocations: readonly { readonly position_id: string; readonly amount: string }[];
  readonly holdings: readonly FreeHolding[];
};

/** Inputs of the rules for a stored order: `snapshot`, `drawable` and `live` exclude the order itself. */
export type RecheckInput = {
  readonly snapshot: RiskSnapshot;
  readonly drawable: AllocatedHoldings;
  /** Route to the venue with real money; null on paper. */
  readonly route?: RouteInputs | null;
  /** Limits and sums for real money; null on paper. */
  readonly live?: LiveOrderInputs | null;
};

/** Checks a stored order again, by the same rules as at the proposal. */
export const recheck = (
  order: OrderRow,
  { snapshot, drawable, route, live }: RecheckInput,
  now: Date,
  by: 'person' | 'nobody',
): Decision =>
  decide(
    snapshot.rules,
    aggregatesOf(snapshot, stillFree(order, drawable), now),
    {
      tokenId: order.token_id,
      side: order.side,
      amount: exact(order.amount),
      size: exact(order.size),
      maxFee: exact(order.worst_fee),
      approval: { by },
      blueprintId: order.blueprint_id,
      route: route ?? undefined,
      live: live ?? undefined,
    },
    now,
  );

/** Sums how much of a sell's allocations is free now, by position. */
const stillFree = ({ side }: OrderRow, { allocations, holdings }: AllocatedHoldings): Exact =>
  side === 'buy' ? ZERO : freeAllocatedAmount(allocations, holdings);
