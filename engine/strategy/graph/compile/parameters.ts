/** Parameters of a graph: named values to which settings of nodes refer as `{ "parameter": "fast" }`. */
import { z } from 'zod';
import { isObject, type Json, quoted } from '../json.ts';
import { type IssueLocation, type Issues, pointer } from './issues.ts';

export const PARAMETERS_MAX = 50;

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
]);
const Reference = z.strictObject({ parameter: z.string() });

type Scalar = number | string | boolean;

/**
 * Replaces each reference in a setting by the value of its parameter. An invalid parameter or reference becomes an issue, and
 * the reference stays.
 */
export function withParameters(visual: Json, issues: Issues): Json {
  if (visual['parameters'] === undefined) return visual;
  const values = valuesOf(visual['parameters'], issues);
  const used = new Set<string>();
  const nodes = visual['nodes'];
  if (!Array.isArray(nodes)) return visual;
  const resolved = nodes.map((node: unknown, index) => {
    if (!isObject(node) || !isObject(node['data']) || !isObject(node['data']['config'])) return node;
    const { data } = node;
    const config = Object.entries(node['data']['config']).map(([setting, value]) => {
      const reference = Reference.safeParse(value);
      if (!reference.success) return [setting, value];
      const name = reference.data.parameter;
      const found = values.get(name);
      if (found !== undefined) used.add(name);
      else {
        const nodeId = typeof node['id'] === 'string' ? node['id'] : null;
        const location = { nodeId, path: pointer('nodes', index, 'data', 'config', setting) };
        issues.error(
          location,
          'unknown_parameter',
          `There is no parameter ${quoted(name)}. Add it, or write a value.`,
        );
      }
      return [setting, found ?? value];
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
  return { ...visual, nodes: resolved };
}

const locationOf = (name: string): IssueLocation => ({ nodeId: null, path: pointer('parameters', name) });

function valuesOf(parameters: unknown, issues: Issues): ReadonlyMap<string, Scalar> {
  const values = new Map<string, Scalar>();
  const location = { nodeId: null, path: pointer('parameters') };
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
    const read = Parameter.safeParse(written);
    if (read.success && NAME.test(name)) values.set(name, read.data.value);
    else issues.error(locationOf(name), 'bad_parameter', faultOf(name, written));
  }
  return values;
}

function faultOf(name: string, written: unknown): string {
  if (!NAME.test(name))
    return `A parameter has a name of letters and digits, up to 40; this one is called ${quoted(name)}.`;
  const { value, min, max } = isObject(written) ? written : {};
  if (typeof value === 'number' && (typeof min === 'number' || typeof max === 'number'))
    return `The value ${value} of ${quoted(name)} must lie between ${quoted(min)} (“min”) and ${quoted(max)} (“max”).`;
  return `The parameter ${quoted(name)} needs a “value”: a number, which may have “min” and “max”, a text, true or false. It may have a “unit” and a “help”, and nothing else.`;
}
