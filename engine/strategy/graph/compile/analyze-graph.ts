/** Derives facts about the nodes of a valid graph, for its checks and its assembly. */

import type { InputView } from '../nodes/node.ts';
import { TICK, type UpdateClock } from '../update-clock.ts';
import type { NeedsOfNode } from './gather-data-needs.ts';
import type { Issues } from './issues.ts';
import { findUpdateClocks, topologicalOrder, type UpdateClocks } from './topology.ts';
import type { GraphNode } from './wiring.ts';

export type GraphAnalysis = {
  /** All nodes in topological order. */
  readonly order: readonly GraphNode[];
  readonly clocks: UpdateClocks;
  /** Whether its settings, and those of all nodes before it, are valid: only then its clock is known. */
  isValid(node: GraphNode): boolean;
  /** Returns the number of closed candles before a step that the node's value depends on. */
  windowOf(node: GraphNode): number;
  /** Whether the value is a pure function of one candle series, so that its past can be computed. */
  isHistory(node: GraphNode): boolean;
  /** Returns the only clock on which the node's output changes; `TICK` unless it is a pure function of that clock. */
  movedBy(node: GraphNode): UpdateClock;
  viewOf(node: GraphNode, port: string): InputView | null;
};

export function analyzeGraph(graph: readonly GraphNode[], issues: Issues): GraphAnalysis {
  const order = topologicalOrder(graph, issues);
  const clocks = findUpdateClocks(order);
  const windows = new Map<GraphNode, number>();
  const pure = new Set<GraphNode>();
  const still = new Set<GraphNode>();
  const forming = new Set<GraphNode>();
  const invalid = new Set<GraphNode>();
  for (const node of order) {
    const sources = [...node.sources.values()].flat();
    const behind = Math.max(1, ...sources.map((source) => windows.get(source) ?? 1));
    const isOfPast = sources.every((source) => pure.has(source));
    windows.set(node, behind + (isOfPast ? (node.node?.window ?? 1) : 1) - 1);
    if (node.node?.isPure === true && isOfPast) pure.add(node);
    if (pure.has(node) && node.node?.hasDistance !== true && sources.every((source) => still.has(source)))
      still.add(node);
    if (node.node === null || sources.some((source) => invalid.has(source))) invalid.add(node);
    if (isFormingCandle(node) || sources.some((source) => forming.has(source))) forming.add(node);
  }
  const movedBy = (node: GraphNode) => (still.has(node) ? clocks.ofValue(node) : TICK);
  const isHistory = (node: GraphNode) => pure.has(node) && clocks.ofValue(node) >= 0;
  return {
    order,
    clocks,
    isValid: (node) => !invalid.has(node),
    isHistory,
    movedBy,
    windowOf: (node) => windows.get(node) ?? 1,
    viewOf(node, port) {
      const sources = node.sources.get(port) ?? [];
      const [source] = sources;
      if (source === undefined) return null;
      return {
        edges: sources.length,
        clock: clocks.ofValue(source),
        interval: clocks.list[clocks.ofValue(source)]?.interval ?? null,
        isHistory: isHistory(source),
        isCandle: isHistory(source) && source.sources.size === 0,
        isForming: forming.has(source),
        isAction: source.node?.trade !== undefined,
      };
    },
  };
}

function isFormingCandle({ node }: GraphNode): boolean {
  return node?.needs?.candle?.open === true;
}

export function nodeDataNeedsOf(
  graph: readonly GraphNode[],
  { clocks, windowOf }: GraphAnalysis,
): NeedsOfNode[] {
  return graph.map((graphNode) => {
    const { node, sources } = graphNode;
    const isLookingBack = (node?.window ?? 1) > 1;
    const read = [graphNode, ...(isLookingBack ? [...sources.values()].flat() : [])];
    return {
      needs: node?.needs ?? {},
      traded: node?.trade?.tokenId ?? null,
      window: windowOf(graphNode),
      series: read.flatMap((each) => clocks.list[clocks.ofValue(each)] ?? []),
    };
  });
}
