/** Mentions of nodes in texts: `{mean}`, or `{entry/mean}` of a node in a module. Pure. */
import { configOf, type Node } from '../model.ts';

/** As the service reads them. */
const MENTION = /\{([^{}]{1,100})\}/g;

/** Returns nodes whose texts mention others by new names; null keeps a mention. */
export const withMentions = (nodes: readonly Node[], nameOf: (mentioned: string) => string | null): Node[] =>
  nodes.map((node) => {
    const { text } = configOf(node);
    if (node.type !== 'notify' || typeof text !== 'string') return node;
    const named = text.replace(MENTION, (all, mentioned: string) => nameOf(mentioned) ?? all);
    if (named === text) return node;
    return { ...node, data: { ...node.data, config: { ...configOf(node), text: named } } };
  });

/** Splits a mention into a node of this level and what is within that; null for a node of another level. */
export function mentionedIn(
  ids: { has(id: string): boolean },
  mentioned: string,
): { id: string; within: string } | null {
  if (ids.has(mentioned)) return { id: mentioned, within: '' };
  const [id = ''] = mentioned.split('/');
  return ids.has(id) ? { id, within: mentioned.slice(id.length) } : null;
}
