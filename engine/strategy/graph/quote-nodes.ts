import { parseEnabledGraph } from './compile/disabled-nodes.ts';

/** The ids of a graph's quotes, with one for each instrument of a list. Also for graphs that do not compile. */
export const quoteNodesOf = (visual: unknown): ReadonlySet<string> =>
  new Set(parseEnabledGraph(visual).nodes.flatMap(({ id, type }) => (type === 'quote' ? [id] : [])));
