/**
 * Estimates the cost of a graph's indicators in an evaluation without cached values: at the deploy, in a validation, after a
 * restart. An indicator of an indicator is computed at every candle of the other's window.
 */
import type { GraphAnalysis } from './analyze-graph.ts';
import type { GraphNode } from './wiring.ts';

/** About 50 ms. Real graphs stay far below: three nested averages of 30 candles take half of it. */
export const INDICATOR_COST_MAX = 10_000_000;

// In units of about 5 ns: the costs of computing a node, reading one of its edges, and adding one number to an indicator.
const NODE = 5;
const EDGE = 1;
const NUMBER = 10;

export type IndicatorCost = {
  readonly node: GraphNode;
  /** Number of candles at which it is computed. */
  readonly candles: number;
  /** Number of candles in its window. */
  readonly window: number;
  /** Number of nodes computed for each candle of the window. */
  readonly before: number;
  readonly units: number;
};

/** Estimates every indicator on closed candles. */
export function indicatorCostsOf({ order }: GraphAnalysis): IndicatorCost[] {
  const efforts: IndicatorCost[] = [];
  const candlesNeeded = new Map<GraphNode, number>();
  for (const node of order.toReversed()) {
    const candles = candlesNeeded.get(node) ?? 1;
    const window = node.node?.window ?? 1;
    const candlesRead = candles + window - 1;
    for (const source of sourcesOf(node))
      candlesNeeded.set(source, Math.max(candlesRead, candlesNeeded.get(source) ?? 1));
    if (window > 1) efforts.push(effortOf(node, candles, window));
  }
  return efforts;
}

function effortOf(node: GraphNode, candles: number, window: number): IndicatorCost {
  const before = new Set(sourcesOf(node));
  let edges = 0;
  for (const source of before) {
    const sources = sourcesOf(source);
    edges += sources.length;
    for (const further of sources) before.add(further);
  }
  const perNumber = NUMBER + NODE * before.size + EDGE * edges;
  return { node, candles, window, before: before.size, units: candles * window * perNumber };
}

function sourcesOf({ sources }: GraphNode): GraphNode[] {
  return [...sources.values()].flat();
}
