/**
 * Writes the table of node types in `docs/strategies.md` from the catalogue: `node docs/write-node-table.ts`. A test
 * holds the document to it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Json } from '../db/json.ts';
import { describeCatalogue, type NodeDescription } from '../engine/strategy/graph/nodes/catalogue.ts';
import { GROUPS } from '../engine/strategy/graph/nodes/node.ts';

export const STRATEGIES = new URL('./strategies.md', import.meta.url);

const BEGIN = '<!-- From the catalogue: node docs/write-node-table.ts -->';
const END = '<!-- End of the catalogue -->';

/** The document with its table as the catalogue says. */
export function withNodeTable(document: string): string {
  const [head, rest] = document.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`The document needs ${BEGIN} and ${END}.`);
  return `${head}${BEGIN}\n\n${nodeTable()}\n\n${END}${tail}`;
}

function nodeTable(): string {
  const types = GROUPS.flatMap((group) => describeCatalogue().filter((type) => type.group === group));
  return [
    '| Node | What it does | In | Out | Settings |',
    '|---|---|---|---|---|',
    ...types.map(row),
    '',
    '| Node | Its answer is unknown | Equal numbers | Gaps |',
    '|---|---|---|---|',
    ...types.map(lawsRow),
    '',
    '| Kind of indicator | Looks back over | Starts with |',
    '|---|---|---|',
    ...types.flatMap(courseRows),
  ].join('\n');
}

function row({ type, group, help, inputs, outputs, config }: NodeDescription): string {
  const cells = [
    `\`${type}\`<br>${group}`,
    help,
    inputs.map(({ name, required, many, ...port }) => {
      const marks = [port.kind, ...(required ? [] : ['optional']), ...(many ? ['several'] : [])].join(', ');
      return `\`${name}\` (${marks}): ${port.help}${conditionOf(port.when)}`;
    }),
    outputs.map(({ kind, help: what, when }) => `${kind}: ${what}${conditionOf(when)}`),
    settingsOf(config),
  ];
  return `| ${cells.map((cell) => cellOf([cell].flat())).join(' | ')} |`;
}

const conditionOf = (when: NodeDescription['inputs'][number]['when']): string =>
  when === undefined ? '' : ` Only with \`${when.setting}\` ${when.in.join(', ')}.`;

type Schema = {
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  type?: string;
  const?: Json;
  enum?: Json[];
  default?: Json;
  description?: string;
  'x-window'?: string;
  'x-seed'?: string;
};

const LAWS = ['x-unknown', 'x-equality', 'x-gap'] as const;

function lawsRow({ type, config }: NodeDescription): string {
  const schema = config as Record<string, Json>;
  return `| ${[`\`${type}\``, ...LAWS.map((law) => String(schema[law] ?? ''))].map((cell) => cellOf([cell])).join(' | ')} |`;
}

/** How far each kind of a node type looks back, and how it starts. */
function courseRows({ type, config }: NodeDescription): string[] {
  const schema = config as Schema;
  return (schema.oneOf ?? [schema]).flatMap((variant) => {
    const { 'x-window': window, 'x-seed': seed = '' } = variant;
    if (window === undefined) return [];
    const kind = variant.properties?.['kind']?.const;
    const name = kind === undefined ? `\`${type}\`` : `${type} \`${String(kind)}\``;
    return [`| ${name} | ${cellOf([window])} | ${cellOf([seed])} |`];
  });
}

/** Every setting once, whatever the number of variants it stands in. */
function settingsOf(config: Json): string[] {
  const schema = config as Schema;
  const lines = (schema.oneOf ?? [schema]).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, setting]) => settingOf(name, setting, required.includes(name))),
  );
  return [...new Set(lines)];
}

function settingOf(name: string, setting: Schema, isRequired: boolean): string {
  const values = setting.const === undefined ? setting.enum : [setting.const];
  const notes = [
    values === undefined ? (setting.type ?? 'list') : values.join(', '),
    ...(setting.default === undefined ? [] : [`default ${JSON.stringify(setting.default)}`]),
    ...(isRequired || setting.default !== undefined ? [] : ['optional']),
  ];
  return `\`${name}\` (${notes.join('; ')})${setting.description === undefined ? '' : `: ${setting.description}`}`;
}

const cellOf = (lines: readonly string[]): string => lines.join('<br>').replaceAll('|', '\\|') || '–';

if (import.meta.main) writeFileSync(STRATEGIES, withNodeTable(readFileSync(STRATEGIES, 'utf8')));
