import type { Json } from '../../db/json.ts';
import { type TemplateNode, templateGraph } from '../../engine/strategy/graph/templates/template-graph.ts';

export type Nodes = Record<string, Omit<TemplateNode, 'label' | 'at'>>;

/** A graph of these nodes; labels and positions do not matter to it. */
export const draw = (nodes: Nodes, parameters?: Record<string, Json>) =>
  templateGraph(
    'test',
    Object.fromEntries(
      Object.entries(nodes).map(([id, node]) => [id, { label: id, at: [0, 0] as const, ...node }]),
    ),
    parameters,
  );
