import { type VenueOfKind, venuesOfKind } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { type Config, configOf, type EditorGraph, type Fields, isFields } from './model.ts';

export type Scalar = number | string | boolean;
/** Instruments of which a node has one each. */
export type InstrumentList = readonly string[];

/** The open markets of a series, as a list: the service knows which they are. */
export type SeriesRule = {
  readonly series: string;
  readonly venue: VenueOfKind<'outcome'>;
  readonly outcome: string;
};

/** The service's limits; a test checks that they are equal. */
export const PARAMETERS_MAX = 50;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
export const UNIT_MAX = 20;
export const HELP_MAX = 200;
export const LIST_MAX = 50;

/** A named value of a graph, to which settings of nodes refer. It is stored beside the nodes, as `parameters`. */
export type GraphParameter = {
  readonly name: string;
  readonly value: Scalar | InstrumentList | SeriesRule;
  /** Bounds of a number. */
  readonly min?: number;
  readonly max?: number;
  readonly unit: string;
  /** A sentence for readers of the graph. */
  readonly help: string;
};
export type ParameterChange = { readonly [Field in keyof Omit<GraphParameter, 'name'>]?: unknown };

type Parts = Pick<EditorGraph, 'nodes' | 'rest'>;

const entriesOf = (rest: Fields): [string, unknown][] =>
  isFields(rest['parameters']) ? Object.entries(rest['parameters']) : [];
const withEntries = (rest: Fields, entries: readonly (readonly [string, unknown])[]): Fields => {
  const { parameters: _, ...others } = rest;
  return entries.length === 0 ? others : { ...others, parameters: Object.fromEntries(entries) };
};

/** The parameters of any graph. Invalid ones are left out: validation lists them. */
export const graphParametersOf = (rest: Fields): GraphParameter[] =>
  entriesOf(rest).flatMap(([name, written]) => {
    if (!isFields(written)) return [];
    const { value, min, max, unit, help } = written;
    if (!isScalar(value) && !isList(value) && !isSeries(value)) return [];
    return [
      {
        name,
        value,
        ...(typeof min === 'number' && { min }),
        ...(typeof max === 'number' && { max }),
        unit: typeof unit === 'string' ? unit : '',
        help: typeof help === 'string' ? help : '',
      },
    ];
  });

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';

export const isList = (value: unknown): value is InstrumentList =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

export const isSeries = (value: unknown): value is SeriesRule =>
  isFields(value) &&
  typeof value['series'] === 'string' &&
  typeof value['outcome'] === 'string' &&
  venuesOfKind('outcome').some((venue) => venue === value['venue']);

/** The name of the parameter to which a setting refers, or null for a value of its own. */
export const referenceIn = (value: unknown): string | null =>
  isFields(value) && typeof value['parameter'] === 'string' ? value['parameter'] : null;

/** The reason why a parameter cannot have this name, or null. */
export function nameFault(name: string, others: readonly string[]): string | null {
  if (!NAME.test(name)) return t('Letters and digits, a letter first, at most 40.');
  return others.includes(name) ? t('There is another parameter “{name}”.', { name }) : null;
}

/** The fault of the value and bounds of a parameter, or null. */
export function valueFault({ value, min, max }: GraphParameter): string | null {
  if (isList(value) && (value.length === 0 || value.length > LIST_MAX))
    return t('Between {min} and {max}.', { min: 1, max: LIST_MAX });
  if (isSeries(value) && (value.series === '' || value.outcome === '')) return t('Both are required.');
  if (typeof value !== 'number') return null;
  if (min !== undefined && value < min) return t('Not below {min}.', { min });
  return max !== undefined && value > max ? t('Not above {max}.', { max }) : null;
}

/** Adds a number under the first free name: `parameter1`, `parameter2`. Null if the graph has as many as are allowed. */
export function withNewParameter(rest: Fields): { rest: Fields; name: string } | null {
  const entries = entriesOf(rest);
  if (entries.length >= PARAMETERS_MAX) return null;
  const taken = new Set(entries.map(([name]) => name));
  let number = 1;
  while (taken.has(`parameter${number}`)) number++;
  const name = `parameter${number}`;
  return { rest: withEntries(rest, [...entries, [name, { value: 1 }]]), name };
}

/** Changes fields of a parameter; an undefined or empty text removes the field. A value of another kind has no bounds. */
export const withChangedParameter = (rest: Fields, name: string, change: ParameterChange): Fields =>
  withEntries(
    rest,
    entriesOf(rest).map(([each, written]) => {
      if (each !== name || !isFields(written)) return [each, written];
      const { value, ...fields } = { ...written, ...change };
      const remaining = Object.entries(fields).filter(
        ([field, content]) =>
          content !== undefined &&
          content !== '' &&
          (typeof value === 'number' || (field !== 'min' && field !== 'max')),
      );
      return [each, { value, ...Object.fromEntries(remaining) }];
    }),
  );

/** Renames a parameter, and with it the references of settings. */
export const withRenamedParameter = ({ nodes, rest }: Parts, from: string, to: string): Parts => ({
  rest: withEntries(
    rest,
    entriesOf(rest).map(([name, written]) => [name === from ? to : name, written]),
  ),
  nodes: withReferences(nodes, from, { parameter: to }),
});

/** Removes a parameter: settings that referred to it have its value, the first instrument of its list, or none of a series. */
export function withoutParameter({ nodes, rest }: Parts, name: string): Parts {
  const value = graphParametersOf(rest).find((each) => each.name === name)?.value;
  return {
    rest: withEntries(
      rest,
      entriesOf(rest).filter(([each]) => each !== name),
    ),
    nodes: withReferences(nodes, name, isList(value) ? value[0] : isSeries(value) ? '' : value),
  };
}

const withReferences = (nodes: Parts['nodes'], name: string, replacement: unknown): Parts['nodes'] =>
  nodes.map((node) => {
    const config = configOf(node);
    if (!refersTo(config, name)) return node;
    const changed = Object.entries(config).map(([setting, value]) => [
      setting,
      referenceIn(value) === name ? replacement : value,
    ]);
    return { ...node, data: { ...node.data, config: Object.fromEntries(changed) } };
  });

const refersTo = (config: Config, name: string): boolean =>
  Object.values(config).some((value) => referenceIn(value) === name);

/** The number of settings that refer to a parameter. */
export const referenceCount = (nodes: Parts['nodes'], name: string): number =>
  nodes.flatMap((node) => Object.values(configOf(node))).filter((value) => referenceIn(value) === name)
    .length;
