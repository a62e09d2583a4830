/** Versions of modules: by content, so that equal ones are equal in every strategy. Pure. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { sortedJson } from '../json.ts';
import { type Fields, isFields } from '../model.ts';
import { modulesBehind, modulesOf, PREFIX } from './types.ts';

const VERSION_DIGITS = 8;

/**
 * Returns the first digits of the SHA-256 over a module and those within it, without their layout; null if there is none of
 * this name.
 */
export function moduleVersion(name: string, modules: Fields): string | null {
  if (!Object.hasOwn(modules, name)) return null;
  const behind = modulesBehind([{ type: PREFIX + name }], modules);
  // Its own name is none of its content.
  const { [name]: own, ...within } = behind;
  const content = Object.entries(within).map(([inner, graph]) => [inner, withoutLayout(graph)]);
  const text = sortedJson([withoutLayout(own), Object.fromEntries(content)]);
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, VERSION_DIGITS);
}

/** Returns the versions of the modules of a graph, by the type of the nodes that use them. */
export const moduleVersions = (rest: Fields): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(modulesOf(rest)).map((name) => [PREFIX + name, moduleVersion(name, modulesOf(rest)) ?? '']),
  );

function withoutLayout(graph: unknown): unknown {
  if (!isFields(graph) || !Array.isArray(graph['nodes'])) return graph;
  const nodes = graph['nodes'].map((node: unknown) => {
    if (!isFields(node)) return node;
    const { position: _, ...content } = node;
    return content;
  });
  return { ...graph, nodes };
}
