import { describeCatalogue, type NodeDescription } from '../../engine/strategy/graph/nodes/catalogue.ts';
import { braces, keyOf, union } from './zod-type.ts';

const HEAD = `// From the catalogue of node types: npm run openapi
import type { Setting, Signal } from '../signal.ts';

/** Every node type: its settings, its ports and the kind of its output (\`never\`: a setting decides, or it has none). */
`;

/** The types by which \`defineStrategy\` checks nodes. */
export function nodeTypeTypes(): string {
  const types = describeCatalogue().map(
    ({ type, help, ...node }) => `  ${docOf(help)}${JSON.stringify(type)}: ${nodeType(node)};`,
  );
  return `${HEAD}export type NodeTypes = {\n${types.join('\n')}\n};\n`;
}

type Schema = {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
};

function nodeType({
  config,
  inputs,
  outputs,
}: Pick<NodeDescription, 'config' | 'inputs' | 'outputs'>): string {
  const names = [...new Set(inputs.map(({ name }) => name))];
  const ports = names.map((name) => {
    const ways = inputs.filter((port) => port.name === name);
    const signal = `Signal<${union(ways.map(({ kind }) => JSON.stringify(kind)))}>`;
    const many = ways.some((port) => port.many) ? ` | readonly ${signal}[]` : '';
    return `${docOf(ways[0]?.help)}${keyOf(name)}?: ${signal}${many}`;
  });
  const [only, ...others] = outputs;
  const out = only === undefined || others.length > 0 ? 'never' : JSON.stringify(only.kind);
  return `{ config: ${configType(config as Schema)}; inputs: ${braces(ports)}; out: ${out} }`;
}

function configType({ oneOf, properties = {}, required = [] }: Schema): string {
  if (oneOf) return union(oneOf.map(configType));
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name) && schema.default === undefined;
    return `${docOf(schema.description)}${keyOf(name)}${isRequired ? '' : '?'}: ${settingType(schema)}`;
  });
  return braces(fields);
}

const settingType = (schema: Schema): string =>
  schema.const === undefined ? `Setting<${valueType(schema)}>` : JSON.stringify(schema.const);

function valueType({ type, enum: choices, items }: Schema): string {
  if (choices) return union(choices.map((choice) => JSON.stringify(choice)));
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
      return type;
    case 'array':
      if (items) return `readonly (${valueType(items)})[]`;
  }
  throw new Error(`How is a setting of the kind ${type} written as a type?`);
}

const docOf = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '*\u200b/')} */ `;
