import { parseEnabledGraph } from '../graph/compile/disabled-nodes.ts';
import { Issues } from '../graph/compile/issues.ts';
import { parseGraph } from '../graph/compile/parse.ts';
import type { ParsedNode } from '../graph/compile/parsed-graph.ts';
import { nodeTypes } from '../graph/nodes/catalogue.ts';
import type { Memory, NodeMemory } from '../graph/types.ts';

/**
 * Whether the condition was last true and how that ended; the highest bid of a position and when that was opened; what a quote
 * has filled, and by which orders; where a leg of a basket is.
 */
const INHERITED = [
  ...['last', 'spent', 'why', 'peak', 'opened'],
  ...['on', 'want', 'got', 'of', 'had', 'cut', 'done', 'bought', 'held', 'sold'],
  ...['phase', 'worst', 'base', 'before', 'undos', 'begun', 'undo', 'reported'],
] as const;

/**
 * The memory with which a deployment continues the one that it replaces. An action does not act again on a condition that was
 * true before the change. A trailing stop keeps its peak, a quote what it has filled. Actions are the same by their id; all
 * other nodes start over. So does a leg that is switched off: other nodes may trade its instrument meanwhile. Pure.
 *
 * @param memory of the replaced deployment; null if it was never evaluated
 * @param visual the graph that runs next
 */
export function inheritedMemory(memory: Memory | null, visual: unknown): Memory | null {
  if (memory === null) return null;
  const legs = new Set(
    parseEnabledGraph(visual).nodes.flatMap(({ id, type }) => (type === 'leg' ? [id] : [])),
  );
  const nodes = actionsOf(visual).flatMap(({ id }): [string, NodeMemory][] => {
    const known = Object.hasOwn(memory.nodes, id) ? memory.nodes[id] : undefined;
    const inherited = INHERITED.flatMap((key) =>
      known?.[key] === undefined || (key === 'phase' && !legs.has(id)) ? [] : [[key, known[key]]],
    );
    return inherited.length === 0 ? [] : [[id, Object.fromEntries(inherited) as NodeMemory]];
  });
  return { startedAt: memory.startedAt, candles: {}, nodes: Object.fromEntries(nodes) };
}

/** An action of a list has an id for each instrument: one that stays in the list keeps its memory. */
export const actionsOf = (visual: unknown): ParsedNode[] =>
  parseGraph(visual, new Issues()).nodes.filter(({ type }) => nodeTypes.get(type)?.group === 'action');
