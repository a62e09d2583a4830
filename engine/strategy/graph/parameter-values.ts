/** Other values of the parameters of a graph: what a redeploy sets without sending the graph. */
import { z } from 'zod';
import { type FieldIssue, invalid } from '../../platform/errors.ts';
import { LIST_MAX, PARAMETERS_MAX } from './compile/parameters.ts';
import { isObject } from './json.ts';
import { SeriesRule } from './series-lists.ts';

const text = z.string().max(200);
const ParameterValue = z.union([
  z.number(),
  z.boolean(),
  text,
  z.array(text).min(1).max(LIST_MAX),
  SeriesRule,
]);

/** Values by the names of parameters. */
export const ParameterValues = z
  .record(z.string().max(40), ParameterValue)
  .refine((values) => Object.keys(values).length > 0, { error: 'names no parameter' })
  .refine((values) => Object.keys(values).length <= PARAMETERS_MAX, {
    error: `takes at most ${PARAMETERS_MAX} parameters`,
  });
export type ParameterValues = z.output<typeof ParameterValues>;

/**
 * Returns the graph with these values of its parameters; their bounds, units and words stay. Pure. Whether a value is within
 * its bounds is up to the compiler, as for every graph.
 *
 * @throws DomainError `validation_failed` with one issue per parameter that the graph lacks, or that is of another kind.
 */
export function withParameterValues<Visual>(visual: Visual, values: ParameterValues): Visual {
  const parameters = isObject(visual) && isObject(visual['parameters']) ? visual['parameters'] : {};
  const issues = Object.entries(values).flatMap(([name, value]) =>
    issueWith(name, Object.hasOwn(parameters, name) ? parameters[name] : undefined, value),
  );
  if (issues.length > 0) throw invalid(issues);
  const set = Object.entries(parameters).map(([name, parameter]) => [
    name,
    Object.hasOwn(values, name) ? { ...(parameter as object), value: values[name] } : parameter,
  ]);
  return set.length === 0 ? visual : { ...visual, parameters: Object.fromEntries(set) };
}

function issueWith(name: string, parameter: unknown, value: unknown): FieldIssue[] {
  const path = `/parameters/${name}`;
  if (!isObject(parameter))
    return [{ path, code: 'unknown_parameter', message: 'is no parameter of this graph' }];
  if (parameter['value'] === undefined) return [];
  const [is, was] = [kindOf(value), kindOf(parameter['value'])];
  return is === was ? [] : [{ path, code: 'invalid_type', message: `takes ${was}, not ${is}` }];
}

/** A list may become a series, and back: both stand for instruments. */
const kindOf = (value: unknown): string =>
  typeof value === 'object'
    ? 'a list of instruments'
    : `a ${typeof value === 'string' ? 'text' : typeof value}`;
