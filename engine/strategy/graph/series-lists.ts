/**
 * Lists of instruments by rule: the open markets of a series. The rule is the value of a parameter, as is a list that is typed
 * in. Its members are known to the service only, which puts them in its place before a graph is compiled.
 */
import { z } from 'zod';
import { venuesOfKind } from '../../../venues/catalogue.ts';
import { isObject } from './json.ts';

/** All open markets of a series, by one of their two sides. */
export const SeriesRule = z.strictObject({
  /** The venue's own name of the series: its ticker on venue A, its slug on venue B. */
  series: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
  venue: z.enum(venuesOfKind('outcome')),
  /** The side of each market, as its venue calls it: yes, no, Up. Large and small letters are alike. */
  outcome: z.string().min(1).max(120),
});
export type SeriesRule = z.infer<typeof SeriesRule>;

/** Instruments of each list that is a series, by its parameter; null for a graph that has none. */
export type Members = Readonly<Record<string, string[]>> | null;

/** Returns the lists of a graph that are series, by parameter. Pure. */
export function seriesIn(visual: unknown): ReadonlyMap<string, SeriesRule> {
  const parameters = isObject(visual) && isObject(visual['parameters']) ? visual['parameters'] : {};
  return new Map(
    Object.entries(parameters).flatMap(([name, parameter]) => {
      const rule = SeriesRule.safeParse(isObject(parameter) ? parameter['value'] : null).data;
      return rule === undefined ? [] : [[name, rule] as const];
    }),
  );
}

/** Returns the graph with members in place of its series, as if they were typed in. Pure; other graphs stay as they are. */
export function withMembers<Visual>(visual: Visual, members: Members): Visual {
  if (members === null || !isObject(visual) || !isObject(visual['parameters'])) return visual;
  const rules = seriesIn(visual);
  const parameters = Object.entries(visual['parameters']).map(([name, parameter]) => {
    const list = rules.has(name) && Object.hasOwn(members, name) ? members[name] : undefined;
    return [name, list === undefined || !isObject(parameter) ? parameter : { ...parameter, value: list }];
  });
  return { ...visual, parameters: Object.fromEntries(parameters) };
}
