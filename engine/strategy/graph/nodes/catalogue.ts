/** All node types and their descriptions: the one source for compiler, API, editor and docs. */

import { z } from 'zod';
import type { Json } from '../../../../db/json.ts';
import { isObject } from '../json.ts';
import { close } from './actions/close.ts';
import { exit } from './actions/exit.ts';
import { leg } from './actions/leg.ts';
import { notify } from './actions/notify.ts';
import { order } from './actions/order.ts';
import { quote } from './actions/quote.ts';
import { target } from './actions/target.ts';
import { fallback } from './choice/fallback.ts';
import { number } from './choice/number.ts';
import { select } from './choice/select.ts';
import { compare } from './conditions/compare.ts';
import { cooldown } from './conditions/cooldown.ts';
import { hold } from './conditions/hold.ts';
import { logic } from './conditions/logic.ts';
import { marketGuard } from './conditions/market-guard.ts';
import { memory } from './conditions/memory.ts';
import { indicator } from './indicator.ts';
import { correlation } from './indicators/correlation.ts';
import { aggregate } from './lists/aggregate.ts';
import { top } from './lists/top.ts';
import { weight } from './lists/weight.ts';
import { account } from './markets/account.ts';
import { constant } from './markets/constant.ts';
import { cryptoCandle } from './markets/crypto-candle.ts';
import { cryptoPrice } from './markets/crypto-price.ts';
import { marketBook } from './markets/market-book.ts';
import { marketInfo } from './markets/market-info.ts';
import { marketPrice } from './markets/market-price.ts';
import { position } from './markets/position.ts';
import { schedule } from './markets/schedule.ts';
import { signal } from './markets/signal.ts';
import { math } from './math.ts';
import type { Group, InputPort, NodeType, OutputPort, OutputRules } from './node.ts';
import { orderResultNode } from './order-result-node.ts';
import { count } from './past/count.ts';
import { lag } from './past/lag.ts';
import { once } from './past/once.ts';
import { pulse } from './past/pulse.ts';
import { since } from './past/since.ts';
import { probabilityEdge } from './probability-edge.ts';
import { positionSizing } from './risk/position-sizing.ts';

const NODE_TYPES: readonly NodeType[] = [
  marketPrice,
  marketBook,
  marketInfo,
  cryptoPrice,
  cryptoCandle,
  position,
  account,
  orderResultNode,
  schedule,
  signal,
  constant,
  indicator,
  correlation,
  math,
  lag,
  select,
  fallback,
  number,
  count,
  since,
  aggregate,
  weight,
  probabilityEdge,
  compare,
  top,
  logic,
  hold,
  memory,
  cooldown,
  once,
  pulse,
  marketGuard,
  positionSizing,
  order,
  quote,
  leg,
  close,
  target,
  exit,
  notify,
];

export const nodeTypes: ReadonlyMap<string, NodeType> = new Map(NODE_TYPES.map((type) => [type.type, type]));

/** A node type as in `GET /api/node-types`: plain JSON. */
export type NodeDescription = {
  type: string;
  group: Group;
  title: string;
  help: string;
  inputs: InputPort[];
  outputs: OutputPort[];
  /** JSON Schema (draft 2020-12) of the settings; rules for the output are in `x-unknown`, `x-equality`, `x-gap`. */
  config: Json;
};

const CATALOGUE: readonly NodeDescription[] = NODE_TYPES.map(
  ({ type, group, title, help, laws, inputs, outputs, config }) => ({
    type,
    group,
    title,
    help,
    inputs: [...inputs],
    outputs: [...outputs],
    config: { ...(z.toJSONSchema(config, { io: 'input' }) as Record<string, Json>), ...keywordsOf(laws) },
  }),
);

function keywordsOf(laws: OutputRules): Record<string, string> {
  return Object.fromEntries(Object.entries(laws).map(([name, sentence]) => [`x-${name}`, sentence]));
}

export function describeCatalogue(): NodeDescription[] {
  return [...CATALOGUE];
}

/** The settings of a type that go together; if it has variants, `chosen` tells them apart. */
type Variant = {
  readonly chosen: readonly (readonly [name: string, value: unknown])[];
  readonly names: readonly string[];
};

const VARIANTS: ReadonlyMap<string, readonly Variant[]> = new Map(
  CATALOGUE.map(({ type, config }) => [type, schemasOf(config).map(variantOf)]),
);

/** Returns the names of settings of a node of this type, given those already written. */
export function settingNamesOf(type: string, config: unknown): readonly string[] {
  const variants = VARIANTS.get(type) ?? [];
  const written = isObject(config) ? config : {};
  const variant = variants.find(({ chosen }) => chosen.every(([name, value]) => written[name] === value));
  return variant?.names ?? [];
}

const CHOICES: readonly { type: string; setting: string; value: string }[] = CATALOGUE.flatMap(
  ({ type, config }) =>
    schemasOf(config).flatMap((schema) =>
      Object.entries(propertiesOf(schema)).flatMap(([setting, property]) =>
        valuesOf(property).map((value) => ({ type, setting, value })),
      ),
    ),
);

/** Suggests the type that an unknown name probably meant: by a choice of a setting, or by a similar name. */
export function suggestNodeType(unknown: string): string {
  const name = unknown.toLowerCase().slice(0, NAME_MAX);
  const choice = CHOICES.find(({ value }) => value.toLowerCase() === name);
  if (choice) return `Write the type “${choice.type}” with “${choice.setting}”: “${choice.value}”.`;
  const word = name.replaceAll(/[^a-z]/g, '');
  const alike = [...nodeTypes.keys()].filter((type) => {
    const parts = type.split('.');
    return (
      word.length > 2 && parts.some((part) => (part.length > 3 && word.includes(part)) || part.includes(word))
    );
  });
  const all = alike.length > 0 ? alike : [...nodeTypes.keys()];
  return `${alike.length > 0 ? 'Did you mean' : 'Choose'} ${all.map((type) => `“${type}”`).join(', ')}${alike.length > 0 ? '?' : '.'}`;
}

/** Names are compared up to this length. */
const NAME_MAX = 60;

function propertiesOf(schema: Json) {
  return isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
}

/** Returns the texts that a setting may have. */
function valuesOf(property: unknown): string[] {
  if (!isObject(property)) return [];
  const values = Array.isArray(property['enum']) ? property['enum'] : [property['const']];
  return values.filter((value) => typeof value === 'string');
}

function schemasOf(schema: Json): readonly Json[] {
  const variants = isObject(schema) ? schema['oneOf'] : undefined;
  return Array.isArray(variants) ? variants : [schema];
}

function variantOf(schema: Json): Variant {
  const properties = propertiesOf(schema);
  const chosen = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && 'const' in property ? [[name, property['const']] as const] : [],
  );
  return { chosen, names: Object.keys(properties) };
}
