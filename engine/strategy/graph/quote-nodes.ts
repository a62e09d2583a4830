import { parseEnabledGraph } from './compile/disabled-nodes.ts';

/** Types of nodes that keep a resting order. */
const KEEPING_TYPES: ReadonlySet<string> = new Set(['quote', 'target']);

/** Types of nodes that also act when a pause or a time limit is over. */
export const TIMED_TYPES: ReadonlySet<string> = new Set([...KEEPING_TYPES, 'leg']);

/** The ids of a graph's quotes and targets, one for each instrument of a list. Also for graphs that do not compile. */
export const quoteNodesOf = (visual: unknown): ReadonlySet<string> =>
  new Set(parseEnabledGraph(visual).nodes.flatMap(({ id, type }) => (KEEPING_TYPES.has(type) ? [id] : [])));
