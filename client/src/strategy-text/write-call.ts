/** Writes a node as a call or an expression, with the parts that it alone reads inside it. */
import { bindArguments, parameterOf } from './arguments.ts';
import {
  CONDITION,
  functionOf,
  isAction,
  LEVEL,
  type NodeFunction,
  nextRequired,
  OPERATORS,
  RESERVED,
  settingNamesOf,
} from './functions.ts';
import { partId } from './graph.ts';
import { type GraphNode, isAnnotation, type ReadGraph, Unwritable } from './read-graph.ts';
import { type Argument, DEPTH_MAX, type Expression } from './syntax.ts';
import { writtenName, writtenText } from './tokens.ts';

export type WrittenCall = {
  readonly text: string;
  /** How tightly its outermost operator binds. */
  readonly level: number;
  /** Name of a line without one; null for a number, which needs a name. */
  readonly word: string | null;
  /** Index of its first part in the graph: parts come right before their node. */
  readonly first: number;
  /** Nodes of its parts. */
  readonly parts: readonly GraphNode[];
};

/** A part takes up to two levels of the parser: its call and its parentheses. */
const PARTS_DEPTH_MAX = DEPTH_MAX / 2 - 1;

type Input = {
  readonly port: string;
  readonly text: string;
  readonly level: number;
  readonly value: Expression;
};

/** @param depth of the expression around it; parts that are deeper have lines of their own */
export function writeCall(graph: ReadGraph, index: number, depth = 0): WrittenCall {
  const node = graph.nodes[index];
  if (node === undefined || isAnnotation(node)) throw new Unwritable('An annotation is no call.');
  const constant = writtenConstant(graph, node);
  if (constant !== null) return { text: constant, level: LEVEL.atom, word: null, first: index, parts: [] };
  const parts: GraphNode[] = [];
  const inputs: Input[] = [];
  let first = index;
  // From the last to the first, as parts come right before their node.
  for (const { port, source, id } of sourcesOf(node).reverse()) {
    if (!isPart(graph, first - 1, source, id) || depth >= PARTS_DEPTH_MAX) {
      inputs.push(inputOf(port, writtenName(source, RESERVED), LEVEL.atom, { kind: 'name', name: source }));
      continue;
    }
    const part = graph.nodes[first - 1] as GraphNode;
    const written = writeCall(graph, first - 1, depth + 1);
    parts.push(part, ...written.parts.toReversed());
    first = written.first;
    inputs.push(inputOf(port, written.text, written.level, expressionOf(part, written.word)));
  }
  const written = writtenNode(graph, node, inputs.reverse(), depth);
  return { ...written, first, parts: parts.reverse() };
}

type Unplaced<E> = E extends unknown ? Omit<E, 'column'> : never;
const inputOf = (port: string, text: string, level: number, value: Unplaced<Expression>): Input => ({
  port,
  text,
  level,
  value: { ...value, column: 0 } as Expression,
});

/** Returns the expression of a part, as far as the order of arguments depends on it. */
function expressionOf({ config }: GraphNode, word: string | null): Unplaced<Expression> {
  if (word !== null) return { kind: 'call', word, op: null, arguments: [] };
  const { value } = config;
  return typeof value === 'number'
    ? { kind: 'literal', value }
    : { kind: 'name', name: parameterOf(value) ?? '' };
}

type Source = { readonly port: string; readonly source: string; readonly id: string };

/** Returns the inputs of a node in the order of its text; a condition is last. */
function sourcesOf({ id, node, inputs }: GraphNode): Source[] {
  const names = [...new Set(node.inputs.map(({ name }) => name))];
  const ports = [...names.filter((name) => name !== CONDITION), CONDITION];
  return ports.flatMap((port) =>
    (inputs.get(port) ?? []).map((source, index) => ({ port, source, id: partId(id, port, index) })),
  );
}

/** Whether the node at this index is a source without a name of its own. */
function isPart({ nodes, readers }: ReadGraph, index: number, source: string, id: string): boolean {
  const node = nodes[index];
  if (node === undefined || isAnnotation(node) || node.isOff) return false;
  return source === id && node.id === id && readers.get(id) === 1;
}

/** Writes a constant as its number, or as the name of its parameter; null for other nodes. */
function writtenConstant({ ids, values }: ReadGraph, { node, config, inputs }: GraphNode): string | null {
  const { value, ...others } = config;
  if (node.type !== 'constant' || inputs.size > 0 || Object.keys(others).length > 0) return null;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  const name = parameterOf(value);
  return name === null || ids.has(name) || !values.has(name) ? null : writtenName(name, RESERVED);
}

type WrittenNode = Pick<WrittenCall, 'text' | 'level' | 'word'>;

function writtenNode(
  graph: ReadGraph,
  node: GraphNode,
  inputs: readonly Input[],
  depth: number,
): WrittenNode {
  const operation = writtenOperation(node, inputs);
  if (operation !== null) return operation;
  const found = functionOf(node.node, node.config);
  const conditions = inputs.filter(({ port }) => port === CONDITION);
  const [condition] = conditions;
  const isApart = depth === 0 && condition !== undefined && conditions.length === 1;
  const inside = isApart ? inputs.filter((input) => input !== condition) : inputs;
  const call = `${found.name}(${writtenArguments(graph, node, found, inside)})`;
  const text = isApart ? `${call} when ${condition.text}` : call;
  return { text, level: LEVEL.atom, word: found.name };
}

function writtenOperation({ node, config }: GraphNode, inputs: readonly Input[]): WrittenNode | null {
  const [sign, operator] =
    Object.entries(OPERATORS).find(([, { type, op }]) => node.type === type && config['op'] === op) ?? [];
  if (sign === undefined || operator === undefined || Object.keys(config).length > 1) return null;
  const { level, many } = operator;
  const ports = inputs.map(({ port }) => port).join();
  const fits = many ? /^in(,in)+$/.test(ports) : ports === (sign === 'not' ? 'a' : 'a,b');
  if (!fits) return null;
  const operands = inputs.map((input) => (input.level <= level ? `(${input.text})` : input.text));
  const text = sign === 'not' ? `not ${operands[0]}` : operands.join(` ${sign} `);
  return { text, level, word: node.type };
}

/** Leaves out as many names as can be left out. */
function writtenArguments(
  { values }: ReadGraph,
  { node, config }: GraphNode,
  found: NodeFunction,
  inputs: readonly Input[],
): string {
  const settings = settingsOf(node, config, found);
  const ways = [
    { isPortNamed: isAction(node), isSettingNamed: false },
    { isPortNamed: isAction(node), isSettingNamed: true },
    { isPortNamed: true, isSettingNamed: true },
  ];
  for (const { isPortNamed, isSettingNamed } of ways) {
    const ofPorts = inputs.map(({ port, ...each }) => ({ ...each, name: isPortNamed ? port : null }));
    const required = settings.filter(({ isNext }) => isNext);
    const first = required.map((each) => ({ ...each, name: isSettingNamed ? each.name : null }));
    const others = settings.filter(({ isNext }) => !isNext);
    const written = [...(isPortNamed ? [...first, ...ofPorts] : [...ofPorts, ...first]), ...others];
    if (bindsAs(found, written, { config, inputs, values }))
      return written.map(({ name, text }) => (name === null ? text : `${name}: ${text}`)).join(', ');
  }
  throw new Unwritable(
    `The settings of a node of type “${node.type}” cannot be written as text: check their names and values.`,
  );
}

type Wanted = {
  readonly config: GraphNode['config'];
  readonly inputs: readonly Input[];
  readonly values: ReadGraph['values'];
};

/** Whether these arguments are read as these settings and inputs. */
function bindsAs(
  found: NodeFunction,
  written: readonly Omit<Argument, 'column'>[],
  { config, inputs, values }: Wanted,
): boolean {
  try {
    const bound = bindArguments(
      found,
      written.map((argument) => ({ ...argument, column: 0 })),
      values,
    );
    const isSame = Object.entries(bound.settings).every(([name, value]) => isEqual(value, config[name]));
    const ports = bound.inputs.map(({ port }) => port);
    return (
      isSame &&
      isEqual(
        ports,
        inputs.map(({ port }) => port),
      )
    );
  } catch {
    return false;
  }
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

type WrittenSetting = {
  readonly name: string;
  /** Whether it is required, and next: its name can be left out. */
  readonly isNext: boolean;
  readonly text: string;
  readonly value: Expression;
};

/** Returns required settings in the order of the catalogue, then the others. */
function settingsOf(
  node: GraphNode['node'],
  config: GraphNode['config'],
  found: NodeFunction,
): WrittenSetting[] {
  const done: Record<string, unknown> = { ...found.chosen };
  const settings: WrittenSetting[] = [];
  const add = (name: string, isNext: boolean): void => {
    done[name] = config[name];
    settings.push({ name, isNext, ...writtenValue(config[name], name) });
  };
  for (let next = nextRequired(node, done); next !== null; next = nextRequired(node, done)) {
    if (!Object.hasOwn(config, next)) break;
    add(next, true);
  }
  const known = [...settingNamesOf(node)].filter((name) => Object.hasOwn(config, name));
  for (const name of new Set([...known, ...Object.keys(config)]))
    if (!Object.hasOwn(done, name)) add(name, false);
  return settings;
}

function writtenValue(value: unknown, name: string): { text: string; value: Expression } {
  const parameter = parameterOf(value);
  if (parameter !== null)
    return {
      text: writtenName(parameter, RESERVED),
      value: { kind: 'name', name: parameter, column: 0 },
    };
  return { text: writtenLiteral(value, name), value: { kind: 'literal', value: value as number, column: 0 } };
}

/** Writes a number, a text, true, false, null or a list of them. */
export function writtenLiteral(value: unknown, name: string): string {
  if (typeof value === 'string') return writtenText(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((each) => writtenLiteral(each, name)).join(', ')}]`;
  throw new Unwritable(`“${name.slice(0, 60)}” holds an object, which text cannot say.`);
}
