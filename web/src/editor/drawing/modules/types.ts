/** Modules of a graph: named graphs that its nodes use, as node types of the editor. Pure. */
import { t } from '../../../language/language.ts';
import { readGraph } from '../json.ts';
import {
  type Catalogue,
  type Config,
  configOf,
  type Fields,
  isFields,
  labelOf,
  type Node,
  type NodeType,
} from '../model.ts';
import { graphParametersOf } from '../parameters.ts';

export const PREFIX = 'module.';
export const INPUT = 'module.input';
export const OUTPUT = 'module.output';

export const isPort = ({ type }: Pick<Node, 'type'>): boolean => type === INPUT || type === OUTPUT;

/** Returns the module that nodes of a type use; null for any other type. */
export const moduleOf = (type: string): string | null =>
  type.startsWith(PREFIX) && !isPort({ type }) ? type.slice(PREFIX.length) : null;

/** The modules of a graph as written, by name. */
export const modulesOf = ({ modules }: Fields): Readonly<Record<string, unknown>> =>
  isFields(modules) ? modules : {};

const KINDS = ['number', 'boolean'] as const;
const kindOf = (config: Config): (typeof KINDS)[number] =>
  config['kind'] === 'boolean' ? 'boolean' : 'number';

/** The nodes of a module as written, which may be any JSON. */
export const nodesIn = (graph: unknown): readonly Node[] => readGraph(graph).nodes;

/** The definitions of the module that nodes of a type use, and of those within it. */
export function definitionsBehind(type: string, rest: Fields): unknown[] {
  const modules = modulesOf(rest);
  const names = new Set([moduleOf(type)]);
  for (const name of names) for (const node of nodesIn(modules[name ?? ''])) names.add(moduleOf(node.type));
  return [...names].map((name) => modules[name ?? '']);
}

/** Returns the catalogue with a type for each module, and within one also the types of its ports. */
export function withModules(catalogue: Catalogue, modules: Fields, open: readonly string[]): Catalogue {
  const names = Object.keys(modules).filter((name) => !open.includes(name));
  if (names.length === 0 && open.length === 0) return catalogue;
  const types = new Map(catalogue.types);
  for (const name of names) types.set(PREFIX + name, typeOf(name, modules[name], catalogue));
  if (open.length > 0) for (const type of portTypes()) types.set(type.type, type);
  return { ...catalogue, types };
}

const TYPE = { group: 'module', delays: false, trades: false } as const;

function typeOf(name: string, graph: unknown, catalogue: Catalogue): NodeType {
  const ports = (type: string) =>
    nodesIn(graph)
      .filter((node) => node.type === type)
      .map((node) => ({ name: node.id, kind: kindOf(configOf(node)), help: labelOf(node, catalogue) }));
  const parameters = graphParametersOf(isFields(graph) ? graph : {});
  const properties = parameters.map(({ name: setting, value, min, max, help }) => {
    const bounds = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
    return [setting, { type: typeof value, default: value, description: help, ...bounds }];
  });
  return {
    ...TYPE,
    type: PREFIX + name,
    title: name,
    help: t('Runs the nodes of the module “{name}” in its place.', { name }),
    inputs: ports(INPUT).map((port) => ({ ...port, required: true, many: true })),
    outputs: ports(OUTPUT),
    config: { type: 'object', properties: Object.fromEntries(properties) },
  };
}

function portTypes(): NodeType[] {
  const config = { type: 'object', properties: { kind: { enum: [...KINDS], default: 'number' } } };
  const port = (name: string, kind: (typeof KINDS)[number], help: string) => ({
    ...{ name, kind, help, when: { setting: 'kind', in: [kind] } },
  });
  const input = t('A value that the module takes.');
  const output = t('A value that the module gives.');
  const into = KINDS.map((kind) => ({ ...port('in', kind, output), required: true, many: false }));
  return [
    {
      ...{ ...TYPE, type: INPUT, title: t('Module input'), help: input, config },
      ...{ inputs: [], outputs: KINDS.map((kind) => port('out', kind, input)) },
    },
    { ...TYPE, type: OUTPUT, title: t('Module output'), help: output, config, inputs: into, outputs: [] },
  ];
}
