/**
 * Steps that are switched off. Such a step and everything behind it is silent: it has no value, remembers nothing and never
 * acts. Nothing passes through, so what is left does what it did before.
 */
import { z } from 'zod';
import { nodeTypes } from '../nodes/catalogue.ts';
import { type Configured, defineNode } from '../nodes/node.ts';
import { shortName } from '../nodes/sources.ts';
import type { Unknown } from '../types.ts';
import { unknown } from '../values.ts';
import { Issues } from './issues.ts';
import { type Drawing, type DrawnNode, parseVisual, placeOfNode } from './parse.ts';

/** By id of every silent step: the step that is switched off, itself or the nearest before it. */
export type Silence = ReadonlyMap<string, DrawnNode>;

/** Sentences name so many steps. */
const NAMED_MAX = 3;

/** Every way leads on, through delays too and whatever port it ends at. */
export function silenceOf({ nodes, edges }: Drawing): Silence {
  const silence = new Map(nodes.filter(({ isOff }) => isOff).map((node) => [node.id, node]));
  if (silence.size === 0) return silence;
  const known = new Set(nodes.map(({ id }) => id));
  const onwards = Map.groupBy(edges, ({ source }) => source);
  for (const [id, cause] of silence)
    for (const { target } of onwards.get(id) ?? [])
      if (known.has(target) && !silence.has(target)) silence.set(target, cause);
  return silence;
}

/** What of a drawing takes part. */
export function soundingOf(drawing: Drawing): Drawing {
  const silence = silenceOf(drawing);
  if (silence.size === 0) return drawing;
  return {
    ...drawing,
    nodes: drawing.nodes.filter(({ id }) => !silence.has(id)),
    edges: drawing.edges.filter(({ source, target }) => !silence.has(source) && !silence.has(target)),
  };
}

/** Any JSON value read as {@link parseVisual} reads it, for those who ask what takes part and not what is wrong. */
export const readSounding = (visual: unknown): Drawing => soundingOf(parseVisual(visual, new Issues()));

const OFF = unknown('switched_off', 'This step is switched off.');

/** What stands in for the type of a silent step: it has a slot, so that its state can be told. */
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

export const silencedBy = (drawn: DrawnNode, cause: DrawnNode): Configured =>
  silent(
    drawn.id === cause.id
      ? OFF
      : unknown('switched_off', `It depends on “${cause.label}”, which is switched off.`),
  );

/** Says of each step that is switched off what goes with it, and of each sale that no longer happens. One warning a step. */
export function adviseOfSilence({ nodes }: Drawing, silence: Silence, issues: Issues): void {
  if (silence.size === 0) return;
  const isCause = (node: DrawnNode) => silence.get(node.id) === node;
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
        placeOfNode(node),
        'no_longer_sells',
        `${why}: it does not sell ${shortName(sold)} any more, whatever happens to the price.${others}`,
      );
    else if (cause === node)
      issues.warning(placeOfNode(node), 'switched_off', `${why}: it has no value and does nothing.${others}`);
  }
}

/** A sentence on the steps that are silent because of one before them. */
function goesWith(behind: readonly DrawnNode[]): string {
  const [first] = behind;
  if (first === undefined) return '';
  if (behind.length === 1) return ` Neither does “${first.label}”, which depends on it.`;
  const named = behind.slice(0, NAMED_MAX).map(({ label }) => `“${label}”`);
  const more = behind.length > NAMED_MAX ? ` and ${behind.length - NAMED_MAX} more` : '';
  return ` Neither do ${behind.length} steps that depend on it: ${named.join(', ')}${more}.`;
}

/** The instrument that a step would sell, if its settings say so. */
function soldBy({ type, config }: DrawnNode): string | null {
  const read = nodeTypes.get(type)?.configure(config);
  const trade = read?.ok ? read.node.trade : undefined;
  return trade?.side === 'sell' ? trade.tokenId : null;
}
