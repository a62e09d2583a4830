import type { Json } from '../../db/json.ts';

/** A node by its settings; `inputs` has for each port its source node, or several. */
export type Nodes = Record<
  string,
  {
    readonly type: string;
    readonly config: Readonly<Record<string, Json>>;
    readonly inputs?: Readonly<Record<string, string | readonly string[]>>;
  }
>;

/** A graph of these nodes; labels and positions do not matter to it. */
export function draw(nodes: Nodes, parameters?: Record<string, Json>) {
  const edges = Object.entries(nodes).flatMap(([target, { inputs = {} }]) =>
    Object.entries(inputs).flatMap(([port, sources]) =>
      [sources].flat().map((source) => ({
        id: `${source}-${target}-${port}`,
        source,
        sourceHandle: 'out',
        target,
        targetHandle: port,
      })),
    ),
  );
  return {
    ...(parameters && { parameters }),
    nodes: Object.entries(nodes).map(([id, { type, config }]) => ({ id, type, data: { label: id, config } })),
    edges,
  };
}
