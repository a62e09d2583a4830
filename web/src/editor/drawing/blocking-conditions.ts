import { amount } from '../../format/number.ts';
import { msg, t } from '../../language/language.ts';
import type { NodeStates } from '../../live/events.ts';
import { COMPARISON_SIGNS } from './comparison-signs.ts';
import { type Catalogue, configOf, type Edge, isFields, labelOf, type Node } from './model.ts';

/** The condition between an action and its order, and how far it is from holding. */
export type BlockingCondition = {
  /** The name of the acting node: `Buy`, or the user's own name for it. */
  action: string;
  /** `EMA 9 > EMA 21`, or the name of the condition. */
  condition: string;
  /** The distance as a share of the value it is compared with; null if unknown. */
  away: number | null;
  isMet: boolean;
  /** When a schedule is true next, in epoch ms. */
  dueAt?: number;
};

type EdgeLike = Pick<Edge, 'source' | 'target' | 'targetHandle'>;
type Graph = { nodes: readonly Node[]; edges: readonly EdgeLike[] };

const CROSSINGS = { crossesAbove: msg('crosses above'), crossesBelow: msg('crosses below') } as const;

/** Reads the nodes and edges of any JSON without laying them out, for pages that draw no graph. */
export function parseGraph(visual: unknown): Graph {
  const listed = (name: string) => (isFields(visual) && Array.isArray(visual[name]) ? visual[name] : []);
  return {
    nodes: listed('nodes').filter(
      (node): node is Node => isFields(node) && typeof node['id'] === 'string' && isFields(node['data']),
    ),
    edges: listed('edges').filter(
      (edge): edge is EdgeLike =>
        isFields(edge) && typeof edge['source'] === 'string' && typeof edge['target'] === 'string',
    ),
  };
}

/** Returns for each action the false condition that is farthest from holding, in the order of the graph. */
export function blockingConditions(
  graph: Graph,
  catalogue: Catalogue,
  states: NodeStates,
): BlockingCondition[] {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  return graph.nodes
    .filter(({ type }) => catalogue.types.get(type)?.group === 'action' && type !== 'notify')
    .flatMap((action) => {
      const conditions = conditionsOf(graph, action.id, byId).map((node) => ({
        action: labelOf(action, catalogue),
        condition: conditionWords(graph, node, catalogue, byId),
        away: awayOf(graph, node, states),
        isMet: states[node.id]?.value === true,
        ...dueAtOf(node, states[node.id]),
      }));
      const [farthest = conditions[0]] = conditions
        .filter(({ isMet }) => !isMet)
        .sort((one, other) => (other.away ?? 0) - (one.away ?? 0));
      return farthest ? [farthest] : [];
    });
}

/**
 * The conditions that must all hold before a node acts: comparisons, schedules, and gates other than `and`. Such a gate counts
 * as one condition.
 */
function conditionsOf({ edges }: Graph, id: string, byId: ReadonlyMap<string, Node>): Node[] {
  const reached = new Set([id]);
  const found: Node[] = [];
  for (const each of reached) {
    const node = byId.get(each);
    if (node && isCondition(node)) found.push(node);
    else for (const { source, target } of edges) if (target === each) reached.add(source);
  }
  return found;
}

const isCondition = (node: Node): boolean =>
  node.type === 'compare' ||
  node.type === 'schedule' ||
  (node.type === 'logic' && configOf(node)['op'] !== 'and');

const sourceOf = ({ edges }: Graph, id: string, port: string): string | undefined =>
  edges.find(({ target, targetHandle }) => target === id && targetHandle === port)?.source;

function conditionWords(
  graph: Graph,
  node: Node,
  catalogue: Catalogue,
  byId: ReadonlyMap<string, Node>,
): string {
  const { op } = configOf(node);
  const [a, b] = ['a', 'b'].map((port) => {
    const source = byId.get(sourceOf(graph, node.id, port) ?? '');
    return source && valueName(source, catalogue);
  });
  const sign = signOf(op);
  return sign && a && b ? `${a} ${sign} ${b}` : labelOf(node, catalogue);
}

function signOf(op: unknown): string | undefined {
  if (op === 'crossesAbove' || op === 'crossesBelow') return t(CROSSINGS[op]);
  return typeof op === 'string' && Object.hasOwn(COMPARISON_SIGNS, op) ? COMPARISON_SIGNS[op] : undefined;
}

const dueAtOf = ({ type }: Node, state: NodeStates[string] | undefined): { dueAt?: number } =>
  type === 'schedule' && state?.distance !== undefined
    ? { dueAt: state.updatedAt + state.distance * 1_000 }
    : {};

/** The number of a constant; the name of any other node. */
function valueName(node: Node, catalogue: Catalogue): string {
  const { value } = configOf(node);
  return node.type === 'constant' && typeof value === 'number' ? amount(value) : labelOf(node, catalogue);
}

function awayOf(graph: Graph, node: Node, states: NodeStates): number | null {
  const { distance } = states[node.id] ?? {};
  const base = states[sourceOf(graph, node.id, 'b') ?? '']?.value;
  return distance === undefined || typeof base !== 'number' || base === 0 ? null : Math.abs(distance / base);
}
