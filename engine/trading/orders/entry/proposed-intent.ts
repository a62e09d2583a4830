import type { OrderOrigin, OrderType } from '../../../../db/entities/order.ts';
import type { Json } from '../../../../db/json.ts';
import type { Side, TimeInForce } from '../../../../db/vocabulary.ts';
import { isSessionActor } from '../../../platform/audit/session-actor.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Decision } from '../../../risk/decide.ts';
import type { Approval } from '../../../risk/risk-inputs.ts';
import { SEND_WITHIN_MS, type TradingSettings } from '../settings.ts';
import { noLaterThan } from '../terms/good-till.ts';

/** A requested order before any check. Decimals are strings. */
export type ProposedIntent = {
  origin: OrderOrigin;
  blueprintId: string;
  /** With the three fields below: the origin in a deployment. Absent for a person or key. */
  deploymentId?: string;
  releaseNumber?: number;
  nodeId?: string;
  stepAt?: Date;
  tokenId: string;
  side: Side;
  type: OrderType;
  /** A market order is always `ioc`. */
  timeInForce: TimeInForce;
  amount: string;
  /** Required for a limit order. A market order gets its price band instead. */
  limitPrice?: string;
  /** Maximum slippage of a market order; default from the settings. */
  slippage?: string;
  /** Seconds after creation when a resting order is canceled; absent: it rests until filled or canceled. */
  expireAfterSec?: number;
  /** Time zone whose next midnight cancels a resting order. */
  dayZone?: string;
  /** The wait for this decision; absent: none. */
  waitedMs?: number;
  /** Raised by a node that keeps one order at a price: a `quote` or `target`. */
  isKept?: true;
  /** Node values that led to it, at most 8 KB. */
  inputs: Json;
  /** The release whose deploy approved this exit in advance. */
  preapprovedRelease?: number;
  /** Which positions a sell may draw on: the blueprint's own (default), or all of the account's, oldest first. */
  allocate?: 'blueprint' | 'account';
};

/** Properties of the raising deployment that decide about an intent. */
export type FencedDeployment = { releaseNumber: number; halted: boolean };

/** A sell of an `exit` or `close` node: it sells now, which a `target` that rests may never do. */
export const isExitSell = ({
  deploymentId,
  origin,
  isKept,
}: Pick<ProposedIntent, 'deploymentId' | 'origin' | 'isKept'>): boolean =>
  deploymentId !== undefined && origin !== 'order' && isKept === undefined;

/** Returns the columns that follow from the verdict: status, expiry and reason. No wait outlasts `goodTill`. */
export function statusByVerdict(
  { verdict, denial }: Decision,
  now: Date,
  { approvalMs }: TradingSettings,
  goodTill: Date | null = null,
) {
  const end = (waitMs: number) => noLaterThan(goodTill, new Date(now.getTime() + waitMs));
  switch (verdict) {
    case 'denied':
      return {
        status: verdict,
        ended_at: now,
        reason_code: denial?.code ?? null,
        reason: denial?.message ?? null,
      };
    case 'pending':
      return { status: verdict, expires_at: end(approvalMs) };
    case 'queued':
      return { status: verdict, queued_at: now, expires_at: end(SEND_WITHIN_MS) };
  }
}

/** @throws DomainError `invalid_state` for a buy or a kept order of a deployment that has halted its entries. */
export function refuseHaltedEntry(
  { halted }: FencedDeployment,
  { side, deploymentId, isKept }: Pick<ProposedIntent, 'side' | 'deploymentId' | 'isKept'>,
): void {
  if (!halted || (side !== 'buy' && isKept === undefined)) return;
  throw new DomainError(
    'invalid_state',
    `Deployment ${deploymentId} has an error: its entries are halted until it is deployed again.`,
  );
}

/** Returns the standing approval. It covers sells of an exit, only in the release whose deploy gave it. */
export function standingApprovalOf(
  intent: Pick<ProposedIntent, 'origin' | 'side' | 'preapprovedRelease'>,
  deployment: FencedDeployment | null,
): Approval {
  const { origin, side, preapprovedRelease } = intent;
  const isFrozenExit =
    origin === 'exit' &&
    side === 'sell' &&
    preapprovedRelease !== undefined &&
    preapprovedRelease === deployment?.releaseNumber;
  return isFrozenExit ? { by: 'deploy', release: preapprovedRelease } : { by: 'nobody' };
}

/** Returns the approval of a request: that of a web session approves its own sell, but no buy. That of a key approves nothing. */
export const approvalByRequest = ({ actor }: Pick<Work, 'actor'>, side: Side): Approval =>
  side === 'sell' && isSessionActor(actor) ? { by: 'request' } : { by: 'nobody' };
