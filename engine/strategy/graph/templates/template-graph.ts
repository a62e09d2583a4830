/** Writes a graph as an editor would: nodes in columns, edges by port, and a note that explains it. */
import type { Json } from '../../../../db/json.ts';

/** A node of the editor is 240 px wide; values stand on the wires between. */
const COLUMN_WIDTH = 312;
const ROW_HEIGHT = 130;

export type TemplateNode = {
  readonly type: string;
  readonly label: string;
  readonly config: Readonly<Record<string, Json>>;
  /** Column and row on the canvas. */
  readonly at: readonly [column: number, row: number];
  /** By port: its source node, or several. */
  readonly inputs?: Readonly<Record<string, string | readonly string[]>>;
};

/** Nodes by id; `note` is shown above them and not executed. Settings may refer to `parameters`. */
export function templateGraph(
  note: string,
  nodes: Readonly<Record<string, TemplateNode>>,
  parameters?: { [name: string]: Json } | undefined,
): Json {
  const graphNodes = Object.entries(nodes).map(([id, { type, label, config, at }]) => ({
    id,
    type,
    position: canvasPosition(at),
    data: { label, config: { ...config } },
  }));
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
  const comment = { id: 'note', type: 'note', position: canvasPosition([0, -1]), data: { label: note } };
  return { ...(parameters && { parameters }), nodes: [comment, ...graphNodes], edges };
}

function canvasPosition([column, row]: readonly [number, number]): { x: number; y: number } {
  return { x: column * COLUMN_WIDTH, y: row * ROW_HEIGHT };
}
