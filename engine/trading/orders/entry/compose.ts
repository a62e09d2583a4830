import { withTextTimestamps } from '../../../platform/clock/timestamp-text.ts';
import type { BooksKey } from '../../../platform/context.ts';
import type { Decision } from '../../../risk/decide.ts';
import { buildReceipt } from '../../../risk/receipt.ts';
import type { OrderRow } from '../row.ts';
import type { TradingSettings } from '../settings.ts';
import { type Allocation, allocate } from '../terms/allocate.ts';
import { defaultGoodTill, goodTillOf } from '../terms/good-till.ts';
import { evaluateProposal, type ProposalFacts } from './evaluate-proposal.ts';
import { isExitSell, type ProposedIntent, statusByVerdict } from './proposed-intent.ts';

/** Books, time and id of a new order. */
export type OrderCreation = BooksKey & {
  readonly id: string;
  readonly now: Date;
  readonly settings: TradingSettings;
};

/** An order to store, its allocations, and whether it takes precedence over sells that wait for approval. */
export type ComposedOrder = {
  readonly order: OrderRow;
  readonly allocations: readonly Allocation[];
  readonly goesFirst: boolean;
};

/**
 * Composes the order of an intent: denied, pending or queued, with the receipt of the rules in force. Pure.
 *
 * @throws DomainError if no decision is possible: `market_not_open`, `quote_unavailable`, `no_liquidity`,
 *   `validation_failed`.
 */
export function composeOrder(
  intent: ProposedIntent,
  facts: ProposalFacts,
  creation: OrderCreation,
): ComposedOrder {
  const { now, settings } = creation;
  const { draft, decision } = evaluateProposal(intent, facts, now, settings);
  const { market, holdings, snapshot, approval } = facts;
  const isDenied = decision.verdict === 'denied';
  const requestedEnd = isDenied ? null : goodTillOf(intent, now);
  const isCleared = decision.verdict === 'queued';
  const goodTill =
    requestedEnd ?? (isCleared ? defaultGoodTill({ ...intent, mode: creation.mode }, now) : null);
  const at = now.toISOString();
  return {
    order: {
      account_id: creation.accountId,
      id: creation.id,
      mode: creation.mode,
      blueprint_id: intent.blueprintId,
      deployment_id: intent.deploymentId ?? null,
      release_number: intent.releaseNumber ?? null,
      node_id: intent.nodeId ?? null,
      step_at: intent.stepAt?.toISOString() ?? null,
      origin: intent.origin,
      token_id: intent.tokenId,
      venue: market.instrument.venue,
      side: intent.side,
      type: intent.type,
      time_in_force: intent.type === 'market' ? 'ioc' : intent.timeInForce,
      amount: draft.amount.toFixed(),
      limit_price: draft.limitPrice.toFixed(),
      size: draft.size.toFixed(),
      worst_fee: draft.maxFee.toFixed(),
      filled_amount: '0',
      filled_notional: '0',
      fees: '0',
      receipt: buildReceipt(snapshot, decision, now, facts),
      rules_version: snapshot.rulesVersion,
      approval_receipt: null,
      inputs: intent.inputs,
      decided_quote: draft.decidedQuote,
      preapproved_release: approval.by === 'deploy' ? approval.release : null,
      approved_by: null,
      venue_order_id: null,
      connection_id: facts.route?.connectionId ?? null,
      cancel_requested_at: null,
      created_at: at,
      submitted_at: null,
      good_till: goodTill?.toISOString() ?? null,
      updated_at: at,
      version: 1,
      archived_part: null,
      queued_at: null,
      ended_at: null,
      expires_at: null,
      reason_code: null,
      reason: null,
      ...withTextTimestamps(statusByVerdict(decision, now, settings, goodTill)),
    },
    allocations: isDenied ? [] : (allocate(holdings, draft.amount) ?? []),
    goesFirst: goesFirst(intent, decision),
  };
}

/** Whether a queued exit takes precedence over sells that wait for approval. */
const goesFirst = (intent: ProposedIntent, { verdict }: Decision): boolean =>
  verdict === 'queued' && isExitSell(intent);
