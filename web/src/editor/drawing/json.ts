import { type Drawing, EMPTY, isFields, type Step, type Wire } from './model.ts';
import { placesFor } from './places.ts';

/**
 * Any JSON as a drawing; what is no node or edge is left out of the picture. Steps without a place are laid out, below
 * those that have one.
 */
export function readDrawing(visual: unknown): Drawing {
  if (!isFields(visual)) return EMPTY;
  const { nodes, edges, ...rest } = visual;
  const read = Array.isArray(nodes) ? nodes.flatMap(readStep) : [];
  const ids = new Set(read.map(({ id }) => id));
  const wires = (Array.isArray(edges) ? edges.flatMap(readWire) : []).filter(
    ({ source, target }) => ids.has(source) && ids.has(target),
  );
  return { steps: placed(read, wires), wires, rest };
}

type Place = Step['position'];
const NOWHERE: Place = { x: 0, y: 0 };
const BELOW_PX = 160;

function placed(steps: readonly Step[], wires: readonly Wire[]): Step[] {
  const placeless = steps.filter(({ position }) => position === NOWHERE);
  const bottom = Math.max(
    -BELOW_PX,
    ...steps.flatMap(({ position }) => (position === NOWHERE ? [] : position.y)),
  );
  const places = placesFor(placeless, wires, bottom + BELOW_PX);
  return steps.map((step) => ({ ...step, position: places.get(step.id) ?? step.position }));
}

function readStep(node: unknown): Step[] {
  if (!isFields(node) || typeof node['id'] !== 'string') return [];
  const { position, data, type } = node;
  return [
    {
      ...node,
      id: node['id'],
      type: typeof type === 'string' ? type : 'note',
      position: readPlace(position),
      data: isFields(data) ? { ...data } : {},
    },
  ];
}

function readPlace(position: unknown): Place {
  if (!isFields(position)) return NOWHERE;
  const { x, y } = position;
  return typeof x === 'number' && Number.isFinite(x) && typeof y === 'number' && Number.isFinite(y)
    ? { x, y }
    : NOWHERE;
}

function readWire(edge: unknown, index: number): Wire[] {
  if (!isFields(edge)) return [];
  const { id, source, target, sourceHandle, targetHandle } = edge;
  if (typeof source !== 'string' || typeof target !== 'string') return [];
  return [
    {
      ...edge,
      id: typeof id === 'string' ? id : `edge-${index}`,
      source,
      target,
      sourceHandle: typeof sourceHandle === 'string' ? sourceHandle : null,
      targetHandle: typeof targetHandle === 'string' ? targetHandle : null,
    },
  ];
}

/** What of some JSON would be lost or mixed up as a drawing, or null. */
export function faultOfDrawing(visual: unknown): string | null {
  if (!isFields(visual)) return 'This is no drawing: it has to be an object with `nodes` and `edges`.';
  const { nodes, edges } = visual;
  if (!Array.isArray(nodes) || !Array.isArray(edges))
    return 'This is no drawing: `nodes` and `edges` have to be lists.';
  const { steps, wires } = readDrawing(visual);
  if (steps.length < nodes.length) return 'Each node has to be an object with an `id`.';
  const ids = new Set(steps.map(({ id }) => id));
  const twice = steps.find(({ id }) => !ids.delete(id));
  if (twice) return `Two nodes have the id “${twice.id}”.`;
  const names = new Set(wires.map(({ id }) => id));
  if (names.size < wires.length) return 'Two edges have the same id.';
  return wires.length < edges.length
    ? 'Each edge has to lead from the `source` of one node here to the `target` of another.'
    : null;
}

/** The drawing as it is stored. */
export const writeDrawing = ({ steps, wires, rest }: Drawing) => ({ ...rest, nodes: steps, edges: wires });
