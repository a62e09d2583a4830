import type { Outputs } from '../../api/trpc.ts';
import { translateResponse } from '../../language/language.ts';

type Served = Outputs['console']['nodeTypes'];
export type NodeType = Served['types'][number];
/** The server's catalogue of node types: executed ones, and notes, which are only drawn. */
export type Catalogue = { types: ReadonlyMap<string, NodeType>; notes: ReadonlySet<string> };
export const catalogueOf = ({ types, notes }: Served): Catalogue => ({
  types: new Map(types.map((type) => [type.type, translateResponse(type)])),
  notes: new Set(notes),
});
export type Issue = Outputs['blueprints']['validate']['issues'][number];
export type InputPort = NodeType['inputs'][number];
export type OutputPort = NodeType['outputs'][number];

export type Config = Readonly<Record<string, unknown>>;

/** A node of the editor. Fields that this editor does not know stay as they were. */
export type Node = {
  id: string;
  type: string;
  position: { x: number; y: number };
  data: { label?: string; config?: Config; [more: string]: unknown };
  [more: string]: unknown;
};
export type Edge = {
  id: string;
  source: string;
  target: string;
  sourceHandle: string | null;
  targetHandle: string | null;
  [more: string]: unknown;
};
/** The two ports of an edge. */
export type EdgeEnds = {
  source: string;
  target: string;
  sourceHandle: string | null;
  targetHandle: string | null;
};
export type EditorGraph = { nodes: readonly Node[]; edges: readonly Edge[]; rest: Fields };

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const EMPTY_GRAPH: EditorGraph = { nodes: [], edges: [], rest: {} };

export const labelOf = (node: Node, catalogue: Catalogue): string =>
  (typeof node.data.label === 'string' && node.data.label.trim()) ||
  catalogue.types.get(node.type)?.title ||
  node.id;

export const configOf = (node: Node): Config => (isFields(node.data.config) ? node.data.config : {});

/** A readable id: `compare`, `compare-2`. */
export function newId(type: string, taken: ReadonlySet<string>): string {
  const base = type.replaceAll('.', '-');
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number++;
  return `${base}-${number}`;
}

/** A node of a module has several outputs, of which two may lead to one input. */
export const edgeId = ({ source, target, sourceHandle, targetHandle }: EdgeEnds) =>
  [source, target, targetHandle ?? '', ...((sourceHandle ?? 'out') === 'out' ? [] : [sourceHandle])].join(
    '-',
  );
