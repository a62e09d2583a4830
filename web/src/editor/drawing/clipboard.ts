import { type Group, groupsOf, withGroups } from './groups.ts';
import { graphFault, readGraph, writeGraph } from './json.ts';
import type { EditorGraph } from './model.ts';

export type CopiedNodes = Pick<EditorGraph, 'nodes' | 'edges'> & { groups: readonly Group[] };

/** The maximum size of a strategy. */
const TEXT_MAX = 256 * 1024;

/** Writes nodes, the edges among them and their groups as text: JSON, in the API's form of a strategy. */
export const formatClipboard = ({ nodes, edges, groups }: CopiedNodes): string =>
  JSON.stringify(writeGraph({ nodes, edges, rest: withGroups({}, groups) }), null, 2);

/** Reads such text, also a whole strategy with its `visual`; returns null for any other text. */
export function parseClipboard(text: string): CopiedNodes | null {
  if (text.length > TEXT_MAX || !text.trimStart().startsWith('{')) return null;
  try {
    const parsed = JSON.parse(text) as { visual?: unknown };
    const visual = parsed.visual ?? parsed;
    if (graphFault(visual)) return null;
    const { nodes, edges, rest } = readGraph(visual);
    return nodes.length === 0 ? null : { nodes, edges, groups: groupsOf({ nodes, rest }) };
  } catch {
    return null;
  }
}
