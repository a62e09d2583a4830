import dagre from '@dagrejs/dagre';
import type { Edge, Node } from '../model.ts';

const GAP = { rank: 48, node: 28, component: 60 };
const GRID = 10;

export type Size = { width: number; height: number };

/** Positions for nodes from left to right, one connected part below the other, in their present order. */
export function layOut(
  nodes: readonly Node[],
  edges: readonly Edge[],
  sizeOf: (node: Node) => Size,
): Map<string, Node['position']> {
  const positions = new Map<string, Node['position']>();
  let top = 0;
  for (const part of partsOf(nodes, edges)) {
    const graph = new dagre.graphlib.Graph({ multigraph: true });
    graph.setGraph({ rankdir: 'LR', ranksep: GAP.rank, nodesep: GAP.node, ranker: 'longest-path' });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const node of part) {
      const { width, height } = sizeOf(node);
      graph.setNode(node.id, { width, height });
    }
    const ids = new Set(part.map(({ id }) => id));
    for (const { id, source, target } of edges)
      if (ids.has(source) && ids.has(target)) graph.setEdge(source, target, {}, id);
    dagre.layout(graph);
    let bottom = top;
    for (const { id } of part) {
      const { x, y, width, height } = graph.node(id);
      positions.set(id, { x: snap(x - width / 2), y: snap(top + y - height / 2) });
      bottom = Math.max(bottom, top + y + height / 2);
    }
    top = bottom + GAP.component;
  }
  return positions;
}

const snap = (value: number) => Math.round(value / GRID) * GRID;

/** Connected parts by their topmost node; inside, nodes by column and row: the order of reading. */
function partsOf(nodes: readonly Node[], edges: readonly Edge[]): Node[][] {
  const part = new Map(nodes.map(({ id }) => [id, id]));
  const rootOf = (id: string): string => {
    const above = part.get(id) ?? id;
    return above === id ? id : rootOf(above);
  };
  for (const { source, target } of edges) {
    if (part.has(source) && part.has(target)) part.set(rootOf(source), rootOf(target));
  }
  const groups = Map.groupBy(nodes, ({ id }) => rootOf(id));
  const order = (a: Node, b: Node) =>
    a.position.y - b.position.y || a.position.x - b.position.x || (a.id < b.id ? -1 : 1);
  const parts = [...groups.values()].map((group) => group.toSorted(order));
  return parts.sort(([a], [b]) => (a && b ? order(a, b) : 0));
}
