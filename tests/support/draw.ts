import { type DrawnTemplateNode, drawing } from '../../engine/strategy/graph/templates/drawing.ts';

export type Nodes = Record<string, Omit<DrawnTemplateNode, 'label' | 'at'>>;

/** A graph of these nodes; labels and positions do not matter to it. */
export const draw = (nodes: Nodes) =>
  drawing(
    'test',
    Object.fromEntries(
      Object.entries(nodes).map(([id, node]) => [id, { label: id, at: [0, 0] as const, ...node }]),
    ),
  );
