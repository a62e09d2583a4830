/**
 * Disabled nodes. A disabled node and every node behind it is silent: it has no value and no memory, and never acts. Nothing
 * passes through, so that all other nodes do what they did before.
 */
import { z } from 'zod';
import { nodeTypes } from '../nodes/catalogue.ts';
import { type Configured, defineNode } from '../nodes/node.ts';
import { shortName } from '../nodes/quote-readers.ts';
import type { Unknown } from '../types.ts';
import { unknown } from '../values.ts';
import { Issues } from './issues.ts';
import { parseGraph } from './parse.ts';
import { nodeLocation, type ParsedGraph, type ParsedNode } from './parsed-graph.ts';

/** By id of every silent node: the disabled node that silences it, itself or the nearest upstream. */
export type DisabledNodes = ReadonlyMap<string, ParsedNode>;

/** Limit of nodes named in a sentence. */
const NAMED_MAX = 3;

/** Every edge passes it on, also through delays and to whatever port. */
export function disabledNodesOf({ nodes, edges }: ParsedGraph): DisabledNodes {
  const disabled = new Map(nodes.filter(({ isDisabled }) => isDisabled).map((node) => [node.id, node]));
  if (disabled.size === 0) return disabled;
  const known = new Set(nodes.map(({ id }) => id));
  const onwards = Map.groupBy(edges, ({ source }) => source);
  for (const [id, cause] of disabled)
    for (const { target } of onwards.get(id) ?? [])
      if (known.has(target) && !disabled.has(target)) disabled.set(target, cause);
  return disabled;
}

/** Returns the part of a graph that is not silent. */
export function withoutDisabledNodes(graph: ParsedGraph): ParsedGraph {
  const disabled = disabledNodesOf(graph);
  if (disabled.size === 0) return graph;
  return {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !disabled.has(id)),
    edges: graph.edges.filter(({ source, target }) => !disabled.has(source) && !disabled.has(target)),
  };
}

/** Parses any JSON value like {@link parseGraph} and returns its active part, without issues. */
export const parseEnabledGraph = (visual: unknown): ParsedGraph =>
  withoutDisabledNodes(parseGraph(visual, new Issues()));

const OFF = unknown('switched_off', 'This step is switched off.');

/** Stands in for the type of a silent node, which has a slot so that its state can be shown. */
export const DISABLED_NODE = defineNode({
  type: 'silent',
  group: 'control',
  title: 'Silent',
  help: 'Has no value and does nothing.',
  laws: { unknown: 'Always.' },
  config: z.strictObject({}),
  bind: () => silent(OFF),
});

const silent = (why: Unknown): Configured => ({ isPure: true, build: () => ({ compute: () => why }) });

export const disabledNode = (node: ParsedNode, cause: ParsedNode): Configured =>
  silent(
    node.id === cause.id
      ? OFF
      : unknown('switched_off', `It depends on “${cause.label}”, which is switched off.`),
  );

/** Warns of each disabled node, with the nodes it silences, and of each sale that no longer happens. One warning a node. */
export function warnOfDisabledNodes({ nodes }: ParsedGraph, disabled: DisabledNodes, issues: Issues): void {
  if (disabled.size === 0) return;
  const isCause = (node: ParsedNode) => disabled.get(node.id) === node;
  // The copies of a node are one node to its owner.
  const first = new Map(nodes.toReversed().map((node) => [node.index, node]));
  const behind = Map.groupBy(
    [...new Set(first.values())].reverse().filter((node) => !isCause(node)),
    ({ id }) => disabled.get(id)?.index,
  );
  for (const node of nodes) {
    const cause = disabled.get(node.id);
    if (cause === undefined) continue;
    const sold = soldBy(node);
    const name = `“${node.label}”`;
    const why =
      cause === node
        ? `${name} is switched off`
        : `${name} depends on “${cause.label}”, which is switched off`;
    const others = cause === node ? goesWith(behind.get(node.index) ?? []) : '';
    if (sold !== null)
      issues.warning(
        nodeLocation(node),
        'no_longer_sells',
        `${why}: it does not sell ${shortName(sold)} any more, whatever happens to the price.${others}`,
      );
    else if (cause === node)
      issues.warning(
        nodeLocation(node),
        'switched_off',
        `${why}: it has no value and does nothing.${others}`,
      );
  }
}

/** Returns a sentence about the nodes that a disabled one silences. */
function goesWith(behind: readonly ParsedNode[]): string {
  const [first] = behind;
  if (first === undefined) return '';
  if (behind.length === 1) return ` Neither does “${first.label}”, which depends on it.`;
  const named = behind.slice(0, NAMED_MAX).map(({ label }) => `“${label}”`);
  const more = behind.length > NAMED_MAX ? ` and ${behind.length - NAMED_MAX} more` : '';
  return ` Neither do ${behind.length} steps that depend on it: ${named.join(', ')}${more}.`;
}

/** Returns the instrument that a node would sell, if its settings name it. */
function soldBy({ type, config }: ParsedNode): string | null {
  const read = nodeTypes.get(type)?.configure(config);
  const trade = read?.ok ? read.node.trade : undefined;
  return trade?.side === 'sell' ? trade.tokenId : null;
}
