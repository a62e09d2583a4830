/** The parts of a graph after parsing, and their locations for issues. */
import { isObject, type Json } from '../json.ts';
import type { PortKind } from '../types.ts';
import { type IssueLocation, pointer } from './issues.ts';

export const NODES_MAX = 200;
/** Edges as drawn; nodes of a list have more of them that run. */
export const EDGES_MAX = 2_000;
/** Two hundred ids of this length fit into the node states beside their messages. */
export const NODE_ID_BYTES_MAX = 64;

/** Types of nodes that belong to the editor, not to the strategy. */
export const ANNOTATION_TYPES: readonly string[] = ['default', 'input', 'output', 'group', 'note'];

export const isAnnotation = (node: unknown): boolean =>
  isObject(node) && ANNOTATION_TYPES.some((type) => type === (node['type'] ?? 'default'));

/** A port of a module that an edge passes. */
export type PassedPort = { readonly label: string; readonly kind: PortKind };

export type ParsedNode = {
  /** Index in `nodes`, once modules are inlined. */
  readonly index: number;
  /** JSON Pointer of the node in the graph as written. */
  readonly place: string;
  /** Unique among the nodes that run; a copy for an instrument has the node's id and the instrument: `momentum/BTCUSDT`. */
  readonly id: string;
  /** Id of the node in the graph. */
  readonly graphId: string;
  readonly type: string;
  /** The user's label, else the id. */
  readonly label: string;
  readonly config: unknown;
  /** A place where settings may have been put by mistake: `config` of the node, or its data if they have no `config`. */
  readonly stray: Json;
  /** Disabled: present, but silent. Only `true` disables a node. */
  readonly isDisabled: boolean;
};

export type ParsedEdge = {
  /** Index in `edges`, once modules are inlined. */
  readonly index: number;
  /** JSON Pointer of the edge in the graph as written. */
  readonly place: string;
  /** Ports of modules on its way. */
  readonly ports: readonly PassedPort[];
  readonly source: string;
  readonly target: string;
  /** `null` if the editor names none. */
  readonly sourceHandle: string | null;
  readonly targetHandle: string | null;
};

export type ParsedGraph = {
  /** Executable nodes. */
  readonly nodes: readonly ParsedNode[];
  readonly edges: readonly ParsedEdge[];
  /** Ids of nodes that are not executed. */
  readonly annotations: ReadonlySet<string>;
  /** Ids of nodes behind an input of a module that nothing is connected to. */
  readonly unfed: ReadonlySet<string>;
};

export function nodeLocation(
  { graphId, place }: ParsedNode,
  ...rest: readonly (string | number)[]
): IssueLocation {
  return { nodeId: graphId, path: `${place}${pointer(...rest)}` };
}

export function edgeLocation(edge: ParsedEdge, nodeId: string | null): IssueLocation {
  return { nodeId, path: edge.place };
}

/** Ids become keys of objects; `__proto__` cannot be one. */
export function isUsableId(id: string): boolean {
  const isText = id.length > 0 && id.isWellFormed() && !/\p{Cc}/u.test(id);
  return isText && new TextEncoder().encode(id).length <= NODE_ID_BYTES_MAX && id !== '__proto__';
}
