import { describeCatalogue } from '../../engine/strategy/graph/nodes/catalogue.ts';

const HEAD = `// From the catalogue of node types: npm run openapi
import type { NodeOutline } from '../node-outline.ts';

/** Ports and settings of every node type, as the text form of strategies needs them. */
`;

/** The part of the catalogue that text needs: ports, names of settings and their choices. */
export function nodeOutlines(): string {
  const outlines = describeCatalogue().map(({ type, inputs, outputs, config }) => ({
    type,
    inputs: inputs.map(({ name, kind, many, when }) => ({ name, kind, many, ...(when && { when }) })),
    outputs: outputs.map(({ kind, when }) => ({ kind, ...(when && { when }) })),
    variants: variantsOf(config as Schema),
  }));
  const lines = outlines.map((outline) => `  ${JSON.stringify(outline)},`);
  return `${HEAD}export const NODE_OUTLINES: readonly NodeOutline[] = [\n${lines.join('\n')}\n];\n`;
}

type Schema = {
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
};

function variantsOf(schema: Schema): object[] {
  return (schema.oneOf ?? [schema]).map(({ properties = {}, required = [] }) => ({
    required,
    settings: Object.fromEntries(
      Object.entries(properties).map(([name, { const: only, enum: choices, default: standard }]) => {
        const values = choices ?? (only === undefined ? undefined : [only]);
        return [name, { ...(values && { values }), ...(standard !== undefined && { default: standard }) }];
      }),
    ),
  }));
}
