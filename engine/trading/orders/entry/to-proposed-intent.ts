import type { Intent } from '../../../strategy/graph/types.ts';
import type { ProposedIntent } from './proposed-intent.ts';

/** The deployment and step that raise an intent. */
export type IntentSource = {
  readonly deploymentId: string;
  readonly blueprintId: string;
  readonly releaseNumber: number;
  readonly stepAt: Date;
  /** The wait for the decision; absent: none. */
  readonly ageMs?: number;
};

/** Converts an intent of a graph to a proposal. Sells of an exit carry the standing approval of their release. Pure. */
export function toProposedIntent(
  intent: Intent,
  { deploymentId, blueprintId, releaseNumber, stepAt, ageMs }: IntentSource,
): ProposedIntent {
  const { origin, nodeId, tokenId, side, type, timeInForce, expireAfterSec, amount, limitPrice, slippage } =
    intent;
  const { reason, inputs, dayZone, isKept } = intent;
  return {
    origin,
    blueprintId,
    deploymentId,
    releaseNumber,
    nodeId,
    stepAt,
    tokenId,
    side,
    type,
    timeInForce,
    ...(expireAfterSec === undefined ? {} : { expireAfterSec }),
    ...(dayZone === undefined ? {} : { dayZone }),
    ...(ageMs === undefined ? {} : { waitedMs: ageMs }),
    ...(isKept === undefined ? {} : { isKept }),
    amount,
    ...(limitPrice === null ? {} : { limitPrice }),
    ...(slippage === null ? {} : { slippage }),
    inputs: { reason: { ...reason }, inputs: inputs.map((input) => ({ ...input })) },
    ...(origin === 'exit' ? { preapprovedRelease: releaseNumber } : {}),
  };
}
