import { Issues } from '../graph/compile/issues.ts';
import { nodeLocation } from '../graph/compile/parsed-graph.ts';
import type { Issue, Memory } from '../graph/types.ts';
import { actionsOf } from './inherited-memory.ts';

/**
 * Warns of actions that turn from one instrument into a list, or back. Their ids change, so a redeploy could not continue their
 * memory: an order would act again, a trailing stop would lose its peak. Pure.
 *
 * @param memory of the deployment to replace; null if it was never evaluated
 * @param visual the graph that runs next
 */
export function lostMemory(memory: Memory | null, visual: unknown): readonly Issue[] {
  const issues = new Issues();
  if (memory === null) return [];
  const actions = actionsOf(visual);
  const ids = new Set(actions.map(({ id }) => id));
  const gone = new Set(Object.keys(memory.nodes).filter((id) => !ids.has(id)));
  const lists = new Set([...gone].map((id) => id.slice(0, Math.max(0, id.lastIndexOf('/')))));
  for (const node of actions) {
    const isCopy = node.id !== node.graphId;
    if (isCopy ? !gone.has(node.graphId) : Object.hasOwn(memory.nodes, node.id) || !lists.has(node.id))
      continue;
    const turns = isCopy ? 'one instrument into a list' : 'a list into one instrument';
    const message = `“${node.label}” turns from ${turns}, and a redeploy would lose what it remembers: it could act again, and a trailing stop would restart. Stop the blueprint and deploy instead.`;
    issues.warning(nodeLocation(node), 'memory_lost', message);
  }
  return issues.list();
}
