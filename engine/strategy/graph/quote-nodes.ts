import { parseEnabledGraph } from './compile/disabled-nodes.ts';

/** Types of nodes that keep a resting order. */
const KEEPING: ReadonlySet<string> = new Set(['quote', 'target']);

/** The ids of a graph's quotes and targets, one for each instrument of a list. Also for graphs that do not compile. */
export const quoteNodesOf = (visual: unknown): ReadonlySet<string> =>
  new Set(parseEnabledGraph(visual).nodes.flatMap(({ id, type }) => (KEEPING.has(type) ? [id] : [])));
