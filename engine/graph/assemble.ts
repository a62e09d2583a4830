/** A surveyed graph without errors, turned into slots and closures. */
import { closedAt } from './candles.ts';
import { gatherNeeds } from './needs.ts';
import type { Behaviour, History, Wiring } from './node.ts';
import { placeOfNode } from './parse.ts';
import { type Effect, NOT_CONNECTED, type Plan, type Step } from './plan.ts';
import type { Run } from './run.ts';
import { needsOf, type Survey } from './survey.ts';
import type { Candle, Value } from './types.ts';
import { unknown } from './values.ts';
import type { GraphNode } from './wiring.ts';

/** A candle value read by something faster goes stale once the next candle is this late. */
const CANDLE_OVERDUE_MS = 60_000;

interface Built {
  readonly graphNode: GraphNode;
  readonly slot: number;
  readonly behaviour: Behaviour;
}

export function assemble(graph: readonly GraphNode[], survey: Survey): Plan {
  const slots = new Map(graph.map((node, slot) => [node, slot]));
  const bridges = new Map<GraphNode, number>();
  const slotOf = (node: GraphNode) => slots.get(node) as number;
  const steps = new Map<GraphNode, Step>();
  const built: Built[] = [];
  const reads: number[][] = [];
  const slotById = new Map(graph.map(({ drawn }, slot) => [drawn.id, slot]));

  /** The slot a reader finds a source in: a bridge if the source moves on another candle clock. */
  const slotFor = (reader: GraphNode, source: GraphNode): number => {
    const clock = survey.clocks.ofValue(source);
    if (clock < 0 || clock === survey.clocks.ofStep(reader)) return slotOf(source);
    const known = bridges.get(source);
    if (known !== undefined) return known;
    const slot = graph.length + bridges.size;
    bridges.set(source, slot);
    reads[slot] = [slotOf(source)];
    return slot;
  };

  for (const graphNode of survey.order) {
    const slot = slotOf(graphNode);
    reads[slot] = [...graphNode.sources.values()].flat().map((source) => slotFor(graphNode, source));
    const history = (port: string) => historyOf(graphNode, port, survey, steps);
    const wiring = wiringOf(graphNode, slot, survey, { slotFor, history, slotById });
    const behaviour = graphNode.node?.build(wiring) ?? {};
    built.push({ graphNode, slot, behaviour });
    if (behaviour.compute !== undefined) steps.set(graphNode, { slot, compute: behaviour.compute });
  }

  const bySlot = [...built].sort((a, b) => a.slot - b.slot);
  return {
    nodeIds: graph.map(({ drawn }) => drawn.id),
    paths: graph.map(({ drawn }) => placeOfNode(drawn).path),
    needs: gatherNeeds(needsOf(graph, survey)),
    clocks: survey.clocks.list,
    slots: graph.length + bridges.size,
    steps: built.flatMap(({ graphNode }) => {
      const step = steps.get(graphNode);
      const bridge = bridges.get(graphNode);
      if (step === undefined) return [];
      return bridge === undefined ? [step] : [step, bridgeFrom(graphNode, step.slot, bridge, survey)];
    }),
    settles: bySlot.flatMap(({ slot, behaviour: { settle } }) =>
      settle === undefined ? [] : [{ slot, apply: settle }],
    ),
    actions: actionsOf(bySlot),
    reads: Array.from(reads, (slotsRead) => slotsRead ?? []),
    asOf: bySlot.map(({ behaviour }) => behaviour.asOf ?? null),
  };
}

interface Places {
  slotFor(reader: GraphNode, source: GraphNode): number;
  history(port: string): History | null;
  slotById: ReadonlyMap<string, number>;
}

function wiringOf(graphNode: GraphNode, slot: number, { clocks }: Survey, places: Places): Wiring {
  const inputs = (port: string) =>
    (graphNode.sources.get(port) ?? []).map((source) => places.slotFor(graphNode, source));
  return {
    nodeId: graphNode.drawn.id,
    slot,
    clock: clocks.ofStep(graphNode),
    input: (port) => inputs(port)[0] ?? NOT_CONNECTED,
    inputs,
    history: places.history,
    slotOf: (nodeId) => places.slotById.get(nodeId),
  };
}

/** What computes an input from candles, and a key that is equal for equal calculations. */
function historyOf(
  graphNode: GraphNode,
  port: string,
  survey: Survey,
  steps: ReadonlyMap<GraphNode, Step>,
): History | null {
  const source = graphNode.sources.get(port)?.[0];
  if (source === undefined || !survey.isHistory(source)) return null;
  const upstream = new Set([source]);
  for (const node of upstream) for (const from of [...node.sources.values()].flat()) upstream.add(from);
  const order = survey.order.filter((node) => upstream.has(node));
  const key = order.map(({ type, drawn, sources }) => [
    type.type,
    drawn.config,
    [...sources].map(([name, from]) => [name, from.map((node) => order.indexOf(node))]),
  ]);
  return { key: JSON.stringify(key), steps: order.map((node) => steps.get(node) as Step) };
}

/** Watches over the age of a candle value on its way to something that moves faster than the candles. */
function bridgeFrom(graphNode: GraphNode, from: number, slot: number, { clocks }: Survey): Step {
  const clock = clocks.ofValue(graphNode);
  const { symbol, interval } = clocks.list[clock] as { symbol: string; interval: string };
  const overdue = unknown('stale', `The ${interval} candles of ${symbol} have stopped coming.`);
  return {
    slot,
    compute(run: Run): Value {
      const candle: Candle | undefined = run.candles[clock]?.[run.index[clock] as number];
      const at = candle === undefined ? 0 : closedAt(candle);
      const length = candle === undefined ? 0 : at - candle.openTimeMs;
      const isOverdue = candle !== undefined && run.at > at + length + CANDLE_OVERDUE_MS;
      return isOverdue ? overdue : (run.values[from] as Value);
    },
  };
}

function actionsOf(built: readonly Built[]): Effect[] {
  const rank = ({ graphNode }: Built) => {
    const side = graphNode.node?.trade?.side;
    return side === undefined ? 2 : side === 'sell' ? 0 : 1;
  };
  return [...built]
    .sort((a, b) => rank(a) - rank(b) || a.slot - b.slot)
    .flatMap(({ slot, behaviour: { act } }) => (act === undefined ? [] : [{ slot, apply: act }]));
}
