/** Writes a graph as the source that draws it: running the source gives the same graph, whatever JSON it is. */
import { type EdgeStyle, edgeOf, type NodeLook, nodeOf, type Strategy } from './define.ts';

type Fields = Readonly<Record<string, unknown>>;
/** A node that `node` can make, with the name of its variable. */
type CallableNode = { id: string; type: string; config: Fields; look: NodeLook; variable: string };
type Inputs = Map<CallableNode, Map<string, CallableNode[]>>;

/** Returns the source of a strategy: a module that exports it. */
export function strategySource({ visual, ...about }: Strategy): string {
  return `import { defineStrategy } from 'trading-strategy/strategy';\n\nexport default ${callOf(visual, about)};\n`;
}

function callOf(visual: unknown, about: Omit<Strategy, 'visual'>): string {
  const { nodes, edges, ...graph } = fieldsOf(visual);
  if (!Array.isArray(nodes) || !Array.isArray(edges))
    return `defineStrategy(${literal(about)}, ${literal(visual)})`;
  const style = styleOf(edges);
  const options = {
    ...about,
    ...(style === 'short' && { edges: style }),
    ...(Object.keys(graph).length > 0 && { graph }),
  };
  const body = bodyOf(nodes, edges, style);
  const used = ['node', 'connect', 'rawNode', 'rawEdge'].filter((name) => body.includes(`${name}(`));
  return `defineStrategy(${literal(options)}, (${used.length > 0 ? `{ ${used.join(', ')} }` : ''}) => {\n${body}})`;
}

const styleOf = (edges: readonly unknown[]): EdgeStyle =>
  edges.length > 0 && edges.every((edge) => isEdge('short', edge)) ? 'short' : 'named';

function bodyOf(nodes: readonly unknown[], edges: readonly unknown[], style: EdgeStyle): string {
  const variables = new Set(RESERVED);
  const written = nodes.map((node) => callableNodeOf(node, variables));
  const known = new Map<unknown, CallableNode>();
  for (const each of written) if (each && !known.has(each.id)) known.set(each.id, each);
  const inputs = inputsOf(written, edges, { style, known });
  const later = edges.slice(inputs === null ? 0 : countOf(inputs));
  const used = new Set<CallableNode>();
  const connected = later.map((edge) => {
    const { source, target, targetHandle } = fieldsOf(edge);
    const [from, to] = [known.get(source), known.get(target)];
    if (!isEdge(style, edge) || !from || !to) return `  rawEdge(${literal(edge)});\n`;
    used.add(from).add(to);
    return `  connect(${from.variable}, ${to.variable}, ${literal(targetHandle)});\n`;
  });
  for (const ports of inputs?.values() ?? [])
    for (const sources of ports.values()) for (const source of sources) used.add(source);
  const lines = written.map((each, index) => {
    if (each === null) return `  rawNode(${literal(nodes[index])});\n`;
    const call = nodeCall(each, inputs?.get(each) ?? new Map());
    return used.has(each) ? `  const ${each.variable} = ${call};\n` : `  ${call};\n`;
  });
  return [...lines, ...connected].join('');
}

/** Null if the node is not of the form that `node` makes. */
function callableNodeOf(node: unknown, variables: Set<string>): CallableNode | null {
  const { id, type, position, data, ...other } = fieldsOf(node);
  const { config, label, disabled, ...further } = fieldsOf(data);
  if (typeof id !== 'string' || typeof type !== 'string' || !isFields(config)) return null;
  const { x, y } = fieldsOf(position);
  const look: NodeLook = {
    ...(typeof x === 'number' && typeof y === 'number' && { at: [x, y] as const }),
    ...(typeof label === 'string' && { label }),
    ...(typeof disabled === 'boolean' && { disabled }),
    ...(Object.keys(further).length > 0 && { data: further }),
    ...(Object.keys(other).length > 0 && { other }),
  };
  if (!isEqual(nodeOf(id, type, config, look), node)) return null;
  return { id, type, config, look, variable: variableOf(id, variables) };
}

type Context = { style: EdgeStyle; known: ReadonlyMap<unknown, CallableNode> };

/**
 * Assigns edges to the nodes at which they end, as long as the written order is the stored one. The rest is written after all nodes.
 * Null if not even the first edge fits.
 */
function inputsOf(
  written: readonly (CallableNode | null)[],
  edges: readonly unknown[],
  { style, known }: Context,
): Inputs | null {
  const order = new Map(written.map((each, index) => [each, index]));
  const inputs: Inputs = new Map();
  let [lastTarget, lastPort]: [CallableNode | null, string | null] = [null, null];
  for (const edge of edges) {
    const { source, target, targetHandle: port } = fieldsOf(edge);
    const [from, to] = [known.get(source), known.get(target)];
    if (!isEdge(style, edge) || !from || !to || typeof port !== 'string' || !isPort(port)) break;
    const isEarlier = (order.get(from) ?? 0) < (order.get(to) ?? 0);
    const isInOrder = lastTarget === null || (order.get(lastTarget) ?? 0) <= (order.get(to) ?? 0);
    const ports = inputs.get(to) ?? new Map<string, CallableNode[]>();
    if (!isEarlier || !isInOrder || (ports.has(port) && port !== lastPort)) break;
    ports.set(port, [...(ports.get(port) ?? []), from]);
    inputs.set(to, ports);
    [lastTarget, lastPort] = [to, port];
  }
  return inputs.size === 0 ? null : inputs;
}

/** Names whose order an object keeps. */
const isPort = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__';

const countOf = (inputs: Inputs): number =>
  [...inputs.values()].flatMap((ports) => [...ports.values()].flat()).length;

function nodeCall(
  { id, type, config, look }: CallableNode,
  ports: ReadonlyMap<string, CallableNode[]>,
): string {
  const fields = [...ports].map(([port, sources]) => {
    const [first, ...others] = sources.map(({ variable }) => variable);
    return `${port}: ${others.length === 0 ? first : `[${[first, ...others].join(', ')}]`}`;
  });
  const hasLook = Object.keys(look).length > 0;
  const inputs = fields.length > 0 ? [`{ ${fields.join(', ')} }`] : hasLook ? ['{}'] : [];
  const rest = [...inputs, ...(hasLook ? [literal(look)] : [])];
  return `node(${[literal(id), literal(type), literal(config), ...rest].join(', ')})`;
}

const isEdge = (style: EdgeStyle, edge: unknown): boolean => {
  const { source, target, targetHandle } = fieldsOf(edge);
  const areTexts = [source, target, targetHandle].every((each) => typeof each === 'string');
  return areTexts && isEqual(edgeOf(style, String(source), String(target), String(targetHandle)), edge);
};

const RESERVED =
  'node connect rawNode rawEdge defineStrategy arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield'.split(
    ' ',
  );

/** A name for the output of a node: its id, as far as a variable may be called so. */
function variableOf(id: string, taken: Set<string>): string {
  const words = id.split(/[^A-Za-z0-9_$]+/).filter((word) => word !== '');
  const camel = words
    .map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('')
    .slice(0, 64);
  const base = /^[A-Za-z_$]/.test(camel) ? camel : `n${camel}`;
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
  taken.add(name);
  return name;
}

/** Source of a JSON value. As a literal, `__proto__` would be the prototype and not a field. */
function literal(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.includes('__proto__') ? `JSON.parse(${JSON.stringify(text)})` : text;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** Whether two JSON values are equal, whatever the order of their fields. */
function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => isEqual(each, other[index]));
  if (!isFields(one) || !isFields(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}
