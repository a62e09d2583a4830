/** The part of a graph that explains a node's text: the node, all sources of its value, and nodes that the text mentions. */
import type { Json } from '../../../../db/json.ts';
import { nodeTypes } from '../nodes/catalogue.ts';
import { Issues } from './issues.ts';
import { inlinedGraph } from './modules/inline-modules.ts';
import { parseGraph } from './parse.ts';
import type { ParsedEdge } from './parsed-graph.ts';

/** A part of a graph as a graph, and the sources of its node's condition. */
export type GraphPart = {
  readonly visual: { [field: string]: Json };
  /** The node as it runs: one id for each instrument of its list. */
  readonly ids: readonly string[];
  readonly type: string;
  /** Ids of the nodes connected to its port `when`. */
  readonly conditions: readonly string[];
};

/** `null` if the graph has no executable node of this id. */
export function graphPartOf(written: Json, nodeId: string): GraphPart | null {
  const visual = inlinedGraph(written) as Json;
  const { nodes, edges } = parseGraph(visual, new Issues());
  const known = new Set(nodes.map(({ id }) => id));
  const steps = nodes.filter(({ id, graphId }) => id === nodeId || graphId === nodeId);
  const [step] = steps;
  if (step === undefined || visual === null || typeof visual !== 'object' || Array.isArray(visual))
    return null;
  const mentioned = steps.flatMap(({ type, config }) => {
    const read = nodeTypes.get(type)?.configure(config);
    return read?.ok ? (read.node.mentions ?? []) : [];
  });
  const own = steps.map(({ id }) => id);
  const ids = new Set([...own, ...mentioned].filter((id) => known.has(id)));
  const into = Map.groupBy(edges, ({ target }) => target);
  for (const id of ids) for (const { source } of into.get(id) ?? []) ids.add(source);
  const taken = (list: Json | undefined, indices: ReadonlySet<number>): Json[] =>
    Array.isArray(list) ? list.filter((_, index) => indices.has(index)) : [];
  return {
    visual: {
      ...(visual['parameters'] !== undefined && { parameters: visual['parameters'] }),
      nodes: taken(visual['nodes'], new Set(nodes.flatMap(({ id, index }) => (ids.has(id) ? [index] : [])))),
      edges: taken(
        visual['edges'],
        new Set(edges.flatMap(({ target, index }) => (ids.has(target) ? [index] : []))),
      ),
    },
    ids: own,
    type: step.type,
    conditions: own.flatMap((id) => (into.get(id) ?? []).filter(isCondition).map(({ source }) => source)),
  };
}

/** Editors omit the handle of a node with a single port. */
const isCondition = ({ targetHandle }: ParsedEdge): boolean =>
  targetHandle === null || targetHandle === 'when';
