import { type Catalogue, configOf, type Node } from './model.ts';
import { noteSizeOf } from './note-size.ts';
import { portsOf } from './ports.ts';

export type Box = { x: number; y: number; width: number; height: number };
export type View = { x: number; y: number; zoom: number };
type Frame = { width: number; height: number };

export const NODE_WIDTH = 240;
const NODE = { head: 34, port: 20, facts: 52, foot: 8 };
/** Below this zoom the text of a node is unreadable: only a part of the graph is then shown. */
const READABLE_ZOOM = 0.85;
const PADDING_PX = 16;

/** The box of a node, before it is rendered. */
export function boxOf(node: Node, catalogue: Catalogue): Box {
  const { position, data, type } = node;
  if (catalogue.notes.has(type)) return { ...position, ...noteSizeOf(data.label) };
  const { inputs } = portsOf(catalogue.types.get(type), configOf(node));
  const body = Math.max(inputs.length * NODE.port, NODE.facts);
  return { ...position, width: NODE_WIDTH, height: NODE.head + body + NODE.foot };
}

export function boundsOf(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * The view of a newly opened graph: whole and centred if it is readable so, else its beginning at the top left. `top` and
 * `left` are what controls take from the frame.
 */
export function openingView(bounds: Box, frame: Frame, { top, left }: { top: number; left: number }): View {
  const width = frame.width - left - 2 * PADDING_PX;
  const height = frame.height - top - 2 * PADDING_PX;
  const zoom = Math.min(1, Math.max(READABLE_ZOOM, Math.min(width / bounds.width, height / bounds.height)));
  const start = (room: number, size: number) => PADDING_PX + Math.max(0, (room - size * zoom) / 2);
  return {
    x: left + start(width, bounds.width) - bounds.x * zoom,
    y: top + start(height, bounds.height) - bounds.y * zoom,
    zoom,
  };
}

export const SIDES = ['left', 'right', 'top', 'bottom'] as const;
export type Side = (typeof SIDES)[number];
/** A cut of less than this counts as visible. */
const CUT_PX = 8;

/** The sides on which a graph extends beyond its visible part. */
export function hiddenSides(bounds: Box, { x, y, zoom }: View, frame: Frame): Side[] {
  const cut: Record<Side, number> = {
    left: -(x + bounds.x * zoom),
    right: x + (bounds.x + bounds.width) * zoom - frame.width,
    top: -(y + bounds.y * zoom),
    bottom: y + (bounds.y + bounds.height) * zoom - frame.height,
  };
  return SIDES.filter((side) => cut[side] > CUT_PX);
}
