/**
 * What the indicators of a drawing cost in an evaluation that knows none of their values yet: at the deploy, in a
 * validation, after a restart. An indicator of an indicator asks for it at every candle of its own window.
 */
import type { Survey } from './survey.ts';
import type { GraphNode } from './wiring.ts';

/** About 50 ms. What people draw stays far below: three nested averages of 30 candles take half of it. */
export const EFFORT_MAX = 10_000_000;

// In units of about 5 ns: a node is computed, one of its edges is read, an indicator takes in one number.
const NODE = 5;
const EDGE = 1;
const NUMBER = 10;

export type Effort = {
  readonly node: GraphNode;
  /** Candles at which it is computed. */
  readonly candles: number;
  /** Candles it looks back over each time. */
  readonly window: number;
  /** Nodes that are computed for each of those. */
  readonly before: number;
  readonly units: number;
};

/** Of every indicator on closed candles. */
export function effortsOf({ order }: Survey): Effort[] {
  const efforts: Effort[] = [];
  const asked = new Map<GraphNode, number>();
  for (const node of order.toReversed()) {
    const candles = asked.get(node) ?? 1;
    const window = node.node?.window ?? 1;
    const reach = candles + window - 1;
    for (const source of sourcesOf(node)) asked.set(source, Math.max(reach, asked.get(source) ?? 1));
    if (window > 1) efforts.push(effortOf(node, candles, window));
  }
  return efforts;
}

function effortOf(node: GraphNode, candles: number, window: number): Effort {
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
