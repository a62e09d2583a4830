import type { EditorGraph } from './model.ts';

const NODE = { width: 190, height: 84 };

export type Thumbnail = {
  viewBox: string;
  boxes: readonly { id: string; x: number; y: number; width: number; height: number }[];
  lines: readonly string[];
};

/** A small picture of a graph, boxes and lines, recognizable by its shape; null for an empty one. */
export function thumbnailOf({ nodes, edges }: EditorGraph, notes: ReadonlySet<string>): Thumbnail | null {
  const steps = nodes.filter(({ type }) => !notes.has(type));
  if (steps.length === 0) return null;
  const boxes = steps.map(({ id, position }) => ({ id, ...position, ...NODE }));
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
  const right = Math.max(...boxes.map(({ x }) => x)) + NODE.width;
  const bottom = Math.max(...boxes.map(({ y }) => y)) + NODE.height;
  return {
    viewBox: `${left} ${top} ${right - left} ${bottom - top}`,
    boxes,
    lines: edges.flatMap(({ source, target }) => {
      const [from, to] = [byId.get(source), byId.get(target)];
      if (!from || !to) return [];
      const [x, y] = [from.x + NODE.width, from.y + NODE.height / 2];
      const [endX, endY] = [to.x, to.y + NODE.height / 2];
      const bend = (x + endX) / 2;
      return [`M${x} ${y}C${bend} ${y} ${bend} ${endY} ${endX} ${endY}`];
    }),
  };
}

const NAMES = ['instrument', 'symbol'] as const;

/** The instruments that a graph's settings name, each once. */
export const instrumentsIn = ({ nodes }: EditorGraph): string[] => [
  ...new Set(
    nodes.flatMap(({ data: { config } }) =>
      NAMES.flatMap((name) => {
        const value = config?.[name];
        return typeof value === 'string' && value !== '' ? [value] : [];
      }),
    ),
  ),
];

/** The graph with one instrument replaced by another. */
export const withInstrument = (graph: EditorGraph, from: string, to: string): EditorGraph => ({
  ...graph,
  nodes: graph.nodes.map((node) => {
    const { config } = node.data;
    if (config === undefined) return node;
    const changed = NAMES.filter((name) => config[name] === from).map((name) => [name, to]);
    return { ...node, data: { ...node.data, config: { ...config, ...Object.fromEntries(changed) } } };
  }),
});
