import type { Evaluation } from '../../../../engine/strategy/graph/types.ts';
import type { FencedDeployment } from './deployment.ts';

/** How often values go to the row while somebody watches, and otherwise: a row is some 3 kB of the log of changes, with its page. */
const WATCHED_PERIOD_MS = 2_000;
const UNWATCHED_PERIOD_MS = 3_600_000;

/** What of an evaluation is stored. */
export type WhatToStore = { memory: boolean; nodeStates: boolean };

/**
 * A change of memory, of a status or of a reason is durable at once. Values, distances and times live in the process
 * and follow while somebody watches, and now and then otherwise. `nowMs` is process time. Pure.
 */
export function whatToStore(
  deployment: Pick<FencedDeployment, 'memory' | 'signature' | 'isWatched' | 'statesWrittenMs'>,
  { memory, signature }: Pick<Evaluation, 'memory' | 'signature'>,
  nowMs: number,
): WhatToStore {
  const hasNewMemory = memory !== deployment.memory;
  const periodMs = deployment.isWatched ? WATCHED_PERIOD_MS : UNWATCHED_PERIOD_MS;
  const isDue = nowMs - deployment.statesWrittenMs >= periodMs;
  return {
    memory: hasNewMemory,
    nodeStates: signature !== deployment.signature || isDue,
  };
}
