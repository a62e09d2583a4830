import { Issues } from './issues.ts';
import { parseGraph } from './parse.ts';

/** The label of a node as it runs: that of a copy for an instrument ends with the instrument. */
export type NodeLabel = { readonly nodeId: string; readonly label: string };

/** Lists the nodes of a graph that have labels of their own, as many as a graph may have. Pure. */
export const labelsOfGraph = (visual: unknown): NodeLabel[] =>
  parseGraph(visual, new Issues()).nodes.flatMap(({ id, graphId, label }) =>
    label === graphId ? [] : [{ nodeId: id, label: `${label}${id.slice(graphId.length)}` }],
  );
