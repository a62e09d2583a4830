import { type Group, groupsOf, withGroups } from './groups.ts';
import { graphFault, readGraph, writeGraph } from './json.ts';
import type { EditorGraph, Fields } from './model.ts';
import { modulesBehind, modulesOf } from './modules/types.ts';

export type CopiedNodes = Pick<EditorGraph, 'nodes' | 'edges'> & {
  groups: readonly Group[];
  /** Those that the nodes use. */
  modules: Fields;
};

/** The maximum size of a strategy. */
const TEXT_MAX = 256 * 1024;

/** Writes nodes, the edges among them, their groups and modules as text: JSON, in the API's form of a strategy. */
export function formatClipboard({ nodes, edges, groups, modules }: CopiedNodes): string {
  const rest = Object.keys(modules).length > 0 ? { modules } : {};
  return JSON.stringify(writeGraph({ nodes, edges, rest: withGroups(rest, groups) }), null, 2);
}

/** Reads such text, also a whole strategy with its `visual`; returns null for any other text. */
export function parseClipboard(text: string): CopiedNodes | null {
  if (text.length > TEXT_MAX || !text.trimStart().startsWith('{')) return null;
  try {
    const parsed = JSON.parse(text) as { visual?: unknown };
    const visual = parsed.visual ?? parsed;
    if (graphFault(visual)) return null;
    const { nodes, edges, rest } = readGraph(visual);
    if (nodes.length === 0) return null;
    return {
      nodes,
      edges,
      groups: groupsOf({ nodes, rest }),
      modules: modulesBehind(nodes, modulesOf(rest)),
    };
  } catch {
    return null;
  }
}
