import { z } from 'zod';

/** Which side of a schema: what may be sent to it, or what comes out of it. */
export type Side = 'input' | 'output';

type Def = z.core.$ZodTypes['_zod']['def'];
type Schema = z.core.$ZodType;

/** Types that have a name, by it; those found are added. */
export type NamedTypes = Map<string, string>;

/** The TypeScript type of one side of a schema. A schema of an answer that has an id is a type of this name. */
export function typeOf(schema: Schema, side: Side, named: NamedTypes): string {
  const { id } = z.globalRegistry.get(schema) ?? {};
  if (side === 'input' || id === undefined) return writtenOut(schema, side, named);
  if (!named.has(id)) named.set(id, writtenOut(schema, side, named));
  return id;
}

function writtenOut(schema: Schema, side: Side, named: NamedTypes): string {
  const def = schema._zod.def as Def;
  const of = (inner: Schema) => typeOf(inner, side, named);
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'undefined':
    case 'unknown':
    case 'never':
      return def.type;
    case 'literal':
      return union(def.values.map((value) => JSON.stringify(value)));
    case 'enum':
      return union(Object.values(def.entries).map((value) => JSON.stringify(value)));
    case 'array':
      return `${inParentheses(of(def.element))}[]`;
    case 'tuple':
      return `[${[...def.items.map(of), ...(def.rest ? [`...${inParentheses(of(def.rest))}[]`] : [])].join(', ')}]`;
    case 'object':
      return objectType(def, side, named);
    case 'record':
      return recordType(def, of);
    case 'union':
      return union(def.options.map(of));
    case 'nullable':
      return union([of(def.innerType), 'null']);
    case 'optional':
      return union([of(def.innerType), 'undefined']);
    case 'default':
    case 'prefault':
      return side === 'input' ? union([of(def.innerType), 'undefined']) : of(def.innerType);
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return of(def.innerType);
    case 'pipe':
      return of(side === 'input' ? def.in : def.out);
    default:
      throw new Error(`How is a schema of the kind ${def.type} written as a type?`);
  }
}

/** Documentation of a member, as an editor shows it: only on a line of its own does the compiler take it for that member. */
export const docLine = (description: string): string =>
  `\n/** ${description.replaceAll('*/', '*\u200b/')} */ `;

/** The description of a schema, or of the one that it makes optional. */
function descriptionOf(schema: Schema): string | null {
  const { description } = z.globalRegistry.get(schema) ?? {};
  if (description !== undefined) return description;
  const def = schema._zod.def as Def;
  return 'innerType' in def ? descriptionOf(def.innerType) : null;
}

/** An optional field may also be there and be `undefined`, as the schemas have it. */
function objectType(def: Extract<Def, { type: 'object' }>, side: Side, named: NamedTypes): string {
  const fields = Object.entries(def.shape).map(([name, field]) => {
    const { optin, optout } = field._zod;
    const description = descriptionOf(field);
    const isOptional = (side === 'input' ? optin : optout) !== undefined;
    return `${description === null ? '' : docLine(description)}${keyOf(name)}${isOptional ? '?' : ''}: ${typeOf(field, side, named)}`;
  });
  const others =
    def.catchall && def.catchall._zod.def.type !== 'never' ? typeOf(def.catchall, side, named) : null;
  return braces([...fields, ...(others === null ? [] : [`[key: string]: ${others}`])]);
}

function recordType({ keyType, valueType }: Extract<Def, { type: 'record' }>, of: (inner: Schema) => string) {
  const record = `Record<${of(keyType)}, ${of(valueType)}>`;
  // Names of a list that need not all be there.
  return keyType._zod.values === undefined && keyType._zod.def.type === 'enum'
    ? `Partial<${record}>`
    : record;
}

/** Its members, each once. */
export const union = (members: readonly string[]): string => {
  const distinct = [...new Set(members)];
  return distinct.length === 1
    ? (distinct[0] ?? 'never')
    : distinct.map(inParentheses).join(' | ') || 'never';
};

const inParentheses = (type: string): string => (/[|&]/.test(outside(type)) ? `(${type})` : type);

/** The type without what its brackets and quotes hold. */
function outside(type: string): string {
  let rest = type.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replaceAll(/\{[^{}]*\}|\([^()]*\)|\[[^[\]]*\]|<[^<>]*>/g, '');
  }
  return rest;
}

export const keyOf = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

export const braces = (members: readonly string[]): string =>
  members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`;
