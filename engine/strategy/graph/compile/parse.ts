/**
 * Parses any JSON value as the graph of an editor. A node of a list has a copy for each instrument. Never throws: invalid parts
 * become issues.
 */
import { graphInText, isObject, type Json, kindOf, quoted } from '../json.ts';
import { expandLists } from './expand-lists.ts';
import { type IssueLocation, type Issues, pointer } from './issues.ts';
import { withParameters } from './parameters.ts';
import {
  isUsableId,
  NODE_ID_BYTES_MAX,
  nodeLocation,
  type ParsedEdge,
  type ParsedGraph,
  type ParsedNode,
} from './parsed-graph.ts';

/** Types of nodes that belong to the editor, not to the strategy. */
export const ANNOTATION_TYPES: ReadonlySet<string> = new Set(['default', 'input', 'output', 'group', 'note']);

export function parseGraph(visual: unknown, issues: Issues): ParsedGraph {
  const annotations = new Set<string>();
  if (visual === null || visual === undefined) return { nodes: [], edges: [], annotations };
  if (typeof visual === 'string' && graphInText(visual) !== null) {
    issues.error(
      { nodeId: null, path: '' },
      'graph_is_text',
      'This graph is a text that holds JSON, so no node of it is executed. Send the object itself, with “nodes” and “edges”.',
    );
    return { nodes: [], edges: [], annotations };
  }
  if (!isObject(visual) || visual['nodes'] === undefined) {
    issues.warning(
      { nodeId: null, path: '' },
      'no_nodes',
      'This graph has no list of nodes, so there is nothing to execute. A graph is an object with “nodes” and “edges”.',
    );
    return { nodes: [], edges: [], annotations };
  }
  const resolved = withParameters(visual, issues);
  const nodes = parseNodes(listOf(resolved.visual, 'nodes', issues), annotations, issues);
  const edges = parseEdges(listOf(visual, 'edges', issues), issues);
  return expandLists({ nodes, edges, annotations }, resolved.lists, issues);
}

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

function parseNodes(list: readonly unknown[], annotations: Set<string>, issues: Issues): ParsedNode[] {
  const nodes: ParsedNode[] = [];
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    if (issues.isFull) break;
    const node = parseNode(item, index, annotations, issues);
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
  annotations: Set<string>,
  issues: Issues,
): ParsedNode | null {
  const at = (...rest: string[]): IssueLocation => ({ nodeId: null, path: pointer('nodes', index, ...rest) });
  if (!isObject(item)) {
    issues.error(at(), 'not_a_node', `A node must be an object; this is ${kindOf(item)}.`);
    return null;
  }
  const { id, type } = item;
  if (type === undefined || type === null || (typeof type === 'string' && ANNOTATION_TYPES.has(type))) {
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
    return { index, id, graphId: id, type, label: id, config: {}, stray: {}, isDisabled: false };
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
  return { index, id, graphId: id, type, label, config: config ?? {}, stray, isDisabled: disabled === true };
}

function parseEdges(list: readonly unknown[], issues: Issues): ParsedEdge[] {
  const edges: ParsedEdge[] = [];
  for (const [index, item] of list.entries()) {
    if (issues.isFull) break;
    const location: IssueLocation = { nodeId: null, path: pointer('edges', index) };
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
    } else edges.push({ index, source, target, sourceHandle, targetHandle });
  }
  return edges;
}

function isHandle(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
