import type { Outputs } from '../../../api/trpc.ts';
import { placesFor } from './places.ts';

export type NodeType = Outputs['blueprints']['nodeTypes'][number];
export type Catalogue = ReadonlyMap<string, NodeType>;
export type Issue = Outputs['blueprints']['validate']['issues'][number];
export type InputPort = NodeType['inputs'][number];
export type OutputPort = NodeType['outputs'][number];

export type Config = Readonly<Record<string, unknown>>;

/** A step as it is drawn. Fields this editor does not know stay as they were. */
export type Step = {
  id: string;
  type: string;
  position: { x: number; y: number };
  data: { label?: string; config?: Config; [more: string]: unknown };
  [more: string]: unknown;
};
export type Wire = {
  id: string;
  source: string;
  target: string;
  sourceHandle: string | null;
  targetHandle: string | null;
  [more: string]: unknown;
};
export type Drawing = { steps: readonly Step[]; wires: readonly Wire[]; rest: Fields };

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const EMPTY: Drawing = { steps: [], wires: [], rest: {} };

/** Types that are drawn and not executed. */
const NOTES = new Set(['default', 'input', 'output', 'group', 'note']);
export const isNote = (type: string): boolean => NOTES.has(type);

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

export const labelOf = (step: Step, catalogue: Catalogue): string =>
  (typeof step.data.label === 'string' && step.data.label.trim()) ||
  catalogue.get(step.type)?.title ||
  step.id;

export const configOf = (step: Step): Config => (isFields(step.data.config) ? step.data.config : {});

/** An id that says what it is: `compare`, `compare-2`. */
export function newId(type: string, taken: ReadonlySet<string>): string {
  const base = type.replaceAll('.', '-');
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number++;
  return `${base}-${number}`;
}

export const wireId = ({ source, target, targetHandle }: Pick<Wire, 'source' | 'target' | 'targetHandle'>) =>
  `${source}-${target}-${targetHandle ?? ''}`;
