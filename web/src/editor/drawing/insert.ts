import { type Catalogue, configOf, type Edge, type EdgeEnds, edgeId, type Node } from './model.ts';
import { connectionFault, portsOf } from './ports.ts';

/**
 * The edges of a graph after a new step is put on one of them. The edge leads from its source into the first input that fits,
 * and from the step to its old target. Null if the step does not fit.
 */
export function insertOnEdge(
  { nodes, edges }: { nodes: readonly Node[]; edges: readonly Edge[] },
  edge: Edge,
  node: Node,
  catalogue: Catalogue,
): readonly Edge[] | null {
  const rest = edges.filter(({ id }) => id !== edge.id);
  const all = [...nodes.filter(({ id }) => id !== node.id), node];
  const onwards: EdgeEnds = {
    source: node.id,
    target: edge.target,
    sourceHandle: portsOf(catalogue.types.get(node.type), configOf(node)).outputs[0]?.name ?? 'out',
    targetHandle: edge.targetHandle,
  };
  if (connectionFault(onwards, { nodes: all, edges: rest }, catalogue) !== null) return null;
  const connected = [...rest, { id: edgeId(onwards), ...onwards }];
  for (const { name } of portsOf(catalogue.types.get(node.type), configOf(node)).inputs) {
    const into: EdgeEnds = {
      source: edge.source,
      target: node.id,
      sourceHandle: edge.sourceHandle,
      targetHandle: name,
    };
    if (connectionFault(into, { nodes: all, edges: connected }, catalogue) === null)
      return [...connected, { id: edgeId(into), ...into }];
  }
  return null;
}
