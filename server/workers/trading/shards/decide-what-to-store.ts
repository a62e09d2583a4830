import type { Evaluation } from '../../../../engine/strategy/graph/types.ts';
import type { DeploymentInMemory } from './deployment-in-memory.ts';

/**
 * How often values are stored while a user watches, and otherwise: a row takes some 3 kB of the write-ahead log, with its page.
 */
const WATCHED_PERIOD_MS = 2_000;
const UNWATCHED_PERIOD_MS = 3_600_000;

/** The parts of an evaluation to store. */
export type StoreDecision = { memory: boolean; nodeStates: boolean };

/**
 * A change of memory, of a status or of a reason is stored at once. Values, distances and times are held in the process. They
 * are stored often while a user watches, and seldom otherwise. `nowMs` is process time. Pure.
 */
export function decideWhatToStore(
  deployment: Pick<DeploymentInMemory, 'memory' | 'signature' | 'isWatched' | 'statesWrittenMs'>,
  { memory, signature }: Pick<Evaluation, 'memory' | 'signature'>,
  nowMs: number,
): StoreDecision {
  const hasNewMemory = memory !== deployment.memory;
  const periodMs = deployment.isWatched ? WATCHED_PERIOD_MS : UNWATCHED_PERIOD_MS;
  const isDue = nowMs - deployment.statesWrittenMs >= periodMs;
  return {
    memory: hasNewMemory,
    nodeStates: signature !== deployment.signature || isDue,
  };
}
