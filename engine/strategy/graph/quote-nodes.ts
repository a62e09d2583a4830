import { parseEnabledGraph } from './compile/disabled-nodes.ts';

/** Types of nodes that keep a resting order. They also act when a pause is over. */
export const KEEPING_TYPES: ReadonlySet<string> = new Set(['quote', 'target']);

/** The ids of a graph's quotes and targets, one for each instrument of a list. Also for graphs that do not compile. */
export const quoteNodesOf = (visual: unknown): ReadonlySet<string> =>
  new Set(parseEnabledGraph(visual).nodes.flatMap(({ id, type }) => (KEEPING_TYPES.has(type) ? [id] : [])));
