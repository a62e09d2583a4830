import { type DrawnTemplateNode, drawing } from '../../engine/strategy/graph/templates/drawing.ts';

export type Nodes = Record<string, Omit<DrawnTemplateNode, 'label' | 'at'>>;

/** A drawing of these nodes; labels and places are of no matter to it. */
export const draw = (nodes: Nodes) =>
  drawing(
    'test',
    Object.fromEntries(
      Object.entries(nodes).map(([id, node]) => [id, { label: id, at: [0, 0] as const, ...node }]),
    ),
  );
