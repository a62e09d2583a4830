/** Functions of the text form, derived from the catalogue of node types: a new node type needs no line here. */
import { NODE_OUTLINES } from '../generated/node-outlines.ts';
import type { InputOutline, Kind, NodeOutline, PortCondition, Variant } from '../node-outline.ts';

export type Settings = Readonly<Record<string, unknown>>;

/** A function: a node type, with a setting that its name stands for (`ema` is `indicator` of the kind `ema`). */
export type NodeFunction = {
  readonly name: string;
  readonly node: NodeOutline;
  readonly chosen: Readonly<Record<string, string>>;
};

/** Words with a meaning of their own; as names they stand in backquotes. */
export const RESERVED: ReadonlySet<string> = new Set(
  'and false in not null off or param true when'.split(' '),
);

/** Settings whose values are functions. */
const NAMING_SETTINGS = ['kind', 'op'] as const;

export const OUTLINES: ReadonlyMap<string, NodeOutline> = new Map(
  NODE_OUTLINES.map((node) => [node.type, node]),
);

export const FUNCTIONS: ReadonlyMap<string, NodeFunction> = functionsOf(NODE_OUTLINES);

function functionsOf(nodes: readonly NodeOutline[]): Map<string, NodeFunction> {
  const functions = new Map<string, NodeFunction>(
    nodes.map((node) => [node.type, { name: node.type, node, chosen: {} }]),
  );
  const named = nodes.flatMap((node) =>
    NAMING_SETTINGS.flatMap((setting) =>
      valuesOf(node, setting).map((name) => ({ name, node, chosen: { [setting]: name } })),
    ),
  );
  const isUnique = (name: string): boolean => named.filter((each) => each.name === name).length === 1;
  const aliases = named.filter(({ name }) => isUnique(name) && !functions.has(name) && !RESERVED.has(name));
  return new Map([...functions, ...aliases.map((each) => [each.name, each] as const)]);
}

function valuesOf(node: NodeOutline, setting: string): string[] {
  const values = node.variants.flatMap(({ settings }) => settings[setting]?.values ?? []);
  return [...new Set(values)].filter((value) => typeof value === 'string');
}

/** Returns the function by which a node with these settings is written. */
export function functionOf(node: NodeOutline, settings: Settings): NodeFunction {
  for (const setting of NAMING_SETTINGS) {
    const found = FUNCTIONS.get(String(settings[setting]));
    if (found?.node === node && found.chosen[setting] === settings[setting]) return found;
  }
  return { name: node.type, node, chosen: {} };
}

/** Returns the names of settings that a node may have beside these. */
export function settingNamesOf({ variants }: NodeOutline, settings: Settings = {}): ReadonlySet<string> {
  const fitting = variants.filter((each) => isOf(each, settings));
  return new Set(fitting.flatMap((each) => Object.keys(each.settings)));
}

/** Returns the choices of a setting; null if it takes any value. */
export function choicesOf({ variants }: NodeOutline, setting: string): readonly unknown[] | null {
  const outlines = variants.flatMap(({ settings }) => settings[setting] ?? []);
  const isFree = outlines.some(({ values }) => values === undefined);
  return isFree ? null : outlines.flatMap(({ values = [] }) => values);
}

/** Returns the next required setting that these lack, in the order of the catalogue; null if there is none. */
export function nextRequired({ variants }: NodeOutline, settings: Settings): string | null {
  const variant = variants.find((each) => isOf(each, settings)) ?? variants[0];
  return variant?.required.find((name) => !Object.hasOwn(settings, name)) ?? null;
}

function isOf(variant: Variant, settings: Settings): boolean {
  return Object.entries(variant.settings).every(
    ([name, { values }]) =>
      values === undefined || typeof settings[name] !== 'string' || values.includes(settings[name]),
  );
}

/** Returns the ports that a node with these settings has; references must have been replaced by values. */
export function portsOf(node: NodeOutline, settings: Settings): readonly InputOutline[] {
  const ports = node.inputs.filter((port) => isThere(node, port.when, settings));
  const condition = ports.filter(({ name }) => name === CONDITION);
  return [...ports.filter(({ name }) => name !== CONDITION), ...condition];
}

/** The port that is written after the word `when`. */
export const CONDITION = 'when';

export const isAction = ({ inputs }: NodeOutline): boolean => inputs.some(({ name }) => name === CONDITION);

/** Returns what a node with these settings gives; null if nothing. */
export function outputKindOf(node: NodeOutline, settings: Settings): Kind | null {
  return node.outputs.find(({ when }) => isThere(node, when, settings))?.kind ?? null;
}

function isThere(node: NodeOutline, when: PortCondition | undefined, settings: Settings): boolean {
  if (when === undefined) return true;
  const standard = node.variants.find((each) => isOf(each, settings))?.settings[when.setting]?.default;
  return when.in.includes(String(settings[when.setting] ?? standard));
}

/** Operators by their sign: the type and `op` they stand for, and how tightly they bind. */
export type Operator = {
  readonly type: string;
  readonly op: string;
  readonly level: number;
  /** A chain of one sign is one node. */
  readonly many: boolean;
};
export const LEVEL = { or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6, atom: 7 } as const;
export const OPERATORS: Readonly<Record<string, Operator>> = {
  or: { type: 'logic', op: 'or', level: LEVEL.or, many: true },
  and: { type: 'logic', op: 'and', level: LEVEL.and, many: true },
  not: { type: 'logic', op: 'not', level: LEVEL.not, many: false },
  '<': { type: 'compare', op: 'lt', level: LEVEL.comparison, many: false },
  '<=': { type: 'compare', op: 'lte', level: LEVEL.comparison, many: false },
  '>': { type: 'compare', op: 'gt', level: LEVEL.comparison, many: false },
  '>=': { type: 'compare', op: 'gte', level: LEVEL.comparison, many: false },
  '+': { type: 'math', op: 'add', level: LEVEL.sum, many: true },
  '-': { type: 'math', op: 'subtract', level: LEVEL.sum, many: false },
  '*': { type: 'math', op: 'multiply', level: LEVEL.product, many: true },
  '/': { type: 'math', op: 'divide', level: LEVEL.product, many: false },
};
