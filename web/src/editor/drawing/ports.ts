import { t } from '../../language/language.ts';
import {
  type Catalogue,
  type Config,
  configOf,
  type Edge,
  type EdgeEnds,
  type InputPort,
  type Node,
  type NodeType,
  type OutputPort,
} from './model.ts';
import { defaultsOf, startingConfig } from './settings-schema.ts';

const HEAD_PX = 34;
export const PORT_PX = 20;
/** The distance from the top of a node to the middle of a port. */
export const portTop = (index: number): number => HEAD_PX + PORT_PX * (index + 0.5);

type Conditional = { when?: { setting: string; in: readonly string[] } | undefined };

/** The ports of a node with its present settings. */
export function portsOf(
  type: NodeType | undefined,
  config: Config,
): { inputs: InputPort[]; outputs: OutputPort[] } {
  if (!type) return { inputs: [], outputs: [] };
  const settings = { ...defaultsOf(type.config, config), ...config };
  const exists = ({ when }: Conditional) =>
    when === undefined || when.in.includes(String(settings[when.setting] ?? ''));
  return { inputs: type.inputs.filter(exists), outputs: type.outputs.filter(exists) };
}

/** Returns the first input that depends on each setting without a value. */
export function pendingPorts(type: NodeType | undefined, config: Config): InputPort[] {
  if (!type) return [];
  const settings = { ...defaultsOf(type.config, config), ...config };
  const waiting = type.inputs.filter(
    ({ when }) => when !== undefined && settings[when.setting] === undefined,
  );
  return [...Map.groupBy(waiting, ({ when }) => when?.setting).values()].flatMap(([first]) => first ?? []);
}

/** Returns the inputs that edges name and the node does not have: these edges lead nowhere. */
export function danglingInputs(node: Node, edges: readonly Edge[], catalogue: Catalogue): string[] {
  const type = catalogue.types.get(node.type);
  if (!type) return [];
  const known = new Set(portsOf(type, configOf(node)).inputs.map(({ name }) => name));
  const named = edges.flatMap(({ target, targetHandle }) =>
    target === node.id && targetHandle !== null && !known.has(targetHandle) ? [targetHandle] : [],
  );
  return [...new Set(named)];
}

/** Returns the types that fit the open end of an edge, each with the port it would take: an input of a forward edge. */
export const fittingTypes = (
  kind: InputPort['kind'],
  isForward: boolean,
  { types }: Catalogue,
): { type: NodeType; port: string }[] =>
  [...types.values()].flatMap((type) => {
    const { inputs, outputs } = portsOf(type, startingConfig(type.config));
    const port = (isForward ? inputs : outputs).find((each) => each.kind === kind);
    return port ? [{ type, port: port.name }] : [];
  });

type Graph = { nodes: readonly Node[]; edges: readonly Edge[] };

/** The reason why two ports cannot be connected, or null. */
export function connectionFault(
  ends: EdgeEnds,
  { nodes, edges }: Graph,
  catalogue: Catalogue,
): string | null {
  const from = nodes.find(({ id }) => id === ends.source);
  const to = nodes.find(({ id }) => id === ends.target);
  if (!from || !to) return t('Both ends must be nodes.');
  if (from === to) return t('A node cannot feed itself.');
  const { outputs } = portsOf(catalogue.types.get(from.type), configOf(from));
  const output = outputs.find(({ name }) => name === ends.sourceHandle) ?? outputs[0];
  const input = portsOf(catalogue.types.get(to.type), configOf(to)).inputs.find(
    ({ name }) => name === ends.targetHandle,
  );
  if (!output) return t('“{id}” has no output.', { id: from.id });
  if (!input) return t('“{id}” has no such input.', { id: to.id });
  if (output.kind !== input.kind)
    return input.kind === 'number'
      ? t('“{name}” takes a number; this is a boolean.', { name: input.name })
      : t('“{name}” takes a boolean; this is a number.', { name: input.name });
  const present = edges.filter(({ target, targetHandle }) => target === to.id && targetHandle === input.name);
  if (present.some(({ source }) => source === from.id)) return t('They are connected already.');
  if (!input.many && present.length > 0)
    return t('“{name}” takes one connection and has it.', { name: input.name });
  return closesCycle(ends, { nodes, edges }, catalogue)
    ? t('This would form a loop. A Memory node may close one.')
    : null;
}

/** A node that emits its input one evaluation later closes no circle. */
function closesCycle({ source, target }: EdgeEnds, { nodes, edges }: Graph, catalogue: Catalogue): boolean {
  const delays = new Set(nodes.filter(({ type }) => catalogue.types.get(type)?.delays).map(({ id }) => id));
  if (delays.has(source) || delays.has(target)) return false;
  const onwards = Map.groupBy(edges, (edge) => edge.source);
  const seen = new Set<string>();
  const ahead = [target];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    if (id === source) return true;
    if (seen.has(id) || delays.has(id)) continue;
    seen.add(id);
    for (const edge of onwards.get(id) ?? []) ahead.push(edge.target);
  }
  return false;
}
