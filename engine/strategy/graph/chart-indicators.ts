/** Past values of a graph's indicators, computed by the trading evaluation over stored candles. */
import { z } from 'zod';
import { type ClosedCandles, candleKey } from './candles.ts';
import { compile } from './compile/compile.ts';
import { parseEnabledGraph } from './compile/disabled-nodes.ts';
import type { ParsedGraph, ParsedNode } from './compile/parsed-graph.ts';
import { PlanEvaluator } from './run/evaluate.ts';
import { NO_WORLD, type Plan } from './run/run.ts';
import type { CandleNeed } from './types.ts';

/** An indicator that depends only on closed candles of one series, and the plan that computes it. */
export type ChartIndicator = {
  readonly nodeId: string;
  readonly name: string;
  /** Whether it has the unit of the price it is computed from. A chart can then draw it over the price. */
  readonly isPrice: boolean;
  readonly candles: CandleNeed;
  readonly plan: Plan;
};

export type LinePoint = { readonly atMs: number; readonly value: number };

const Kind = z.object({ kind: z.string(), period: z.number().optional(), sampleSec: z.number().optional() });
const Token = z.object({ symbol: z.string() });
const Field = z.object({ field: z.string().default('close') });

/** Kinds whose unit is that of their input. */
const OF_PRICE: ReadonlySet<string> = new Set([
  ...['sma', 'ema', 'bollinger', 'highest', 'lowest', 'vwap', 'donchian', 'keltner', 'supertrend', 'psar'],
  ...['ichimoku', 'heikinAshi'],
]);

/** Limit of lines: more cannot be read in a chart, and each is compiled and evaluated separately. */
export const LINES_MAX = 8;

/**
 * Returns the first indicators of a graph on candles of an instrument, in its order. Indicators that sample quotes, do not
 * compile or are disabled are left out.
 */
export function chartIndicatorsOf(visual: unknown, tokenId: string): ChartIndicator[] {
  const graph = parseEnabledGraph(visual);
  const inputs = Map.groupBy(graph.edges, ({ target }) => target);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const found: ChartIndicator[] = [];
  let tried = 0;
  for (const node of graph.nodes) {
    if (node.type !== 'indicator') continue;
    const ids = leadingTo(node.id, inputs);
    const sources = [...ids].flatMap((id) => nodes.get(id) ?? []);
    if (!sources.some((each) => isCandleOf(each, tokenId))) continue;
    const edges = sources.flatMap(({ id }) => inputs.get(id) ?? []);
    const indicator = indicatorAt(node, { nodes: sources, edges });
    if (indicator?.candles.symbol === tokenId) found.push(indicator);
    tried++;
    if (tried === LINES_MAX) break;
  }
  return found;
}

const isCandleOf = ({ type, config }: ParsedNode, tokenId: string): boolean =>
  type === 'crypto.candle' && Token.safeParse(config).data?.symbol === tokenId;

/** Compiles an indicator within the part of the graph that leads to it. */
function indicatorAt(
  node: ParsedNode,
  { nodes, edges }: Pick<ParsedGraph, 'nodes' | 'edges'>,
): ChartIndicator | null {
  const config = Kind.safeParse(node.config);
  if (!config.success || config.data.sampleSec !== undefined) return null;
  const { plan, needs } = compile({
    nodes: nodes.map(({ id, type, config }) => ({ id, type, data: { config } })),
    edges,
  });
  const [candles, ...others] = needs.candles;
  if (plan === null || candles === undefined || others.length > 0 || needs.quotes.length > 0) return null;
  const { kind, period } = config.data;
  return {
    nodeId: node.id,
    name:
      node.label === node.graphId
        ? [kind, period].filter((word) => word !== undefined).join(' ')
        : node.label,
    isPrice: OF_PRICE.has(kind) && isPriceOf(nodes.filter(({ id }) => id !== node.id)),
    candles,
    plan,
  };
}

/** Returns a node and all sources of its value. */
function leadingTo(id: string, inputs: ReadonlyMap<string, ParsedGraph['edges']>): ReadonlySet<string> {
  const found = new Set([id]);
  for (const each of found) for (const { source } of inputs.get(each) ?? []) found.add(source);
  return found;
}

/** True directly behind a candle, volume excepted: an intermediate calculation may have any unit. */
function isPriceOf(sources: readonly ParsedNode[]): boolean {
  const [source, ...others] = sources;
  if (source?.type !== 'crypto.candle' || others.length > 0) return false;
  return Field.safeParse(source.config).data?.field !== 'volume';
}

/** Returns the values at instants, as of the candles closed by then. Unknown values have no point. */
export function indicatorLine(
  { nodeId, candles, plan }: ChartIndicator,
  closed: ClosedCandles,
  instantsMs: readonly number[],
): LinePoint[] {
  const stepper = new PlanEvaluator(plan);
  const key = candleKey(candles.symbol, candles.interval);
  return instantsMs.flatMap((atMs) => {
    const known = closed.slice(0, closed.indexAt(atMs) + 1);
    const world = { ...NO_WORLD, candles: new Map([[key, { closed: known, open: null, openAsOf: null }]]) };
    const value = stepper.step(world, null, atMs).nodeStates[nodeId]?.value;
    return typeof value === 'number' ? [{ atMs, value }] : [];
  });
}
