import { isObject } from '../graph/json.ts';
import { nodeTypes } from '../graph/nodes/catalogue.ts';
import type { Memory, NodeMemory } from '../graph/types.ts';

/**
 * Whether the condition was last true and how that ended; the highest bid of a position and when that was opened; what a quote
 * has filled, and by which orders.
 */
const INHERITED = [
  'last',
  'spent',
  'why',
  'peak',
  'opened',
  ...['want', 'got', 'of', 'had', 'cut', 'done'],
] as const;

/**
 * The memory with which a deployment continues the one that it replaces. An action does not act again on a condition that was
 * true before the change. A trailing stop keeps its peak, a quote what it has filled. Actions are the same by their id; all other nodes start over. Pure.
 *
 * @param memory of the replaced deployment; null if it was never evaluated
 * @param visual the graph that runs next
 */
export function inheritedMemory(memory: Memory | null, visual: unknown): Memory | null {
  if (memory === null) return null;
  const nodes = actionIdsOf(visual).flatMap((id): [string, NodeMemory][] => {
    const known = Object.hasOwn(memory.nodes, id) ? memory.nodes[id] : undefined;
    const inherited = INHERITED.flatMap((key) => (known?.[key] === undefined ? [] : [[key, known[key]]]));
    return inherited.length === 0 ? [] : [[id, Object.fromEntries(inherited) as NodeMemory]];
  });
  return { startedAt: memory.startedAt, candles: {}, nodes: Object.fromEntries(nodes) };
}

function actionIdsOf(visual: unknown): string[] {
  const nodes: readonly unknown[] = isObject(visual) && Array.isArray(visual['nodes']) ? visual['nodes'] : [];
  return nodes.flatMap((node) =>
    isObject(node) && typeof node['id'] === 'string' && isAction(node['type']) ? [node['id']] : [],
  );
}

const isAction = (type: unknown): boolean =>
  typeof type === 'string' && nodeTypes.get(type)?.group === 'action';
