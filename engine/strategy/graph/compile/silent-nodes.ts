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
import { nodeLocation, type ParsedGraph, type ParsedNode, parseGraph } from './parse.ts';

/** By id of every silent node: the disabled node that silences it, itself or the nearest upstream. */
export type Silence = ReadonlyMap<string, ParsedNode>;

/** Limit of nodes named in a sentence. */
const NAMED_MAX = 3;

/** Every edge passes silence on, also through delays and to whatever port. */
export function silenceOf({ nodes, edges }: ParsedGraph): Silence {
  const silence = new Map(nodes.filter(({ isOff }) => isOff).map((node) => [node.id, node]));
  if (silence.size === 0) return silence;
  const known = new Set(nodes.map(({ id }) => id));
  const onwards = Map.groupBy(edges, ({ source }) => source);
  for (const [id, cause] of silence)
    for (const { target } of onwards.get(id) ?? [])
      if (known.has(target) && !silence.has(target)) silence.set(target, cause);
  return silence;
}

/** Returns the part of a graph that is not silent. */
export function activePartOf(graph: ParsedGraph): ParsedGraph {
  const silence = silenceOf(graph);
  if (silence.size === 0) return graph;
  return {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !silence.has(id)),
    edges: graph.edges.filter(({ source, target }) => !silence.has(source) && !silence.has(target)),
  };
}

/** Parses any JSON value like {@link parseGraph} and returns its active part, without issues. */
export const parseActiveGraph = (visual: unknown): ParsedGraph =>
  activePartOf(parseGraph(visual, new Issues()));

const OFF = unknown('switched_off', 'This step is switched off.');

/** Stands in for the type of a silent node, which has a slot so that its state can be shown. */
export const SILENT = defineNode({
  type: 'silent',
  group: 'control',
  title: 'Silent',
  help: 'Has no value and does nothing.',
  laws: { unknown: 'Always.' },
  config: z.strictObject({}),
  bind: () => silent(OFF),
});

const silent = (why: Unknown): Configured => ({ isPure: true, build: () => ({ compute: () => why }) });

export const silencedBy = (drawn: ParsedNode, cause: ParsedNode): Configured =>
  silent(
    drawn.id === cause.id
      ? OFF
      : unknown('switched_off', `It depends on “${cause.label}”, which is switched off.`),
  );

/** Warns of each disabled node, with the nodes it silences, and of each sale that no longer happens. One warning a node. */
export function warnOfSilence({ nodes }: ParsedGraph, silence: Silence, issues: Issues): void {
  if (silence.size === 0) return;
  const isCause = (node: ParsedNode) => silence.get(node.id) === node;
  const behind = Map.groupBy(
    nodes.filter((node) => !isCause(node)),
    ({ id }) => silence.get(id),
  );
  for (const node of nodes) {
    const cause = silence.get(node.id);
    if (cause === undefined) continue;
    const sold = soldBy(node);
    const name = `“${node.label}”`;
    const why =
      cause === node
        ? `${name} is switched off`
        : `${name} depends on “${cause.label}”, which is switched off`;
    const others = cause === node ? goesWith(behind.get(node) ?? []) : '';
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
