/** Reads a graph for writing it as text: executed nodes, their inputs, and what else they carry. */
import type { NodeOutline } from '../node-outline.ts';
import { type ParameterValues, withValues } from './arguments.ts';
import { OUTLINES, portsOf } from './functions.ts';
import { ANNOTATIONS, type Fields, isFields } from './graph.ts';

/** A graph has a part that text cannot say. */
export class Unwritable extends Error {}

export type GraphNode = {
  readonly id: string;
  readonly node: NodeOutline;
  readonly config: Fields;
  readonly isOff: boolean;
  readonly label: unknown;
  /** All fields but those above. */
  readonly others: Fields;
  /** Sources by port, in the order of the edges. */
  readonly inputs: Map<string, string[]>;
};
export type Annotation = { readonly annotation: Fields };
export type ReadGraph = {
  readonly nodes: readonly (GraphNode | Annotation)[];
  readonly parameters: Fields;
  readonly values: ParameterValues;
  /** Ids of all executed nodes. */
  readonly ids: ReadonlySet<string>;
  /** How many inputs read each node. */
  readonly readers: ReadonlyMap<string, number>;
  /** Fields of the graph beside nodes, edges and parameters. */
  readonly rest: Fields;
};

export const isAnnotation = (node: GraphNode | Annotation): node is Annotation => 'annotation' in node;

export function readGraph(visual: unknown): ReadGraph {
  const { nodes = [], edges = [], parameters = {}, ...rest } = fieldsOf(visual ?? {}, 'A graph');
  if (!Array.isArray(nodes) || !Array.isArray(edges))
    throw new Unwritable('“nodes” and “edges” of a graph are lists.');
  const found = nodes.map((node) => nodeOf(fieldsOf(node, 'A node')));
  const byId = new Map(found.flatMap((node) => (isAnnotation(node) ? [] : [[node.id, node] as const])));
  if (byId.size < found.filter((node) => !isAnnotation(node)).length)
    throw new Unwritable('Two nodes have the same id.');
  const readers = new Map<string, number>();
  const values = valuesOf(fieldsOf(parameters, '“parameters”'));
  for (const edge of edges) addEdge(fieldsOf(edge, 'An edge'), byId, readers, values);
  return {
    nodes: found,
    parameters: fieldsOf(parameters, '“parameters”'),
    values,
    ids: new Set(byId.keys()),
    readers,
    rest,
  };
}

function fieldsOf(value: unknown, what: string): Fields {
  if (!isFields(value)) throw new Unwritable(`${what} must be an object.`);
  return value;
}

const valuesOf = (parameters: Fields): ParameterValues =>
  new Map(Object.entries(parameters).map(([name, each]) => [name, isFields(each) ? each['value'] : null]));

function nodeOf(fields: Fields): GraphNode | Annotation {
  const { id, type, data: written = {}, ...others } = fields;
  if (ANNOTATIONS.has(type)) return { annotation: fields };
  if (typeof type === 'string' && type.startsWith('module.'))
    throw new Unwritable(
      `The node ${quoted(id)} uses a module, which text cannot say. Dissolve it, or keep this strategy as JSON.`,
    );
  const node = typeof type === 'string' ? OUTLINES.get(type) : undefined;
  if (node === undefined) throw new Unwritable(`There is no node type ${quoted(type)}.`);
  if (typeof id !== 'string' || /\p{Cc}/u.test(id))
    throw new Unwritable(`The id of a node is a text of printable characters, not ${quoted(id)}.`);
  const { config = {}, label, disabled, ...more } = fieldsOf(written, `The data of ${quoted(id)}`);
  const isOff = disabled === true;
  const data = { ...more, ...(disabled !== undefined && !isOff && { disabled }) };
  return {
    id,
    node,
    config: fieldsOf(config, `The config of ${quoted(id)}`),
    isOff,
    label,
    others: { ...others, ...(Object.keys(data).length > 0 && { data }) },
    inputs: new Map(),
  };
}

function addEdge(
  { source, target, sourceHandle, targetHandle }: Fields,
  byId: ReadonlyMap<unknown, GraphNode>,
  readers: Map<string, number>,
  values: ParameterValues,
): void {
  const [from, to] = [byId.get(source), byId.get(target)];
  const name = `The edge from ${quoted(source)} to ${quoted(target)}`;
  if (from === undefined || to === undefined) throw new Unwritable(`${name} does not join two nodes.`);
  if ((sourceHandle ?? 'out') !== 'out') throw new Unwritable(`${name} starts at no output.`);
  const ports = portsOf(to.node, withValues(to.config, values));
  // Editors omit the handle of a node with a single port.
  const port = targetHandle ?? (ports.length === 1 ? ports[0]?.name : undefined);
  if (typeof port !== 'string' || to.node.inputs.every(({ name: each }) => each !== port))
    throw new Unwritable(`${name} ends at no input.`);
  const sources = to.inputs.get(port);
  if (sources === undefined) to.inputs.set(port, [from.id]);
  else sources.push(from.id);
  readers.set(from.id, (readers.get(from.id) ?? 0) + 1);
}

const quoted = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
