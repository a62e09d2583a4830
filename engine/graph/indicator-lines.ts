/** What the indicators of a drawing said of the past: by the evaluation that trades, over the candles there were. */
import { z } from 'zod';
import { type ClosedCandles, candleKey } from './candles.ts';
import { compile } from './compile/compile.ts';
import { Issues } from './compile/issues.ts';
import { type Drawing, type DrawnNode, parseVisual } from './compile/parse.ts';
import { Stepper } from './run/evaluate.ts';
import { NO_WORLD, type Plan } from './run/run.ts';
import type { CandleNeed } from './types.ts';

/** An indicator that follows from the closed candles of one series alone, and the plan of what leads to it. */
export type DrawnIndicator = {
  readonly nodeId: string;
  readonly name: string;
  /** Whether it is in the units of the price it is computed of, so that it can be drawn over it. */
  readonly isPrice: boolean;
  readonly candles: CandleNeed;
  readonly plan: Plan;
};

export type LinePoint = { readonly atMs: number; readonly value: number };

const Kind = z.object({ kind: z.string(), period: z.number().optional(), sampleSec: z.number().optional() });
const Field = z.object({ field: z.string().default('close') });

/** In the units of what they are computed of. */
const OF_PRICE: ReadonlySet<string> = new Set(['sma', 'ema', 'bollinger', 'highest', 'lowest']);

/** The indicators of a drawing on candles of an instrument, in its order. What samples quotes, or does not compile, is left out. */
export function indicatorsOf(visual: unknown, tokenId: string): DrawnIndicator[] {
  const drawing = parseVisual(visual, new Issues());
  return drawing.nodes.flatMap((node) => {
    const indicator = node.type === 'indicator' ? indicatorAt(drawing, node) : null;
    return indicator?.candles.symbol === tokenId ? [indicator] : [];
  });
}

function indicatorAt(drawing: Drawing, node: DrawnNode): DrawnIndicator | null {
  const config = Kind.safeParse(node.config);
  if (!config.success || config.data.sampleSec !== undefined) return null;
  const nodes = leadingTo(drawing, node);
  const ids = new Set(nodes.map(({ id }) => id));
  const { plan, needs } = compile({
    nodes: nodes.map(({ id, type, config }) => ({ id, type, data: { config } })),
    edges: drawing.edges.filter(({ target }) => ids.has(target)),
  });
  const [candles, ...others] = needs.candles;
  if (plan === null || candles === undefined || others.length > 0 || needs.quotes.length > 0) return null;
  const { kind, period } = config.data;
  return {
    nodeId: node.id,
    name: node.label === node.id ? [kind, period].filter((word) => word !== undefined).join(' ') : node.label,
    isPrice: OF_PRICE.has(kind) && isPriceOf(nodes.filter(({ id }) => id !== node.id)),
    candles,
    plan,
  };
}

/** A node and all that its value comes from. */
function leadingTo({ nodes, edges }: Drawing, { id }: DrawnNode): DrawnNode[] {
  const found = new Set([id]);
  for (const each of found) for (const { source, target } of edges) if (target === each) found.add(source);
  return nodes.filter((node) => found.has(node.id));
}

/** Straight of a candle, and of no volume: what was calculated on the way may be in any unit. */
function isPriceOf(sources: readonly DrawnNode[]): boolean {
  const [source, ...others] = sources;
  if (source?.type !== 'crypto.candle' || others.length > 0) return false;
  return Field.safeParse(source.config).data?.field !== 'volume';
}

/** What it said at instants, as of the candles that had closed by then. Where it was not known there is no point. */
export function lineOf(
  { nodeId, candles, plan }: DrawnIndicator,
  closed: ClosedCandles,
  instantsMs: readonly number[],
): LinePoint[] {
  const stepper = new Stepper(plan);
  const key = candleKey(candles.symbol, candles.interval);
  return instantsMs.flatMap((atMs) => {
    const known = closed.slice(0, closed.placeAt(atMs) + 1);
    const world = { ...NO_WORLD, candles: new Map([[key, { closed: known, open: null, openAsOf: null }]]) };
    const value = stepper.step(world, null, atMs).nodeStates[nodeId]?.value;
    return typeof value === 'number' ? [{ atMs, value }] : [];
  });
}
