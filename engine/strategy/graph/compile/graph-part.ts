/** The part of a graph that explains a node's text: the node, all sources of its value, and nodes that the text mentions. */
import type { Json } from '../../../../db/json.ts';
import { nodeTypes } from '../nodes/catalogue.ts';
import { Issues } from './issues.ts';
import { type ParsedEdge, parseGraph } from './parse.ts';

/** A part of a graph as a graph, and the sources of its node's condition. */
export type GraphPart = {
  readonly visual: { nodes: Json[]; edges: Json[] };
  readonly type: string;
  /** Ids of the nodes connected to its port `when`. */
  readonly conditions: readonly string[];
};

/** `null` if the graph has no executable node of this id. */
export function graphPartOf(visual: Json, nodeId: string): GraphPart | null {
  const { nodes, edges } = parseGraph(visual, new Issues());
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const step = byId.get(nodeId);
  if (step === undefined || visual === null || typeof visual !== 'object' || Array.isArray(visual))
    return null;
  const read = nodeTypes.get(step.type)?.configure(step.config);
  const ids = new Set([nodeId, ...(read?.ok ? (read.node.mentions ?? []) : [])].filter((id) => byId.has(id)));
  const into = Map.groupBy(edges, ({ target }) => target);
  for (const id of ids) for (const { source } of into.get(id) ?? []) ids.add(source);
  const taken = (list: Json | undefined, indices: ReadonlySet<number>): Json[] =>
    Array.isArray(list) ? list.filter((_, index) => indices.has(index)) : [];
  return {
    visual: {
      nodes: taken(visual['nodes'], new Set(nodes.flatMap(({ id, index }) => (ids.has(id) ? [index] : [])))),
      edges: taken(
        visual['edges'],
        new Set(edges.flatMap(({ target, index }) => (ids.has(target) ? [index] : []))),
      ),
    },
    type: step.type,
    conditions: (into.get(nodeId) ?? []).filter(isCondition).map(({ source }) => source),
  };
}

/** Editors omit the handle of a node with a single port. */
const isCondition = ({ targetHandle }: ParsedEdge): boolean =>
  targetHandle === null || targetHandle === 'when';
