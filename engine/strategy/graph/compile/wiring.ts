/** Builds a graph of configured nodes from parsed nodes and edges, with edges that fit their ports. */
import { quoted } from '../json.ts';
import { nodeTypes, settingNamesOf, suggestNodeType } from '../nodes/catalogue.ts';
import type { Configured, InputPort, NodeType, OutputPort } from '../nodes/node.ts';
import { DISABLED_NODE, type DisabledNodes, disabledNode } from './disabled-nodes.ts';
import { ISSUES_MAX, type Issues, pointer } from './issues.ts';
import {
  EDGES_MAX,
  edgeLocation,
  nodeLocation,
  type ParsedEdge,
  type ParsedGraph,
  type ParsedNode,
} from './parsed-graph.ts';
import { settingIssues } from './setting-issues.ts';

export type GraphNode = {
  readonly parsed: ParsedNode;
  readonly type: NodeType;
  /** `null` if its settings are invalid; then only its edges are checked. */
  readonly node: Configured | null;
  /** Ports for these settings. */
  readonly inputs: readonly InputPort[];
  readonly output: OutputPort | null;
  /** By port: the sources of its edges, in the order of the graph. */
  readonly sources: Map<string, GraphNode[]>;
};

/** Silent nodes get no settings and no connections: their mistakes have no effect while they are silent. */
export function buildGraph(parsedGraph: ParsedGraph, disabled: DisabledNodes, issues: Issues): GraphNode[] {
  const graph = parsedGraph.nodes
    .map((parsed) => {
      const cause = disabled.get(parsed.id);
      return cause === undefined ? configure(parsed, issues) : silentNode(parsed, cause);
    })
    .filter((node) => node !== null);
  const isHeard = ({ source, target }: ParsedEdge) => !disabled.has(source) && !disabled.has(target);
  connect(graph, { ...parsedGraph, edges: parsedGraph.edges.filter(isHeard) }, issues);
  for (const node of graph) if (!parsedGraph.unfed.has(node.parsed.id)) demandInputs(node, issues);
  return graph;
}

function silentNode(parsed: ParsedNode, cause: ParsedNode): GraphNode {
  // Texts may still mention it: they show its value as unknown.
  const output = nodeTypes.get(parsed.type)?.outputs[0] ?? null;
  return {
    parsed,
    type: DISABLED_NODE,
    node: disabledNode(parsed, cause),
    inputs: [],
    output,
    sources: new Map(),
  };
}

function configure(parsed: ParsedNode, issues: Issues): GraphNode | null {
  const type = nodeTypes.get(parsed.type);
  if (type === undefined) {
    const message = `There is no node type ${quoted(parsed.type)}. ${suggestNodeType(parsed.type)}`;
    issues.error(nodeLocation(parsed, 'type'), 'unknown_type', message);
    return null;
  }
  const result = type.configure(parsed.config);
  const graphNode = { parsed, type, sources: new Map<string, GraphNode[]>() };
  if (result.ok) {
    const has = (port: { when?: InputPort['when'] }) =>
      port.when === undefined || port.when.in.includes(String(result.settings[port.when.setting]));
    return {
      ...graphNode,
      node: result.node,
      inputs: type.inputs.filter(has),
      output: type.outputs.find(has) ?? null,
    };
  }
  const misplaced = settingNamesOf(type.type, parsed.stray).filter(
    (name) => parsed.stray[name] !== undefined,
  );
  if (misplaced.length > 0) {
    const message = `The settings of a node stand in “data.config”. Move there: ${misplaced.join(', ')}.`;
    issues.error(nodeLocation(parsed, 'data', 'config'), 'misplaced_settings', message);
    return { ...graphNode, node: null, inputs: type.inputs, output: type.outputs[0] ?? null };
  }
  const known = settingNamesOf(type.type, parsed.config);
  for (const problem of result.problems.slice(0, ISSUES_MAX + 1)) {
    for (const { path, code, message } of settingIssues(problem, parsed.config, known))
      issues.error(nodeLocation(parsed, 'data', 'config', ...path), code, message);
  }
  return { ...graphNode, node: null, inputs: type.inputs, output: type.outputs[0] ?? null };
}

function connect(
  graph: readonly GraphNode[],
  { edges, nodes, annotations }: ParsedGraph,
  issues: Issues,
): void {
  const count = new Set(edges.map(({ index }) => index)).size;
  if (count > EDGES_MAX) {
    const message = `This graph has ${count} edges; ${EDGES_MAX} are allowed.`;
    issues.error({ nodeId: null, path: pointer('edges') }, 'too_many_edges', message);
    return;
  }
  const byId = new Map(graph.map((node) => [node.parsed.id, node]));
  const ids = new Set(nodes.map(({ id }) => id));
  for (const edge of edges) {
    const source = byId.get(edge.source);
    const target = byId.get(edge.target);
    if (source !== undefined && target !== undefined) join(edge, source, target, issues);
    else reportEnds(edge, (id) => ids.has(id), annotations, issues);
  }
}

/** Reports an edge that does not join two nodes of known type. An edge of an annotation is ignored. */
function reportEnds(
  edge: ParsedEdge,
  isKnown: (id: string) => boolean,
  annotations: ReadonlySet<string>,
  issues: Issues,
): void {
  const lost = [edge.source, edge.target].filter((id) => !isKnown(id) && !annotations.has(id));
  const location = edgeLocation(edge, isKnown(edge.target) ? edge.target : null);
  for (const id of lost) issues.error(location, 'unknown_node', `There is no node ${quoted(id)} to connect.`);
  if (lost.length === 0 && (annotations.has(edge.source) || annotations.has(edge.target)))
    issues.warning(
      location,
      'annotation_edge',
      'This edge touches a node that is not executed, so it carries nothing.',
    );
}

function join(edge: ParsedEdge, source: GraphNode, target: GraphNode, issues: Issues): void {
  const { output } = source;
  const port = portOf(edge, target);
  const fault = faultOf(edge, source, target, port);
  if (fault !== null) issues.error(edgeLocation(edge, target.parsed.id), fault.code, fault.message);
  else if (output !== null && port !== null) {
    const sources = target.sources.get(port.name);
    if (sources === undefined) target.sources.set(port.name, [source]);
    else sources.push(source);
  }
}

type Fault = { readonly code: string; readonly message: string };

function faultOf(
  edge: ParsedEdge,
  source: GraphNode,
  target: GraphNode,
  port: InputPort | null,
): Fault | null {
  const { output } = source;
  if (output === null || (edge.sourceHandle !== null && edge.sourceHandle !== output.name)) {
    const has = output === null ? 'no output' : `only the output “${output.name}”`;
    return { code: 'unknown_port', message: `“${source.parsed.label}” (${source.type.title}) has ${has}.` };
  }
  if (port === null) return { code: 'unknown_port', message: unknownPort(edge, target) };
  const { label } = target.parsed;
  if (target.sources.has(port.name) && !port.many) {
    const message = `Two edges lead to “${port.name}” of “${label}”, which takes one. Remove one of them.`;
    return { code: 'doubly_connected', message };
  }
  // While settings are invalid, the ports of both ends are not certain.
  if (source.node === null || target.node === null) return null;
  // Along an edge through modules, from the node that gives to the port that takes.
  const ends = [
    { name: `“${source.parsed.label}”`, kind: output.kind },
    ...edge.ports.map((passed) => ({ name: `the port “${passed.label}”`, kind: passed.kind })),
    { name: `“${port.name}” of “${label}”`, kind: port.kind },
  ];
  const at = ends.findIndex(({ kind }, index) => kind !== (ends[index + 1]?.kind ?? kind));
  const [gives, takes] = ends.slice(at);
  if (at < 0 || gives === undefined || takes === undefined) return null;
  const message = `${gives.name} gives ${KINDS[gives.kind]}, but ${takes.name} takes ${KINDS[takes.kind]}.`;
  return { code: 'kind_mismatch', message };
}

const KINDS = { number: 'a number', boolean: 'true or false' } as const;

/** Editors omit the handle of a node with a single port. */
function portOf({ targetHandle }: ParsedEdge, { inputs }: GraphNode): InputPort | null {
  if (targetHandle === null) return (inputs.length === 1 ? inputs[0] : undefined) ?? null;
  return inputs.find(({ name }) => name === targetHandle) ?? null;
}

function unknownPort({ targetHandle }: ParsedEdge, { parsed, type, inputs }: GraphNode): string {
  const names = inputs.map(({ name }) => `“${name}”`).join(', ');
  const has = names === '' ? 'no inputs' : `the inputs ${names}`;
  const which =
    targetHandle === null
      ? 'Say with “targetHandle” where this edge ends'
      : `There is no input ${quoted(targetHandle)}`;
  return `${which}: “${parsed.label}” (${type.title}) has ${has}.`;
}

function demandInputs({ parsed, node, inputs, sources }: GraphNode, issues: Issues): void {
  // A node with invalid settings may have other ports; the settings are reported first.
  if (node === null) return;
  for (const { name, required, help } of inputs) {
    if (required && !sources.has(name))
      issues.error(
        nodeLocation(parsed),
        'missing_input',
        `Connect something to input “${name}” of “${parsed.label}”: ${help}`,
      );
  }
}
