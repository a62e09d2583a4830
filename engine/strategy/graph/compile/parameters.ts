/** Parameters of a graph: named values to which settings of nodes refer as `{ "parameter": "fast" }`. */
import { z } from 'zod';
import { venueOf } from '../../../../venues/port.ts';
import { isObject, type Json, quoted } from '../json.ts';
import { shortName } from '../nodes/quote-readers.ts';
import { SeriesRule } from '../series-lists.ts';
import { type IssueLocation, type Issues, pointer } from './issues.ts';

export const PARAMETERS_MAX = 50;
/** Instruments of one list. */
export const LIST_MAX = 50;
/** Settings that may refer to a list of instruments. */
const LIST_SETTINGS = ['instrument', 'symbol'] as const;

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;

const about = {
  /** Unit of the number: candles, USD. */
  unit: z.string().max(20).optional(),
  /** A sentence for readers of the graph. */
  help: z.string().max(200).optional(),
};
const Parameter = z.union([
  z
    .strictObject({ value: z.number(), min: z.number().optional(), max: z.number().optional(), ...about })
    .refine(({ value, min = value, max = value }) => min <= value && value <= max),
  z.strictObject({ value: z.union([z.string().max(200), z.boolean()]), ...about }),
  z.strictObject({ value: z.array(z.string()).min(1).max(LIST_MAX), ...about }),
  z.strictObject({ value: SeriesRule, ...about }),
]);
const Reference = z.strictObject({ parameter: z.string() });

type ParameterValue = number | string | boolean | readonly string[] | SeriesRule;
/** Valid parameters by name. */
export type WrittenParameters = ReadonlyMap<string, Json>;

/** Instruments by the name of the parameter that lists them. */
export type InstrumentLists = ReadonlyMap<string, readonly string[]>;
export type Resolved = { readonly visual: Json; readonly lists: InstrumentLists };

/** Returns the parameter to which a setting refers; null for a value. */
export const referenceIn = (value: unknown): string | null =>
  Reference.safeParse(value).data?.parameter ?? null;

/** Returns the parameters that a node's settings of an instrument refer to. */
export const listsIn = (config: unknown): string[] =>
  LIST_SETTINGS.flatMap((setting) => (isObject(config) ? (referenceIn(config[setting]) ?? []) : []));

/**
 * Replaces each reference in a setting by the value of its parameter. An invalid parameter or reference becomes an issue, and
 * the reference stays, as do references to lists. A series without its members is an issue, and words for them take its place.
 *
 * @param places JSON Pointers of the nodes, if they differ from their indices
 */
export function withParameters(visual: Json, issues: Issues, places: readonly string[] = []): Resolved {
  if (visual['parameters'] === undefined) return { visual, lists: new Map() };
  const values = valuesOf(visual['parameters'], issues);
  const used = new Set<string>();
  const nodes = visual['nodes'];
  const lists = new Map([...values].flatMap(([name, value]) => (isList(value) ? [[name, value]] : [])));
  if (!Array.isArray(nodes)) return { visual, lists };
  const resolved = nodes.map((node: unknown, index) => {
    if (!isObject(node) || !isObject(node['data']) || !isObject(node['data']['config'])) return node;
    const { data } = node;
    const config = Object.entries(node['data']['config']).map(([setting, value]) => {
      const name = referenceIn(value);
      if (name === null) return [setting, value];
      const found = values.get(name);
      if (found !== undefined) used.add(name);
      const fault = faultOfReference(name, found, setting);
      if (fault !== null) {
        const nodeId = typeof node['id'] === 'string' ? node['id'] : null;
        const place = places[index] ?? pointer('nodes', index);
        const location = { nodeId, path: `${place}${pointer('data', 'config', setting)}` };
        issues.error(location, fault.code, fault.message);
      }
      if (isSeries(found)) return [setting, `each open market of ${found.series}`];
      return [setting, found === undefined || isList(found) ? value : found];
    });
    return { ...node, data: { ...data, config: Object.fromEntries(config) } };
  });
  for (const name of values.keys())
    if (!used.has(name))
      issues.warning(
        locationOf(name),
        'unused_parameter',
        `No setting refers to the parameter ${quoted(name)}.`,
      );
  return { visual: { ...visual, nodes: resolved }, lists };
}

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);
const isSeries = (value: unknown): value is SeriesRule => isObject(value) && 'series' in value;

export function faultOfReference(
  name: string,
  value: unknown,
  setting: string,
): { code: string; message: string } | null {
  if (value === undefined)
    return {
      code: 'unknown_parameter',
      message: `There is no parameter ${quoted(name)} with a valid value. Add or correct it, or write a value.`,
    };
  if (!isList(value) && !isSeries(value)) return null;
  if (LIST_SETTINGS.some((each) => each === setting))
    return isList(value) ? null : { code: 'series_without_members', message: withoutMembers(name) };
  const message = `“${setting}” takes one value, and ${quoted(name)} is a list of instruments. Refer to it in “instrument” or “symbol”.`;
  return { code: 'list_not_allowed', message };
}

const withoutMembers = (name: string): string =>
  `The markets of the series ${quoted(name)} are not known here. Make it a parameter of the graph, and check the graph with the service, which asks the venue.`;

const locationOf = (name: string, place = ''): IssueLocation => ({
  nodeId: null,
  path: `${place}${pointer('parameters', name)}`,
});

const valuesOf = (parameters: unknown, issues: Issues): ReadonlyMap<string, ParameterValue> =>
  new Map(
    [...readParameters(parameters, issues)].map(([name, { value }]) => [name, value as ParameterValue]),
  );

/** Returns the valid parameters of a graph, or of the module at a place in it. */
export function readParameters(parameters: unknown, issues: Issues, place = ''): WrittenParameters {
  const values = new Map<string, Json>();
  const location = { nodeId: null, path: `${place}${pointer('parameters')}` };
  if (!isObject(parameters)) {
    issues.error(
      location,
      'not_parameters',
      '“parameters” must be an object: the name of each, and what it is.',
    );
    return values;
  }
  const entries = Object.entries(parameters);
  if (entries.length > PARAMETERS_MAX) {
    const message = `This graph has ${entries.length} parameters; ${PARAMETERS_MAX} are allowed.`;
    issues.error(location, 'too_many_parameters', message);
    return values;
  }
  for (const [name, written] of entries) {
    const fault = faultOfParameter(name, written) ?? (place === '' ? null : faultWithinModule(name, written));
    if (fault !== null) issues.error(locationOf(name, place), 'bad_parameter', fault);
    else if (isObject(written)) values.set(name, written);
  }
  return values;
}

/** Says why a parameter, or a value for it, is invalid; null if it is not. */
export function faultOfParameter(name: string, written: unknown): string | null {
  const value = Parameter.safeParse(written).data?.value;
  if (value === undefined || !NAME.test(name)) return faultOf(name, written);
  return isList(value) ? faultOfList(name, value) : null;
}

const faultWithinModule = (name: string, written: unknown): string | null =>
  isObject(written) && isObject(written['value'])
    ? `${quoted(name)} is a series, which a module cannot have. Make it a parameter of the graph, and pass it to the module.`
    : null;

function faultOf(name: string, written: unknown): string {
  if (!NAME.test(name))
    return `A parameter has a name of letters and digits, up to 40; this one is called ${quoted(name)}.`;
  const { value, min, max } = isObject(written) ? written : {};
  if (isList(value))
    return `The list ${quoted(name)} has ${value.length} entries; it takes 1 to ${LIST_MAX} instruments, as texts, and neither “min” nor “max”.`;
  if (isObject(value))
    return `The series ${quoted(name)} needs “series”, its name at the venue, “venue”, and “outcome”, the side of each market: { "series": "KXBTC15M", "venue": "venue-a", "outcome": "yes" }. It has neither “min” nor “max”.`;
  if (typeof value === 'number' && (typeof min === 'number' || typeof max === 'number'))
    return `The value ${value} of ${quoted(name)} must lie between ${quoted(min)} (“min”) and ${quoted(max)} (“max”).`;
  return `The parameter ${quoted(name)} needs a “value”: a number, which may have “min” and “max”, a text, true or false, a list of instruments, or a series of markets. It may have a “unit” and a “help”, and nothing else.`;
}

function faultOfList(name: string, instruments: readonly string[]): string | null {
  for (const [index, each] of instruments.entries()) {
    if (venueOf(each) === null)
      return `${quoted(each)} in the list ${quoted(name)} is no instrument. Write it as a setting would: BTCUSDT.`;
    const isTwice = instruments.some((other, at) => at < index && shortName(other) === shortName(each));
    if (isTwice) return `The list ${quoted(name)} holds ${quoted(each)} twice. Remove one of them.`;
  }
  return null;
}
