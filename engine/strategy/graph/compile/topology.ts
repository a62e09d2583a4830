/** Orders nodes for computation, assigns their clocks, and finds cycles, which prevent both. */

import type { CandleInterval } from '../../../../venues/port.ts';
import { candleKey } from '../candles.ts';
import { type CandleClock, CONSTANT, TICK, type UpdateClock } from '../update-clock.ts';
import type { Issues } from './issues.ts';
import { nodeLocation } from './parsed-graph.ts';
import type { GraphNode } from './wiring.ts';

/** Returns the nodes to compute first. A memory node reads the previous step, so it waits for none. */
function prerequisites({ node, sources }: GraphNode): GraphNode[] {
  return node?.isDelayed ? [] : [...sources.values()].flat();
}

/** Sorts nodes topologically, ties in the order of the graph. Nodes of a cycle become issues and are left out. */
export function topologicalOrder(graph: readonly GraphNode[], issues: Issues): GraphNode[] {
  const done = new Set<GraphNode>();
  const order: GraphNode[] = [];
  let waiting = [...graph];
  while (waiting.length > 0) {
    const still: GraphNode[] = [];
    for (const node of waiting) {
      if (prerequisites(node).every((source) => done.has(source))) {
        done.add(node);
        order.push(node);
      } else still.push(node);
    }
    if (still.length === waiting.length) {
      reportCycles(still, issues);
      return order;
    }
    waiting = still;
  }
  return order;
}

/** Reports one issue per cycle, with the nodes on it. Nodes behind a cycle are not reported. */
function reportCycles(blocked: readonly GraphNode[], issues: Issues): void {
  const visited = new Set<GraphNode>();
  for (const start of blocked) {
    const path: GraphNode[] = [];
    let node: GraphNode | undefined = start;
    while (node !== undefined && !visited.has(node)) {
      visited.add(node);
      path.push(node);
      node = prerequisites(node).find((source) => blocked.includes(source));
    }
    const from = node === undefined ? -1 : path.indexOf(node);
    const [first, ...others] = from < 0 ? [] : path.slice(from).reverse();
    if (first === undefined) continue;
    const names = [first, ...others, first].map(({ parsed }) => `“${parsed.label}”`).join(' → ');
    const message = `These nodes wait for each other: ${names}. Put a memory node into the cycle; it shows the last step.`;
    issues.error(nodeLocation(first.parsed), 'cycle', message);
  }
}

/** A candle series on which a node's value changes. */
type Series = Omit<CandleClock, 'peers'>;

export type UpdateClocks = {
  readonly list: readonly CandleClock[];
  /** Returns the clock of a node's value, as its readers see it. */
  ofValue(node: GraphNode): UpdateClock;
  /** Returns the clock on which a node steps: for an action, that of its trigger. */
  ofStep(node: GraphNode): UpdateClock;
};

/**
 * A value is on a candle clock if all its inputs share that clock, else on the tick. Memory nodes may read values that depend
 * on them. The clocks are therefore the least fixed point: all start constant, and the pass repeats until no clock changes
 * (each changes twice at most).
 */
export function findUpdateClocks(order: readonly GraphNode[]): UpdateClocks {
  const list: Series[] = [];
  const clocks = new Map<GraphNode, UpdateClock>();
  const ofValue = (node: GraphNode): UpdateClock => clocks.get(node) ?? CONSTANT;
  for (let changed = true; changed; ) {
    changed = false;
    for (const node of order) {
      const clock = node.type.group === 'action' ? TICK : clockOfInputs(node, ofValue, list);
      if (clock !== ofValue(node)) {
        clocks.set(node, clock);
        changed = true;
      }
    }
  }
  const peers = readTogether(order, ofValue);
  return {
    list: list.map((series, clock) => ({ ...series, peers: peers.get(clock) ?? [] })),
    ofValue,
    ofStep: (node) => (node.type.group === 'action' ? clockOfTrigger(node, ofValue) : ofValue(node)),
  };
}

function clockOfTrigger(
  { node, sources }: GraphNode,
  ofValue: (node: GraphNode) => UpdateClock,
): UpdateClock {
  const trigger = sources.get('when')?.[0];
  return node?.moves === 'tick' || trigger === undefined ? TICK : ofValue(trigger);
}

function clockOfInputs(
  { node, sources }: GraphNode,
  ofValue: (node: GraphNode) => UpdateClock,
  list: Series[],
): UpdateClock {
  const own = node?.moves ?? null;
  let clock = own === null ? CONSTANT : own === 'tick' ? TICK : indexOfClock(own.symbol, own.interval, list);
  for (const source of [...sources.values()].flat()) clock = joined(clock, ofValue(source));
  return clock;
}

function joined(one: UpdateClock, other: UpdateClock): UpdateClock {
  if (one === CONSTANT || one === other) return other;
  return other === CONSTANT ? one : TICK;
}

function indexOfClock(symbol: string, interval: CandleInterval, list: Series[]): UpdateClock {
  const key = candleKey(symbol, interval);
  const known = list.findIndex((clock) => clock.key === key);
  return known >= 0 ? known : list.push({ key, symbol, interval }) - 1;
}

/** By candle clock: the other clocks that some node depends on as well. */
function readTogether(
  order: readonly GraphNode[],
  ofValue: (node: GraphNode) => UpdateClock,
): ReadonlyMap<UpdateClock, readonly UpdateClock[]> {
  const together = new Map<UpdateClock, Set<UpdateClock>>();
  for (const clocks of candleClocksBehind(order, ofValue).values())
    for (const clock of clocks) together.set(clock, new Set([...(together.get(clock) ?? []), ...clocks]));
  return new Map([...together].map(([clock, all]) => [clock, [...all].filter((other) => other !== clock)]));
}

/** By node: the candle clocks of its dependencies. Memory nodes close cycles, so the pass repeats until nothing is added. */
function candleClocksBehind(
  order: readonly GraphNode[],
  ofValue: (node: GraphNode) => UpdateClock,
): ReadonlyMap<GraphNode, ReadonlySet<UpdateClock>> {
  const behind = new Map(order.map((node) => [node, new Set([ofValue(node)].filter((clock) => clock >= 0))]));
  for (let added = true; added; ) {
    added = false;
    for (const [node, clocks] of behind) {
      const before = clocks.size;
      for (const source of [...node.sources.values()].flat())
        for (const clock of behind.get(source) ?? []) clocks.add(clock);
      added ||= clocks.size > before;
    }
  }
  return behind;
}
