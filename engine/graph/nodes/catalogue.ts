/** Every node type there is, and how the catalogue describes them: the one source for compiler, API, editor and docs. */

import { z } from 'zod';
import type { Json } from '../../../db/json.ts';
import { isObject } from '../json.ts';
import { close } from './close.ts';
import { compare } from './compare.ts';
import { constant } from './constant.ts';
import { cooldown } from './cooldown.ts';
import { cryptoCandle } from './crypto-candle.ts';
import { cryptoPrice } from './crypto-price.ts';
import { exit } from './exit.ts';
import { guard } from './guard.ts';
import { hold } from './hold.ts';
import { indicator } from './indicator.ts';
import { logic } from './logic.ts';
import { marketBook } from './market-book.ts';
import { marketInfo } from './market-info.ts';
import { marketPrice } from './market-price.ts';
import { math } from './math.ts';
import { memory } from './memory.ts';
import type { Group, InputPort, NodeType, OutputPort } from './node.ts';
import { notify } from './notify.ts';
import { order } from './order.ts';
import { position } from './position.ts';
import { probabilityEdge } from './probability-edge.ts';
import { schedule } from './schedule.ts';
import { size } from './size.ts';

const NODE_TYPES: readonly NodeType[] = [
  marketPrice,
  marketBook,
  marketInfo,
  cryptoPrice,
  cryptoCandle,
  position,
  schedule,
  constant,
  indicator,
  math,
  probabilityEdge,
  compare,
  logic,
  hold,
  memory,
  cooldown,
  guard,
  size,
  order,
  close,
  exit,
  notify,
];

export const nodeTypes: ReadonlyMap<string, NodeType> = new Map(NODE_TYPES.map((type) => [type.type, type]));

/** A node type as `GET /api/node-types` serves it: plain JSON. */
export type NodeDescription = {
  type: string;
  group: Group;
  title: string;
  help: string;
  inputs: InputPort[];
  outputs: OutputPort[];
  /** JSON Schema (draft 2020-12) of what may be written. */
  config: Json;
};

const CATALOGUE: readonly NodeDescription[] = NODE_TYPES.map(
  ({ type, group, title, help, inputs, outputs, config }) => ({
    type,
    group,
    title,
    help,
    inputs: [...inputs],
    outputs: [...outputs],
    config: z.toJSONSchema(config, { io: 'input' }) as Json,
  }),
);

export function describeCatalogue(): NodeDescription[] {
  return [...CATALOGUE];
}

/** The settings of a type that go together; where its variants differ, `chosen` tells them apart. */
type Variant = {
  readonly chosen: readonly (readonly [name: string, value: unknown])[];
  readonly names: readonly string[];
};

const VARIANTS: ReadonlyMap<string, readonly Variant[]> = new Map(
  CATALOGUE.map(({ type, config }) => [type, schemasOf(config).map(variantOf)]),
);

/** Names of the settings a node of this type has, given what is written already. */
export function settingsOf(type: string, config: unknown): readonly string[] {
  const variants = VARIANTS.get(type) ?? [];
  const written = isObject(config) ? config : {};
  const variant = variants.find(({ chosen }) => chosen.every(([name, value]) => written[name] === value));
  return variant?.names ?? [];
}

function schemasOf(schema: Json): readonly Json[] {
  const variants = isObject(schema) ? schema['oneOf'] : undefined;
  return Array.isArray(variants) ? variants : [schema];
}

function variantOf(schema: Json): Variant {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const chosen = Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && 'const' in property ? [[name, property['const']] as const] : [],
  );
  return { chosen, names: Object.keys(properties) };
}
