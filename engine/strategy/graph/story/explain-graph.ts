/** Describes a graph in words: a sentence for each node that acts. */

import { parseEnabledGraph } from '../compile/disabled-nodes.ts';
import type { ParsedEdge, ParsedNode } from '../compile/parsed-graph.ts';
import { nodeTypes } from '../nodes/catalogue.ts';
import { type Inputs, nameOf, PHRASES, percent, spanOf, textOf } from './phrases.ts';

export type Sentence = { readonly nodeId: string; readonly text: string };

/** Longer phrases are cut: a node with many readers would be described again and again. */
const PHRASE_MAX = 400;
const MISSING = '…';

type Config = Readonly<Record<string, unknown>>;

/**
 * Returns one sentence per active action, in the order of the graph. An action of a list is described for its first instrument,
 * with the names of the others. Pure and total: missing or invalid parts become an ellipsis.
 */
export function explainGraph(visual: unknown): Sentence[] {
  const { nodes, edges } = parseEnabledGraph(visual);
  const words = new Words(nodes, edges);
  return [...Map.groupBy(nodes, ({ index }) => index).values()].flatMap(([node, ...others]) => {
    const sentence = node && SENTENCES[node.type]?.(configOf(node), words.inputsOf(node));
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
class Words {
  readonly #nodes: ReadonlyMap<string, ParsedNode>;
  readonly #edges: ReadonlyMap<string, readonly ParsedEdge[]>;
  readonly #phrases = new Map<string, string>();

  constructor(nodes: readonly ParsedNode[], edges: readonly ParsedEdge[]) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#edges = Map.groupBy(edges, ({ target }) => target);
  }

  inputsOf({ id, type }: ParsedNode): Inputs {
    const [only, ...others] = nodeTypes.get(type)?.inputs ?? [];
    const unnamed = others.length === 0 ? only?.name : undefined;
    const all = (port: string) =>
      (this.#edges.get(id) ?? [])
        .filter(({ targetHandle }) => (targetHandle ?? unnamed ?? port) === port)
        .map(({ source }) => this.#phraseOf(source));
    return { all, one: (port) => all(port)[0] ?? '' };
  }

  #phraseOf(id: string): string {
    const known = this.#phrases.get(id);
    if (known !== undefined) return known;
    const node = this.#nodes.get(id);
    if (node === undefined) return MISSING;
    // A cycle returns to this placeholder.
    this.#phrases.set(id, `“${node.label}”`);
    const phrase = cut(PHRASES[node.type]?.(configOf(node), this.inputsOf(node)) ?? MISSING);
    this.#phrases.set(id, phrase);
    return phrase;
  }
}

/** Returns the settings with defaults for missing ones, as far as they can be read. */
function configOf({ type, config }: ParsedNode): Config {
  const read = nodeTypes.get(type)?.configure(config);
  if (read?.ok === true) return read.settings;
  return typeof config === 'object' && config !== null ? (config as Config) : {};
}

const cut = (text: string): string =>
  text.length <= PHRASE_MAX ? text : `${text.slice(0, PHRASE_MAX)}${MISSING}`;

const SENTENCES: Readonly<Record<string, (config: Config, inputs: Inputs) => string>> = {
  order(config, { one }) {
    const verb = config['side'] === 'sell' ? 'Sells' : 'Buys';
    const amount = one('amount') || MISSING;
    const terms = config['type'] === 'limit' ? limitOf(config, one('price')) : ' at the market';
    return `${verb} ${amount} of ${nameOf(config)}${terms} when ${one('when') || MISSING}`;
  },
  quote(config, { one }) {
    const verb = config['side'] === 'sell' ? 'Offers' : 'Bids for';
    const again = config['afterFill'] === 'repeat' ? ', again and again' : '';
    const name = config['oneCancelsOther'];
    const other = name === undefined ? '' : `, unless another order of “${textOf(name)}” fills first`;
    return `${verb} ${one('amount') || MISSING} of ${nameOf(config)} at ${one('price') || MISSING} while ${one('when') || MISSING}${again}${other}`;
  },
  leg(config, { one }) {
    const name = textOf(config['basket']);
    const within = spanOf(config['fillWithinSec']);
    return `Buys ${one('amount') || MISSING} of ${nameOf(config)} at ${one('price') || MISSING} with the other legs of “${name}” when ${one('when') || MISSING}, and sells it back at a loss of up to ${percent(config['maxLoss'])} unless all are filled within ${within}`;
  },
  close(config, { one }) {
    const part = config['fraction'] === 1 ? 'all' : percent(config['fraction']);
    return `Sells ${part} of the ${nameOf(config)} it holds while ${one('when') || MISSING}`;
  },
  target(config) {
    const part = config['part'] === 1 ? 'all' : percent(config['part']);
    return `Offers ${part} of the ${nameOf(config)} it holds at a profit of ${percent(config['takeProfit'])}`;
  },
  exit(config) {
    const reasons = [
      ...(config['takeProfit'] === undefined ? [] : [`at a profit of ${percent(config['takeProfit'])}`]),
      ...(config['stopLoss'] === undefined ? [] : [`at a loss of ${percent(config['stopLoss'])}`]),
      ...(config['trailing'] === undefined ? [] : [`${percent(config['trailing'])} below its peak`]),
      ...(config['maxHoldSec'] === undefined ? [] : [`after ${spanOf(config['maxHoldSec'])}`]),
      ...(config['beforeCloseSec'] === undefined
        ? []
        : [`${spanOf(config['beforeCloseSec'])} before the close`]),
    ];
    return `Sells all of the ${nameOf(config)} it holds ${reasons.join(', or ')}`;
  },
  notify: (config, { one }) => `Says “${textOf(config['text'])}” when ${one('when') || MISSING}`,
};

const AT_ONCE: ReadonlyMap<unknown, string> = new Map([
  ['ioc', ' at once, the rest canceled,'],
  ['fok', ' at once and whole, or not at all,'],
]);

function limitOf(config: Config, price: string): string {
  const offset = Number(config['priceOffset'] ?? 0);
  const base = price === '' ? (config['side'] === 'sell' ? 'the best bid' : 'the best ask') : price;
  const moved = offset === 0 ? base : `${base} ${offset < 0 ? '−' : '+'} ${Math.abs(offset)}`;
  const rests =
    config['expireAfterSec'] === undefined ? '' : ` for up to ${spanOf(config['expireAfterSec'])}`;
  const day = config['zone'] === undefined ? '' : ` until the day ends in ${textOf(config['zone'])}`;
  const atOnce = AT_ONCE.get(config['timeInForce']) ?? '';
  return ` at ${moved}${rests}${day}${atOnce}`;
}
