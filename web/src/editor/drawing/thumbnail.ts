import type { EditorGraph, Node } from './model.ts';

/** Columns stand closer than in the editor, whose wires have values. */
const COLUMNS_CLOSER = 0.76;
/** Room for the strokes at the edges. */
const EDGE = 3;
const BOX = { width: 190, height: 84 };

export type Thumbnail = {
  viewBox: string;
  /** In units of the graph, as the view box. */
  width: number;
  boxes: readonly { id: string; name: string; x: number; y: number; width: number; height: number }[];
  lines: readonly string[];
};

/** The name of a node without the catalogue: its own, a constant's value, or the last word of its type. */
function nameOf({ type, data: { label, config } }: Node): string {
  if (label?.trim()) return label;
  const value = config?.['value'];
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  const word = (type.split('.').at(-1) ?? type).replaceAll('_', ' ');
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A picture of a graph, boxes with names and lines; null for an empty one. */
export function thumbnailOf({ nodes, edges }: EditorGraph, notes: ReadonlySet<string>): Thumbnail | null {
  const steps = nodes.filter(({ type }) => !notes.has(type));
  if (steps.length === 0) return null;
  const boxes = steps.map((node) => ({
    id: node.id,
    name: nameOf(node),
    x: node.position.x * COLUMNS_CLOSER,
    y: node.position.y,
    ...BOX,
  }));
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const left = Math.min(...boxes.map(({ x }) => x)) - EDGE;
  const top = Math.min(...boxes.map(({ y }) => y)) - EDGE;
  const right = Math.max(...boxes.map(({ x }) => x)) + BOX.width + EDGE;
  const bottom = Math.max(...boxes.map(({ y }) => y)) + BOX.height + EDGE;
  return {
    width: right - left,
    viewBox: `${left} ${top} ${right - left} ${bottom - top}`,
    boxes,
    lines: edges.flatMap(({ source, target }) => {
      const [from, to] = [byId.get(source), byId.get(target)];
      if (!from || !to) return [];
      const [x, y] = [from.x + BOX.width, from.y + BOX.height / 2];
      const [endX, endY] = [to.x, to.y + BOX.height / 2];
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
