import type { OrderOrigin, OrderType } from '../../../../db/entities/order.ts';
import type { Json } from '../../../../db/json.ts';
import type { Side, TimeInForce } from '../../../../db/vocabulary.ts';
import { isSession } from '../../../platform/audit/actor.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Decision } from '../../../risk/decide.ts';
import type { Approval } from '../../../risk/facts.ts';
import { SEND_WITHIN_MS, type TradingSettings } from '../settings.ts';
import { noLaterThan } from '../terms/good-till.ts';

/** What somebody wants done, before any rule has looked at it. Decimals are strings. */
export type ProposedIntent = {
  origin: OrderOrigin;
  blueprintId: string;
  /** With the three below: what raised it. Absent for a person or key. */
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
  /** How far a market order may go beyond the quote; default from the settings. */
  slippage?: string;
  /** What may rest is taken back so many seconds after its birth; absent: it rests until filled or canceled. */
  expireAfterSec?: number;
  /** Node values that led to it, at most 8 KB. */
  inputs: Json;
  /** The release whose deploy approved this exit in advance. */
  preapprovedRelease?: number;
  /** Which positions a sell may draw on: the blueprint's own (default), or all of the account's, oldest first. */
  allocate?: 'blueprint' | 'account';
};

/** What of the deployment that raised an intent decides about it. */
export type FencedDeployment = { releaseNumber: number; halted: boolean };

/** A sell of an `exit` or `close` node. */
export const isExit = ({ deploymentId, origin }: Pick<ProposedIntent, 'deploymentId' | 'origin'>): boolean =>
  deploymentId !== undefined && origin !== 'order';

/** The columns that follow from the verdict: status, what ends it, and why. No wait outlasts what the order is good till. */
export function statusOf(
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

/** @throws DomainError `invalid_state` for a buy of a deployment that has halted its entries. */
export function refuseHaltedEntry(
  { halted }: FencedDeployment,
  { side, deploymentId }: Pick<ProposedIntent, 'side' | 'deploymentId'>,
): void {
  if (!halted || side !== 'buy') return;
  throw new DomainError(
    'invalid_state',
    `Deployment ${deploymentId} has an error: its entries are halted until it is deployed again.`,
  );
}

/** The standing approval holds for sells of an exit, and only of the release whose deploy gave it. */
export function approvalOf(
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

/** A close that a web session asks for is its own approval; one that a key asks for is not. */
export const approvalByRequest = ({ actor }: Pick<Work, 'actor'>): Approval =>
  isSession(actor) ? { by: 'request' } : { by: 'nobody' };
