/** Finds every field of a schema where a caller may send more, and fills it. */

import { z } from 'zod';

/** Texts that an expression or a loop may scan again and again. */
export const TEXTS = ['a', ' ', '0', 'a.', '/', '"', '?', '[', '%', '://', '\n', '@a'] as const;

type Schema = {
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  $ref?: string;
};

/** A field that may grow: its path, and whether it may be a text, a list or an object. */
export type GrowingField = { path: readonly string[]; kinds: ReadonlySet<string> };

/** Levels of a schema that are searched. */
const DEPTH_MAX = 4;

/** Returns every field of a schema, the whole first. */
export function growingFields(schema: z.ZodType): GrowingField[] {
  return within(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, []);
}

function within(schema: Schema, path: readonly string[]): GrowingField[] {
  const forms = formsOf(schema);
  const types = forms.flatMap(({ type = ['string', 'array', 'object'] }) => type);
  const place = { path, kinds: new Set(types) };
  if (path.length >= DEPTH_MAX) return [place];
  const inner = forms.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, each]) => within(each, [...path, name])),
    ...(items ? within(items, [...path, '0']) : []),
  ]);
  return [place, ...inner];
}

const formsOf = (schema: Schema): Schema[] => {
  const choices = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((each) => each ?? []);
  return choices.length === 0 ? [schema] : choices.flatMap(formsOf);
};

const keysBySize = new Map<number, Record<string, number>>();

/** Returns the same object for the same size: to make it costs more than the request that it fills. */
function manyKeys(bytes: number): Record<string, number> {
  const made =
    keysBySize.get(bytes) ??
    Object.fromEntries(Array.from({ length: Math.floor(bytes / 10) }, (_, at) => [`k${at}`, 0]));
  keysBySize.set(bytes, made);
  return made;
}

export type Filling = { filling: string; fill: (example: unknown, bytes: number) => unknown };

/** Returns the fillings of a field: texts of each kind, a long list, many keys. A text is also tried where none is valid. */
export function fillingsOf({ path, kinds }: GrowingField): Filling[] {
  const put = (value: (bytes: number) => unknown) => (example: unknown, bytes: number) =>
    replaced(example, path, value(bytes));
  const list = { filling: 'a long list', fill: put((bytes) => Array(Math.floor(bytes / 5)).fill('aa')) };
  const keys = { filling: 'many keys', fill: put(manyKeys) };
  const texts = TEXTS.map((piece) => ({
    filling: `texts of ${JSON.stringify(piece)}`,
    fill: put((bytes) => `x${piece.repeat(bytes / JSON.stringify(piece).slice(1, -1).length)}x`),
  }));
  if (path.length === 0) return [keys];
  return [
    ...(kinds.has('string') ? texts : texts.slice(0, 1)),
    ...(kinds.has('array') ? [list] : []),
    ...(kinds.has('object') ? [keys] : []),
  ];
}

/** Returns the example with another value at this path; missing parents are created. */
function replaced(example: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (Array.isArray(example) || first === '0') {
    const [head] = Array.isArray(example) ? example : [];
    return [replaced(head, rest, value)];
  }
  const object = typeof example === 'object' && example !== null ? example : {};
  return { ...object, [first]: replaced((object as Record<string, unknown>)[first], rest, value) };
}
