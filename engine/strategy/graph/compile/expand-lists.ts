/**
 * Nodes of many instruments. A setting that refers to a list of instruments stands for all of them: its node, and every node
 * that depends on it, runs once for each. A port that gathers takes the values of all, which ends the spread.
 */
import { isObject, quoted } from '../json.ts';
import { notifyTextProblem, PLACEHOLDER } from '../nodes/actions/notify.ts';
import { nodeTypes } from '../nodes/catalogue.ts';
import { shortName } from '../nodes/quote-readers.ts';
import { type Issues, pointer } from './issues.ts';
import { type InstrumentLists, listsIn, referenceIn } from './parameters.ts';
import {
  EDGES_MAX,
  isUsableId,
  NODE_ID_BYTES_MAX,
  NODES_MAX,
  nodeLocation,
  type ParsedEdge,
  type ParsedGraph,
  type ParsedNode,
} from './parsed-graph.ts';

/** Edges that run. */
const RUNNING_EDGES_MAX = 20_000;

/** By id of a node in the graph: the list that it runs once for each instrument of. */
type ListOfNode = ReadonlyMap<string, string>;
/** By id of a node in the graph: the nodes that run, in the order of the list. */
type Copies = ReadonlyMap<string, readonly ParsedNode[]>;

/**
 * Copies nodes for the instruments of lists, and connects the copies of one instrument. Returns an empty graph if too much would
 * run. Pure; a graph without lists stays as it is.
 */
export function expandLists(graph: ParsedGraph, lists: InstrumentLists, issues: Issues): ParsedGraph {
  const listOf = listsOfNodes(graph, lists, issues);
  if (listOf.size === 0) return graph;
  const instrumentsOf = ({ id }: ParsedNode) => lists.get(listOf.get(id) ?? '');
  const count = graph.nodes.reduce((sum, node) => sum + (instrumentsOf(node)?.length ?? 1), 0);
  const nothing = { ...graph, nodes: [], edges: [] };
  if (count > NODES_MAX) {
    const message = `This graph has ${count} nodes to execute, as nodes of a list run once for each instrument; ${NODES_MAX} are allowed. Shorten a list, or use fewer nodes for it.`;
    issues.error({ nodeId: null, path: pointer('nodes') }, 'too_many_nodes', message);
    return nothing;
  }
  if (graph.edges.length > EDGES_MAX) {
    const message = `This graph has ${graph.edges.length} edges; ${EDGES_MAX} are allowed.`;
    issues.error({ nodeId: null, path: pointer('edges') }, 'too_many_edges', message);
    return nothing;
  }
  const copies = new Map(
    graph.nodes.map((node) => {
      const copied = instrumentsOf(node)?.map((tokenId) => copyFor(node, tokenId, listOf));
      return [node.id, copied ?? [node]];
    }),
  );
  checkIds(copies, issues);
  const edges = expandEdges(graph, copies, listOf);
  if (edges.length <= RUNNING_EDGES_MAX) return { ...graph, nodes: [...copies.values()].flat(), edges };
  const message = `This graph has ${edges.length} edges, as every instrument of a list is compared with all others; ${RUNNING_EDGES_MAX} are allowed. Shorten a list.`;
  issues.error({ nodeId: null, path: pointer('edges') }, 'too_many_edges', message);
  return nothing;
}

function listsOfNodes({ nodes, edges }: ParsedGraph, lists: InstrumentLists, issues: Issues): ListOfNode {
  const found = new Map<string, string>();
  if (lists.size === 0) return found;
  const assign = (node: ParsedNode, list: string): void => {
    const known = found.get(node.id);
    if (known === undefined) found.set(node.id, list);
    else if (known !== list) {
      const message = `“${node.label}” depends on two lists of instruments, ${quoted(known)} and ${quoted(list)}; a node runs once for each instrument of one. Put an aggregate before it.`;
      issues.error(nodeLocation(node), 'two_lists', message);
    }
  };
  for (const node of nodes) for (const list of listsIn(node.config)) if (lists.has(list)) assign(node, list);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const onwards = Map.groupBy(edges, ({ source }) => source);
  for (const [id, list] of found)
    for (const edge of onwards.get(id) ?? []) {
      const target = byId.get(edge.target);
      if (target !== undefined && !isGathered(edge, target)) assign(target, list);
    }
  return found;
}

/** Editors omit the handle of a node with a single port. */
function isGathered({ targetHandle }: ParsedEdge, { type }: ParsedNode): boolean {
  const { gathers = null, inputs = [] } = nodeTypes.get(type) ?? {};
  if (gathers === null) return false;
  return targetHandle === null
    ? inputs.every(({ name }) => name === gathers.port)
    : targetHandle === gathers.port;
}

/** Returns the node as it runs for one instrument: with that instead of the list, in settings and mentions. */
function copyFor(node: ParsedNode, tokenId: string, listOf: ListOfNode): ParsedNode {
  const list = listOf.get(node.id);
  const named = (id: string): string => `${id}/${shortName(tokenId)}`;
  const valueFor = (value: unknown): unknown => {
    if (list !== undefined && referenceIn(value) === list) return tokenId;
    if (node.type !== 'notify' || typeof value !== 'string') return value;
    const filledWith = (name: string) =>
      value.replace(PLACEHOLDER, (all, id: string) =>
        id === list ? name : listOf.get(id) === list ? `{${named(id)}}` : all,
      );
    const filled = filledWith(shortName(tokenId));
    return notifyTextProblem(filled) === null ? filled : filledWith('…');
  };
  const config = isObject(node.config)
    ? Object.fromEntries(Object.entries(node.config).map(([setting, value]) => [setting, valueFor(value)]))
    : node.config;
  return { ...node, id: named(node.id), config };
}

function checkIds(copies: Copies, issues: Issues): void {
  for (const nodes of copies.values())
    for (const node of nodes) {
      if (node.id === node.graphId) continue;
      if (!isUsableId(node.id)) {
        const message = `With an instrument of its list the id of this node is ${quoted(node.id)}, which is longer than ${NODE_ID_BYTES_MAX} bytes. Shorten the id.`;
        issues.error(nodeLocation(node, 'id'), 'bad_id', message);
      }
      if (copies.has(node.id)) {
        const message = `Another node is called ${quoted(node.id)}, which is what this one is called for an instrument of its list. Rename one of them.`;
        issues.error(nodeLocation(node, 'id'), 'duplicate_id', message);
      }
    }
}

function expandEdges({ nodes, edges }: ParsedGraph, copies: Copies, listOf: ListOfNode): ParsedEdge[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found: ParsedEdge[] = [];
  const add = (edge: ParsedEdge, source: string, target: string): void => {
    // One more than the limit shows that it is passed.
    if (found.length <= RUNNING_EDGES_MAX) found.push({ ...edge, source, target });
  };
  const gather = (edge: ParsedEdge): void => {
    for (const target of copies.get(edge.target) ?? []) {
      if (found.length > RUNNING_EDGES_MAX) return;
      for (const source of copies.get(edge.source) ?? []) add(edge, source.id, target.id);
    }
  };
  for (const edge of edges) {
    const node = byId.get(edge.target);
    const sources = copies.get(edge.source) ?? [];
    const targets = copies.get(edge.target) ?? [];
    if (node !== undefined && sources.length > 0 && isGathered(edge, node)) gather(edge);
    else if (targets.length === 0 || sources.length === 0)
      add(edge, sources[0]?.id ?? edge.source, targets[0]?.id ?? edge.target);
    else
      for (const [index, target] of targets.entries())
        add(
          edge,
          (listOf.has(edge.source) ? (sources[index] ?? sources[0]) : sources[0])?.id ?? '',
          target.id,
        );
  }
  for (const edge of gatheredByDefault(nodes, edges)) if (listOf.has(edge.source)) gather(edge);
  return found;
}

/** Returns an edge into each gathering port without one: from what its node compares with the others. */
function gatheredByDefault(nodes: readonly ParsedNode[], edges: readonly ParsedEdge[]): ParsedEdge[] {
  const into = Map.groupBy(edges, ({ target }) => target);
  return nodes.flatMap((node) => {
    const gathers = nodeTypes.get(node.type)?.gathers;
    const own = into.get(node.id) ?? [];
    if (gathers?.of === undefined || own.some((edge) => isGathered(edge, node))) return [];
    return own
      .filter(({ targetHandle }) => targetHandle === gathers.of)
      .map((edge) => ({ ...edge, targetHandle: gathers.port }));
  });
}
