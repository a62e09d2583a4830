import type { Edge, Node } from '../drawing/model.ts';

type Graph = { nodes: readonly Node[]; edges: readonly Edge[] };
export type Direction = 'left' | 'right' | 'up' | 'down';

/** The node that an arrow key leads to: sideways along an edge, up and down among nodes that share an end with this one. */
export function neighbourNode({ nodes, edges }: Graph, id: string, direction: Direction): string | null {
  const from = nodes.find((node) => node.id === id);
  if (!from) return null;
  if (direction === 'left' || direction === 'right') {
    const ids = neighboursOf(edges, id, direction);
    return highest(nodes.filter((node) => ids.has(node.id)))?.id ?? null;
  }
  const kin = new Set([
    ...[...neighboursOf(edges, id, 'left')].flatMap((before) => [...neighboursOf(edges, before, 'right')]),
    ...[...neighboursOf(edges, id, 'right')].flatMap((after) => [...neighboursOf(edges, after, 'left')]),
  ]);
  const up = direction === 'up';
  const beyond = nodes.filter(
    ({ id: other, position: { y } }) =>
      other !== id && (kin.size <= 1 || kin.has(other)) && (up ? y < from.position.y : y > from.position.y),
  );
  return (up ? highest(beyond.toReversed(), -1) : highest(beyond))?.id ?? null;
}

/** A node and everything that feeds it, or that it feeds, at any distance. */
export function connectedNodes({ edges }: Graph, id: string, direction: 'left' | 'right'): string[] {
  const reached = new Set([id]);
  for (const each of reached) for (const next of neighboursOf(edges, each, direction)) reached.add(next);
  return [...reached];
}

const neighboursOf = (edges: readonly Edge[], id: string, direction: 'left' | 'right'): ReadonlySet<string> =>
  new Set(
    edges.flatMap(({ source, target }) => {
      if (direction === 'right') return source === id ? [target] : [];
      return target === id ? [source] : [];
    }),
  );

/** The uppermost node, or with -1 the lowest. */
const highest = (nodes: readonly Node[], sign: 1 | -1 = 1): Node | undefined =>
  nodes.toSorted((a, b) => sign * (a.position.y - b.position.y))[0];
