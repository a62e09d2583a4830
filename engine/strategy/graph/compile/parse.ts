/**
 * Parses any JSON value as the graph of an editor. A node of a list has a copy for each instrument. Never throws: invalid parts
 * become issues.
 */
import { graphInText, isObject, type Json, kindOf, quoted } from '../json.ts';
import { expandLists } from './expand-lists.ts';
import { type IssueLocation, type Issues, pointer } from './issues.ts';
import { type InlinedGraph, inlineModules } from './modules/inline-modules.ts';
import { withParameters } from './parameters.ts';
import {
  isAnnotation,
  isUsableId,
  NODE_ID_BYTES_MAX,
  nodeLocation,
  type ParsedEdge,
  type ParsedGraph,
  type ParsedNode,
} from './parsed-graph.ts';

export function parseGraph(visual: unknown, issues: Issues): ParsedGraph {
  const annotations = new Set<string>();
  const nothing: ParsedGraph = { nodes: [], edges: [], annotations, unfed: new Set() };
  if (visual === null || visual === undefined) return nothing;
  if (typeof visual === 'string' && graphInText(visual) !== null) {
    issues.error(
      { nodeId: null, path: '' },
      'graph_is_text',
      'This graph is a text that holds JSON, so no node of it is executed. Send the object itself, with “nodes” and “edges”.',
    );
    return nothing;
  }
  if (!isObject(visual) || visual['nodes'] === undefined) {
    issues.warning(
      { nodeId: null, path: '' },
      'no_nodes',
      'This graph has no list of nodes, so there is nothing to execute. A graph is an object with “nodes” and “edges”.',
    );
    return nothing;
  }
  const { unfed, ...flat } = inlineModules(visual, issues);
  const resolved = withParameters(flat.visual, issues, flat.nodePlaces);
  const placed = { annotations, issues, places: flat.nodePlaces };
  const nodes = parseNodes(listOf(resolved.visual, 'nodes', issues), placed);
  const edges = parseEdges(listOf(flat.visual, 'edges', issues), flat, issues);
  return expandLists({ nodes, edges, annotations, unfed }, resolved.lists, issues);
}

type Parsing = {
  readonly annotations: Set<string>;
  readonly issues: Issues;
  /** JSON Pointers of the nodes; empty where they follow from the indices. */
  readonly places: readonly string[];
};

function listOf(visual: Json, name: 'nodes' | 'edges', issues: Issues): readonly unknown[] {
  const list = visual[name] ?? [];
  if (Array.isArray(list)) return list;
  issues.error(
    { nodeId: null, path: pointer(name) },
    'not_a_list',
    `“${name}” must be a list; it is ${kindOf(list)}.`,
  );
  return [];
}

function parseNodes(list: readonly unknown[], parsing: Parsing): ParsedNode[] {
  const { issues } = parsing;
  const nodes: ParsedNode[] = [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (issues.isFull) break;
    const node = parseNode(item, index, parsing);
    if (node === null) continue;
    const location = nodeLocation(node, 'id');
    if (seen.has(node.id))
      issues.error(
        location,
        'duplicate_id',
        `Another node is called ${quoted(node.id)}, too. Ids must differ.`,
      );
    else nodes.push(node);
    seen.add(node.id);
  }
  return nodes;
}

/** Returns the executable node, or `null` for an annotation or an invalid item. */
function parseNode(
  item: unknown,
  index: number,
  { annotations, issues, places }: Parsing,
): ParsedNode | null {
  const place = places[index] ?? pointer('nodes', index);
  const at = (...rest: string[]): IssueLocation => ({ nodeId: null, path: `${place}${pointer(...rest)}` });
  if (!isObject(item)) {
    issues.error(at(), 'not_a_node', `A node must be an object; this is ${kindOf(item)}.`);
    return null;
  }
  const { id, type } = item;
  if (isAnnotation(item)) {
    if (typeof id === 'string') annotations.add(id);
    return null;
  }
  if (typeof type !== 'string') {
    issues.error(at('type'), 'not_a_type', `The type of a node must be a text; it is ${kindOf(type)}.`);
    return null;
  }
  if (typeof id !== 'string' || !isUsableId(id)) {
    const message = `A node needs an id of 1 to ${NODE_ID_BYTES_MAX} printable characters; this one has ${quoted(id)}.`;
    issues.error(at('id'), 'bad_id', message);
    return null;
  }
  const data = item['data'] ?? {};
  if (!isObject(data)) {
    issues.error(
      { ...at('data'), nodeId: id },
      'not_data',
      `The data of a node must be an object; it is ${kindOf(data)}.`,
    );
    return { index, place, id, graphId: id, type, label: id, config: {}, stray: {}, isDisabled: false };
  }
  const label =
    typeof data['label'] === 'string' && data['label'].trim() !== '' ? data['label'].trim().slice(0, 60) : id;
  const disabled = data['disabled'] ?? false;
  if (typeof disabled !== 'boolean') {
    const message = `“disabled” says whether a node is switched off: true or false. It is ${kindOf(disabled)}.`;
    issues.error({ ...at('data', 'disabled'), nodeId: id }, 'not_a_switch', message);
  }
  const { config } = data;
  const beside = isObject(item['config']) ? item['config'] : data;
  const stray = config === undefined ? beside : {};
  return {
    index,
    place,
    id,
    graphId: id,
    type,
    label,
    config: config ?? {},
    stray,
    isDisabled: disabled === true,
  };
}

function parseEdges(
  list: readonly unknown[],
  { edgePlaces, edgePorts }: Pick<InlinedGraph, 'edgePlaces' | 'edgePorts'>,
  issues: Issues,
): ParsedEdge[] {
  const edges: ParsedEdge[] = [];
  for (const [index, item] of list.entries()) {
    if (issues.isFull) break;
    const place = edgePlaces[index] ?? pointer('edges', index);
    const location: IssueLocation = { nodeId: null, path: place };
    if (!isObject(item)) {
      issues.error(location, 'not_an_edge', `An edge must be an object; this is ${kindOf(item)}.`);
      continue;
    }
    const { source, target } = item;
    const sourceHandle = item['sourceHandle'] ?? null;
    const targetHandle = item['targetHandle'] ?? null;
    if (typeof source !== 'string' || typeof target !== 'string') {
      issues.error(
        location,
        'loose_edge',
        'An edge needs the ids of the nodes it starts from (“source”) and leads to (“target”).',
      );
    } else if (!isHandle(sourceHandle) || !isHandle(targetHandle)) {
      issues.error(
        location,
        'bad_handle',
        'The “sourceHandle” and “targetHandle” of an edge must be names of ports.',
      );
    } else
      edges.push({ index, place, ports: edgePorts[index] ?? [], source, target, sourceHandle, targetHandle });
  }
  return edges;
}

function isHandle(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
