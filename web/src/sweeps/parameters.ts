import { readGraph } from '../editor/drawing/json.ts';
import { type Catalogue, configOf, isFields, labelOf, type Node } from '../editor/drawing/model.ts';
import { graphParametersOf, type Scalar } from '../editor/drawing/parameters.ts';
import { type Field, fieldsOf } from '../editor/drawing/settings-schema.ts';
import { optionWords, titleWithin } from '../editor/drawing/words.ts';
import { amount } from '../format/number.ts';

/** A setting or parameter of a graph that may be tried with other values. */
export type Parameter = {
  readonly pointer: string;
  readonly name: string;
  readonly value: Scalar;
  /** Bounds of a parameter of the graph. */
  readonly min?: number;
  readonly max?: number;
  /** Its options; empty for a number. */
  readonly options: readonly string[];
};

/** The nodes of a graph by their index in it; invalid ones are left out. */
function nodesByIndex(visual: unknown): Map<number, Node> {
  const listed = isFields(visual) && Array.isArray(visual['nodes']) ? visual['nodes'] : [];
  const known = new Map(readGraph(visual).nodes.map((node) => [node.id, node]));
  return new Map(
    listed.flatMap((value: unknown, index): [number, Node][] => {
      const node = isFields(value) ? known.get(String(value['id'])) : undefined;
      return node ? [[index, node]] : [];
    }),
  );
}

/** The parameters of a graph, and its settings that hold a number, a switch or a choice of their own. */
export const parametersOf = (visual: unknown, catalogue: Catalogue): Parameter[] => [
  ...namedParametersOf(visual),
  ...settingsOf(visual, catalogue),
];

/** Parameters that the graph names itself. A text and a list have no options, so they are left out. */
const namedParametersOf = (visual: unknown): Parameter[] =>
  graphParametersOf(isFields(visual) ? visual : {}).flatMap(({ name, value, min, max, unit }) =>
    typeof value !== 'number' && typeof value !== 'boolean'
      ? []
      : [
          {
            pointer: `/parameters/${name}/value`,
            name: unit === '' ? name : `${name} (${unit})`,
            value,
            ...(min !== undefined && { min }),
            ...(max !== undefined && { max }),
            options: typeof value === 'boolean' ? ['false', 'true'] : [],
          },
        ],
  );

function settingsOf(visual: unknown, catalogue: Catalogue): Parameter[] {
  return [...nodesByIndex(visual)].flatMap(([index, node]) => {
    const config = configOf(node);
    const schema = catalogue.types.get(node.type)?.config;
    return fieldsOf(schema, config).flatMap((field) => {
      const value = config[field.name];
      const options = optionsOf(field);
      const isTried = options === null ? typeof value === 'number' : isScalar(value);
      return isTried && isScalar(value)
        ? [
            {
              pointer: `/nodes/${index}/data/config/${escaped(field.name)}`,
              name: nameOf(node, field.name, catalogue),
              value,
              options: options ?? [],
            },
          ]
        : [];
    });
  });
}

/** Settings that are tuned most often, in that order. */
const TUNED = ['period', 'fast', 'slow', 'value', 'takeProfit', 'stopLoss', 'trailing', 'seconds'];
const SUGGESTED_MAX = 3;
const NAMED = /^\/parameters\/([^/]+)\/value$/;

/** Returns the numbers worth varying, for a form that is still empty. */
export function suggestedParameters(parameters: readonly Parameter[]): Parameter[] {
  const rankOf = ({ pointer }: Parameter) =>
    NAMED.test(pointer) ? 0 : TUNED.indexOf(pointer.split('/').at(-1) ?? '');
  return parameters
    .filter((parameter) => typeof parameter.value === 'number' && rankOf(parameter) >= 0)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .slice(0, SUGGESTED_MAX);
}

/** The options of a setting: none for a number. Null for a free text, which is not tried. */
function optionsOf(field: Field): readonly string[] | null {
  if (field.kind === 'choice') return field.options;
  return field.kind === 'boolean' ? ['false', 'true'] : null;
}

const isScalar = (value: unknown): value is Scalar => ['number', 'string', 'boolean'].includes(typeof value);
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
const nameOf = (node: Node, setting: string, catalogue: Catalogue): string =>
  `${labelOf(node, catalogue)} · ${titleWithin(setting)}`;

/** The name of a pointer into a graph; the pointer itself if its setting is unknown. */
export function pointerName(pointer: string, visual: unknown, catalogue: Catalogue): string {
  const parameter = NAMED.exec(pointer)?.[1];
  if (parameter !== undefined) return parameter;
  const [, index, setting = ''] = /^\/nodes\/(\d+)\/data\/config\/([^/]+)$/.exec(pointer) ?? [];
  const node = index === undefined ? undefined : nodesByIndex(visual).get(Number(index));
  return node ? nameOf(node, setting.replaceAll('~1', '/').replaceAll('~0', '~'), catalogue) : pointer;
}

export const scalarWords = (value: Scalar): string =>
  typeof value === 'number' ? amount(value) : optionWords(String(value));
