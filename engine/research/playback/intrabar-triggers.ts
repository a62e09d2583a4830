import { parseEnabledGraph } from '../../strategy/graph/compile/disabled-nodes.ts';
import type { ParsedNode } from '../../strategy/graph/compile/parsed-graph.ts';
import { TIMED_TYPES } from '../../strategy/graph/quote-nodes.ts';

/** Types of nodes whose value changes with every price, not only with closed candles. */
const MOVING: ReadonlySet<string> = new Set([
  'crypto.price',
  'market.price',
  'market.book',
  'market.info',
  'position',
  'account',
  'schedule',
  'signal',
]);

/** Parts of a graph that can act inside a bar. */
export type IntrabarTriggers = {
  /** Whether a condition of its actions changes with prices. */
  readonly hasMovingConditions: boolean;
  /** By instrument: exits with barriers that may lie inside one bar. */
  readonly exits: readonly Barriers[];
};
export type Barriers = {
  readonly tokenId: string;
  readonly stopLoss: number | null;
  readonly takeProfit: number | null;
};

/** Types of nodes that act on a condition. */
const ACTIONS: ReadonlySet<string> = new Set(['order', 'quote', 'close', 'notify']);

/** Ports that are read when an action fires, and never make it fire. */
const READ_ONLY_PORTS: ReadonlySet<string> = new Set(['amount', 'price']);

/** Finds the parts of a graph that act between closes of candles. Pure. */
export function intrabarTriggersOf(visual: unknown): IntrabarTriggers {
  const { nodes, edges } = parseEnabledGraph(visual);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const actions = nodes.filter(({ type }) => ACTIONS.has(type));
  const reached = new Set(actions.map(({ id }) => id));
  for (const id of reached) {
    const isOrder = byId.get(id)?.type === 'order';
    for (const { source, target, targetHandle } of edges) {
      if (target !== id || (isOrder && targetHandle !== null && READ_ONLY_PORTS.has(targetHandle))) continue;
      reached.add(source);
    }
  }
  return {
    hasMovingConditions: nodes.some(
      (node) => TIMED_TYPES.has(node.type) || (reached.has(node.id) && isMoving(node)),
    ),
    exits: nodes.filter(({ type }) => type === 'exit').flatMap(barriersOf),
  };
}

const isMoving = ({ type, config }: ParsedNode): boolean =>
  MOVING.has(type) || (type === 'crypto.candle' && fieldOf(config, 'closedOnly') === false);

function fieldOf(config: unknown, name: string): unknown {
  return typeof config === 'object' && config !== null
    ? (config as Record<string, unknown>)[name]
    : undefined;
}

function barriersOf({ config }: ParsedNode): Barriers[] {
  const tokenId = fieldOf(config, 'instrument');
  if (typeof tokenId !== 'string') return [];
  const numberOf = (name: string): number | null => {
    const value = fieldOf(config, name);
    return typeof value === 'number' ? value : null;
  };
  return [{ tokenId, stopLoss: numberOf('stopLoss'), takeProfit: numberOf('takeProfit') }];
}
