/** Holds what a step raised against what the deployment itself remembers to have fired. */
import type { Intent, Memory } from '../graph/types.ts';

/** Stable code of a deployment that raised something it did not fire. */
export const FOREIGN_INTENT = 'foreign_intent';

/** An order or a notification as a node raised it. */
export type Raised = Pick<Intent, 'nodeId' | 'stepAt'>;

/** A node that raised more than it fired in the same step. */
export type Unfired = { readonly nodeId: string; readonly raised: number; readonly fired: number };

/**
 * The first node that raised more than it fired between two memories of its deployment, or at another moment; else null. Each
 * action node counts in its memory what it raises, in the same step. Anything beyond that came from elsewhere. Pure.
 */
export function findUnfired(before: Memory | null, after: Memory, raised: readonly Raised[]): Unfired | null {
  for (const [nodeId, ofNode] of Map.groupBy(raised, (each) => each.nodeId)) {
    const fired = firedOf(after, nodeId) - firedOf(before, nodeId);
    const isItsOwn = fired >= ofNode.length && after.nodes[nodeId]?.['at'] === ofNode.at(-1)?.stepAt;
    if (!isItsOwn) return { nodeId, raised: ofNode.length, fired };
  }
  return null;
}

/** How often a node has fired, by what its deployment remembers. */
export function firedOf(memory: Memory | null, nodeId: string): number {
  const count = memory?.nodes[nodeId]?.['n'];
  return typeof count === 'number' ? count : 0;
}
