/** Describes a graph in words: a sentence for each node that acts. */

import { parseEnabledGraph } from '../compile/disabled-nodes.ts';
import type { ParsedEdge, ParsedNode } from '../compile/parsed-graph.ts';
import { nodeTypes } from '../nodes/catalogue.ts';
import type { RawSettings, Words } from '../nodes/node.ts';
import { shortName } from '../nodes/quote-readers.ts';
import { PARTS } from './parts.ts';

export type Sentence = { readonly nodeId: string; readonly text: string };

/** Longer phrases are cut: a node with many readers would be described again and again. */
const PHRASE_MAX = 400;
const MISSING = '…';

/**
 * Returns one sentence per active action, in the order of the graph. An action of a list is described for its first instrument,
 * with the names of the others. Pure and total: missing or invalid parts become an ellipsis.
 */
export function explainGraph(visual: unknown): Sentence[] {
  const { nodes, edges } = parseEnabledGraph(visual);
  const phrases = new Phrases(nodes, edges);
  return [...Map.groupBy(nodes, ({ index }) => index).values()].flatMap(([node, ...others]) => {
    const sentence = node && phrases.sentenceOf(node);
    if (!sentence) return [];
    return [{ nodeId: node.graphId, text: `${cut(sentence)}${likewise(node, others)}.` }];
  });
}

/** Instruments named in one sentence. */
const NAMED_MAX = 8;

/** Names the other instruments of a list, which the ids of its nodes end with. */
function likewise({ graphId }: ParsedNode, others: readonly ParsedNode[]): string {
  if (others.length === 0) return '';
  const names = others.slice(0, NAMED_MAX).map(({ id }) => id.slice(graphId.length + 1));
  const more = others.length > NAMED_MAX ? [`${others.length - NAMED_MAX} more`] : [];
  return `; the same for ${LIST.format([...names, ...more])}`;
}

const LIST = new Intl.ListFormat('en-GB');

/** Phrases of nodes, each built once. */
class Phrases {
  readonly #nodes: ReadonlyMap<string, ParsedNode>;
  readonly #edges: ReadonlyMap<string, readonly ParsedEdge[]>;
  readonly #phrases = new Map<string, string>();

  constructor(nodes: readonly ParsedNode[], edges: readonly ParsedEdge[]) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#edges = Map.groupBy(edges, ({ target }) => target);
  }

  /** Describes what an action does. */
  sentenceOf(node: ParsedNode): string | undefined {
    const config = configOf(node);
    return nodeTypes.get(node.type)?.sentence?.(config, this.#wordsOf(node, config));
  }

  #wordsOf({ id, type }: ParsedNode, { instrument, symbol }: RawSettings): Words {
    const [only, ...others] = nodeTypes.get(type)?.inputs ?? [];
    const unnamed = others.length === 0 ? only?.name : undefined;
    const all = (port: string) =>
      (this.#edges.get(id) ?? [])
        .filter(({ targetHandle }) => (targetHandle ?? unnamed ?? port) === port)
        .map(({ source }) => this.#phraseOf(source));
    const one = (port: string) => all(port)[0] ?? '';
    const name = shortName(PARTS.text(instrument ?? symbol));
    return { ...PARTS, name, all, one, needed: (port) => one(port) || MISSING };
  }

  #phraseOf(id: string): string {
    const known = this.#phrases.get(id);
    if (known !== undefined) return known;
    const node = this.#nodes.get(id);
    if (node === undefined) return MISSING;
    // A cycle returns to this placeholder.
    this.#phrases.set(id, `“${node.label}”`);
    const config = configOf(node);
    const phrase = cut(nodeTypes.get(node.type)?.phrase?.(config, this.#wordsOf(node, config)) ?? MISSING);
    this.#phrases.set(id, phrase);
    return phrase;
  }
}

/** Returns the settings with defaults for missing ones, as far as they can be read. */
function configOf({ type, config }: ParsedNode): RawSettings {
  const read = nodeTypes.get(type)?.configure(config);
  if (read?.ok === true) return read.settings;
  return typeof config === 'object' && config !== null ? (config as RawSettings) : {};
}

const cut = (text: string): string =>
  text.length <= PHRASE_MAX ? text : `${text.slice(0, PHRASE_MAX)}${MISSING}`;
