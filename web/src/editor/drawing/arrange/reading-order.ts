import type { Edge, Node } from '../model.ts';

type Placed = Pick<Node, 'id' | 'position'>;
type Wire = Pick<Edge, 'source' | 'target'>;

/**
 * Nodes as they are read: each after all that it takes values from, nodes of one step from top to bottom. Those of a circle come
 * last.
 */
export function readingOrder<Of extends Placed>(nodes: readonly Of[], edges: readonly Wire[]): Of[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const wires = edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const targetsOf = Map.groupBy(wires, ({ source }) => source);
  const missing = new Map(nodes.map(({ id }) => [id, 0]));
  for (const { target } of wires) missing.set(target, (missing.get(target) ?? 0) + 1);
  const byHeight = (one: Placed, other: Placed) => one.position.y - other.position.y;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const order: Of[] = [];
  let step = nodes.filter(({ id }) => missing.get(id) === 0);
  while (step.length > 0) {
    const next: Of[] = [];
    for (const node of step.toSorted(byHeight)) {
      order.push(node);
      for (const { target } of targetsOf.get(node.id) ?? []) {
        const left = (missing.get(target) ?? 0) - 1;
        missing.set(target, left);
        const reached = byId.get(target);
        if (left === 0 && reached) next.push(reached);
      }
    }
    step = next;
  }
  const ordered = new Set(order);
  return [...order, ...nodes.filter((node) => !ordered.has(node)).toSorted(byHeight)];
}
