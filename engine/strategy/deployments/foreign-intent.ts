/** Compares the intents of a step with the firings in the deployment's own memory. */
import type { Intent, Memory } from '../graph/types.ts';

/** Stable code of a deployment that raised an intent without firing. */
export const FOREIGN_INTENT = 'foreign_intent';

/** An order or a notification raised by a node. */
export type Raised = Pick<Intent, 'nodeId' | 'stepAt'>;

/** A node that raised more than it fired in the same step: the surplus came from another deployment, or from none. */
export type ForeignIntent = { readonly nodeId: string; readonly raised: number; readonly fired: number };

/**
 * Returns the first node that raised more than it fired between two memories of its deployment, or at another instant; else
 * null. Each action node counts its intents in its memory, in the same step. Any further intent came from elsewhere. Pure.
 */
export function findForeignIntent(
  before: Memory | null,
  after: Memory,
  raised: readonly Raised[],
): ForeignIntent | null {
  for (const [nodeId, ofNode] of Map.groupBy(raised, (each) => each.nodeId)) {
    const fired = firedCountOf(after, nodeId) - firedCountOf(before, nodeId);
    const isItsOwn = fired >= ofNode.length && after.nodes[nodeId]?.['at'] === ofNode.at(-1)?.stepAt;
    if (!isItsOwn) return { nodeId, raised: ofNode.length, fired };
  }
  return null;
}

/** Returns how often a node has fired, by its deployment's memory. */
export function firedCountOf(memory: Memory | null, nodeId: string): number {
  const count = memory?.nodes[nodeId]?.['n'];
  return typeof count === 'number' ? count : 0;
}
