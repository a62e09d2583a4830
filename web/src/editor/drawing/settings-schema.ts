import { VENUE_NAMES, type VenueName, venuesOfKind } from '../../format/trading/venue.ts';
import { type Config, isFields } from './model.ts';

/** One setting of a node, from its JSON Schema. */
export type Field = {
  name: string;
  required: boolean;
  description: string;
  fallback: unknown;
} & (
  | { kind: 'choice'; options: readonly string[]; labels: Readonly<Record<string, string>> }
  | { kind: 'number'; integer: boolean; min: number | null; max: number | null }
  | { kind: 'boolean' }
  | { kind: 'days'; options: readonly string[] }
  /** With `venues` it is the id of an instrument that one of them lists. */
  | { kind: 'text'; example: string; venues?: readonly VenueName[] }
);

type Schema = Readonly<Record<string, unknown>>;

const variantsOf = (schema: unknown): readonly Schema[] => {
  if (!isFields(schema)) return [];
  const variants = schema['oneOf'];
  return Array.isArray(variants) ? variants.filter(isFields) : [schema];
};

const propertiesOf = (schema: Schema): [string, Schema][] =>
  isFields(schema['properties'])
    ? Object.entries(schema['properties']).filter((entry): entry is [string, Schema] => isFields(entry[1]))
    : [];

/** The setting that chooses between the variants of a schema, or null. */
function discriminatorOf(schema: unknown): string | null {
  const [first, ...others] = variantsOf(schema);
  if (!first || others.length === 0) return null;
  return propertiesOf(first).find(([, property]) => 'const' in property)?.[0] ?? null;
}

/** The variant of these settings; the first while none is chosen. */
function variantOf(schema: unknown, config: Config): Schema | undefined {
  const variants = variantsOf(schema);
  const name = discriminatorOf(schema);
  if (name === null) return variants[0];
  return (
    variants.find((variant) =>
      propertiesOf(variant).some(([key, { const: value }]) => key === name && value === config[name]),
    ) ?? variants[0]
  );
}

/** The defaults of settings without a value. */
export function defaultsOf(schema: unknown, config: Config): Config {
  const variant = variantOf(schema, config);
  if (!variant) return {};
  const known = propertiesOf(variant).flatMap(([name, property]): [string, unknown][] => {
    if ('const' in property) return [[name, property['const']]];
    return 'default' in property ? [[name, property['default']]] : [];
  });
  return Object.fromEntries(known);
}

/** The settings of a new node: the choice of its variant, and none that the user should decide. */
export function startingConfig(schema: unknown): Config {
  const name = discriminatorOf(schema);
  return name === null ? {} : { [name]: defaultsOf(schema, {})[name] };
}

/** The settings to show for these choices, the one that chooses the variant first. */
export function fieldsOf(schema: unknown, config: Config): Field[] {
  const variant = variantOf(schema, config);
  if (!variant) return [];
  const required = new Set(Array.isArray(variant['required']) ? variant['required'] : []);
  const chooser = discriminatorOf(schema);
  const fields = propertiesOf(variant)
    .filter(([name]) => name !== chooser)
    .map(([name, property]) => fieldOf(name, property, required.has(name)));
  return chooser === null ? fields : [chooserField(schema, chooser), ...fields];
}

function chooserField(schema: unknown, name: string): Field {
  const options = variantsOf(schema).flatMap((variant) => {
    const property = propertiesOf(variant).find(([key]) => key === name)?.[1];
    const value = property?.['const'];
    return typeof value === 'string' ? [{ value, help: textOf(property?.['description']) }] : [];
  });
  return {
    name,
    required: true,
    description: '',
    fallback: options[0]?.value,
    kind: 'choice',
    options: options.map(({ value }) => value),
    labels: Object.fromEntries(options.map(({ value, help }) => [value, help])),
  };
}

function fieldOf(name: string, property: Schema, required: boolean): Field {
  const common = {
    name,
    required,
    description: textOf(property['description']),
    fallback: property['default'],
  };
  const options = property['enum'];
  if (Array.isArray(options)) return { ...common, kind: 'choice', options: options.map(String), labels: {} };
  switch (property['type']) {
    case 'number':
    case 'integer':
      return {
        ...common,
        kind: 'number',
        integer: property['type'] === 'integer',
        min: bound(property['minimum'] ?? property['exclusiveMinimum']),
        max: bound(property['maximum']),
      };
    case 'boolean':
      return { ...common, kind: 'boolean' };
    case 'array': {
      const items = isFields(property['items']) ? property['items']['enum'] : undefined;
      return { ...common, kind: 'days', options: Array.isArray(items) ? items.map(String) : [] };
    }
    default: {
      const examples = property['examples'];
      return {
        ...common,
        kind: 'text',
        example: Array.isArray(examples) ? textOf(examples.at(-1)) : '',
        ...(INSTRUMENTS[name] && { venues: INSTRUMENTS[name] }),
      };
    }
  }
}

/** Settings that name an instrument, and the venues that may list it. */
const INSTRUMENTS: Readonly<Record<string, readonly VenueName[]>> = {
  instrument: VENUE_NAMES,
  symbol: venuesOfKind('spot'),
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const bound = (value: unknown): number | null => (typeof value === 'number' ? value : null);
