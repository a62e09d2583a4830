/** Turns a surveyed graph without errors into slots and functions. */

import { type Behavior, type History, NOT_CONNECTED, type Wiring } from '../nodes/node.ts';
import type { Computation, Effect, Idling, Plan, Run } from '../run/run.ts';
import type { Unknown, Value } from '../types.ts';
import { type CandleClock, TICK, type UpdateClock } from '../update-clock.ts';
import { unknown } from '../values.ts';
import { type GraphAnalysis, nodeDataNeedsOf } from './analyze-graph.ts';
import { gatherDataNeeds } from './gather-data-needs.ts';
import { nodeLocation } from './parsed-graph.ts';
import type { GraphNode } from './wiring.ts';

/** A candle value read on a faster clock becomes stale once the next candle is this late. */
const CANDLE_OVERDUE_MS = 60_000;

type Built = {
  readonly graphNode: GraphNode;
  readonly slot: number;
  readonly behavior: Behavior;
};

type BuiltComputation = Computation & Pick<History, 'field'>;

/**
 * Builds functions over slots from nodes. A plan lives as long as its deployments, and there are many plans. The functions
 * therefore hold numbers and settings only, nothing of the graph.
 */
export function buildPlan(graph: readonly GraphNode[], survey: GraphAnalysis): Plan {
  const slots = new Slots(graph, survey);
  const computations = new Map<GraphNode, BuiltComputation>();
  const built = survey.order.map((graphNode): Built => {
    const slot = slots.of(graphNode);
    const behavior = graphNode.node?.build(wiringOf(graphNode, slots, survey, computations)) ?? {};
    const { compute, field = null } = behavior;
    if (compute !== undefined)
      computations.set(graphNode, { slot, clock: survey.movedBy(graphNode), compute, field });
    return { graphNode, slot, behavior };
  });
  const bySlot = [...built].sort((a, b) => a.slot - b.slot);
  const inOrder = survey.order.flatMap((graphNode) => {
    const computation = computations.get(graphNode);
    const bridge = slots.bridgeOf(graphNode);
    if (computation === undefined) return [];
    return bridge === undefined
      ? [computation]
      : [computation, bridgeFrom(graphNode, computation.slot, bridge, survey)];
  });
  return {
    nodeIds: graph.map(({ parsed }) => parsed.id),
    paths: graph.map(({ parsed }) => nodeLocation(parsed).path),
    needs: gatherDataNeeds(nodeDataNeedsOf(graph, survey)),
    clocks: survey.clocks.list,
    slots: slots.count,
    computations: inOrder,
    settles: bySlot.flatMap(({ slot, behavior: { settle } }) =>
      settle === undefined ? [] : [{ slot, apply: settle }],
    ),
    actions: actionsOf(bySlot),
    idling: idlingOf(bySlot, inOrder),
    reads: slots.reads,
    asOf: bySlot.map(({ behavior }) => behavior.asOf ?? null),
    limits: bySlot.map(({ behavior }) => behavior.limit ?? null),
  };
}

/** Assigns slots to values: nodes in the order of the graph, then bridges. */
class Slots {
  readonly reads: readonly (readonly number[])[];
  readonly byId: ReadonlyMap<string, number>;
  readonly #nodes: ReadonlyMap<GraphNode, number>;
  readonly #bridges = new Map<GraphNode, number>();
  readonly #survey: GraphAnalysis;

  constructor(graph: readonly GraphNode[], survey: GraphAnalysis) {
    this.#survey = survey;
    this.#nodes = new Map(graph.map((node, slot) => [node, slot]));
    this.byId = new Map(graph.map(({ parsed }, slot) => [parsed.id, slot]));
    const ofNodes = graph.map((node) =>
      [...node.sources.values()].flat().map((source) => this.#seenFrom(node, source)),
    );
    this.reads = [...ofNodes, ...[...this.#bridges.keys()].map((source) => [this.of(source)])];
  }

  get count(): number {
    return this.reads.length;
  }

  of(node: GraphNode): number {
    return this.#nodes.get(node) as number;
  }

  bridgeOf(source: GraphNode): number | undefined {
    return this.#bridges.get(source);
  }

  into(reader: GraphNode, port: string): number[] {
    return (reader.sources.get(port) ?? []).map((source) => this.#seenFrom(reader, source));
  }

  /** Returns the slot of a source. A source on another candle clock is read through a bridge. */
  #seenFrom(reader: GraphNode, source: GraphNode): number {
    const { clocks } = this.#survey;
    const clock = clocks.ofValue(source);
    if (clock < 0 || clock === clocks.ofStep(reader)) return this.of(source);
    const known = this.#bridges.get(source);
    if (known !== undefined) return known;
    const slot = this.#nodes.size + this.#bridges.size;
    this.#bridges.set(source, slot);
    return slot;
  }
}

class PlacedWiring implements Wiring {
  readonly nodeId: string;
  readonly copy: string;
  readonly slot: number;
  readonly clock: UpdateClock;
  readonly #ports: ReadonlyMap<string, readonly number[]>;
  readonly #pasts: ReadonlyMap<string, History>;
  readonly #byId: ReadonlyMap<string, number>;

  constructor(step: Pick<Wiring, 'nodeId' | 'copy' | 'slot' | 'clock'>, ports: Ports) {
    this.nodeId = step.nodeId;
    this.copy = step.copy;
    this.slot = step.slot;
    this.clock = step.clock;
    this.#ports = ports.slots;
    this.#pasts = ports.pasts;
    this.#byId = ports.byId;
  }

  input(port: string): number {
    return this.#ports.get(port)?.[0] ?? NOT_CONNECTED;
  }

  inputs(port: string): readonly number[] {
    return this.#ports.get(port) ?? [];
  }

  history(port: string): History | null {
    return this.#pasts.get(port) ?? null;
  }

  slotOf(nodeId: string): number | undefined {
    return this.#byId.get(nodeId);
  }
}

type Ports = {
  readonly slots: ReadonlyMap<string, readonly number[]>;
  readonly pasts: ReadonlyMap<string, History>;
  readonly byId: ReadonlyMap<string, number>;
};

function wiringOf(
  graphNode: GraphNode,
  slots: Slots,
  survey: GraphAnalysis,
  computations: ReadonlyMap<GraphNode, BuiltComputation>,
): Wiring {
  const ports = [...graphNode.sources.keys()];
  const pasts = new Map<string, History>();
  for (const port of graphNode.node?.window === undefined ? [] : ports) {
    const history = historyOf(graphNode, port, survey, computations);
    if (history !== null) pasts.set(port, history);
  }
  const { id, graphId } = graphNode.parsed;
  const step = {
    nodeId: id,
    copy: id.slice(graphId.length),
    slot: slots.of(graphNode),
    clock: survey.clocks.ofStep(graphNode),
  };
  return new PlacedWiring(step, {
    slots: new Map(ports.map((port) => [port, slots.into(graphNode, port)])),
    pasts,
    byId: slots.byId,
  });
}

/** Returns the computations of an input from candles, and a key that is equal for equal calculations. */
function historyOf(
  graphNode: GraphNode,
  port: string,
  survey: GraphAnalysis,
  computations: ReadonlyMap<GraphNode, BuiltComputation>,
): History | null {
  const source = graphNode.sources.get(port)?.[0];
  if (source === undefined || !survey.isHistory(source)) return null;
  const upstream = new Set([source]);
  for (const node of upstream) for (const from of [...node.sources.values()].flat()) upstream.add(from);
  const order = survey.order.filter((node) => upstream.has(node));
  const key = order.map(({ type, parsed, sources }) => [
    type.type,
    parsed.config,
    [...sources].map(([name, from]) => [name, from.map((node) => order.indexOf(node))]),
  ]);
  return {
    key: JSON.stringify(key),
    clock: survey.clocks.ofValue(source),
    field: (computations.get(source) as BuiltComputation).field,
    computations: order.map((node) => computations.get(node) as BuiltComputation),
  };
}

/** Checks the age of a candle value that is read on a faster clock. */
function bridgeFrom(
  graphNode: GraphNode,
  from: number,
  slot: number,
  { clocks }: GraphAnalysis,
): Computation {
  const clock = clocks.ofValue(graphNode);
  const { symbol, interval } = clocks.list[clock] as CandleClock;
  const overdue = unknown('stale', `The ${interval} candles of ${symbol} have stopped coming.`);
  const leftBehind = unknown(
    'stale',
    `The next ${interval} candle of ${symbol} is due; other candles read with it have closed already.`,
  );
  return { slot, clock: TICK, compute: watching(clock, from, { overdue, leftBehind }) };
}

function watching(
  clock: UpdateClock,
  from: number,
  { overdue, leftBehind }: { overdue: Unknown; leftBehind: Unknown },
): (run: Run) => Value {
  return (run) => {
    const due = run.cursors.dueAfter(clock);
    if (due === null) return run.values[from] as Value;
    if (run.at > due + CANDLE_OVERDUE_MS) return overdue;
    return run.cursors.isLeftBehind(clock) ? leftBehind : (run.values[from] as Value);
  };
}

const isAction = ({ type }: GraphNode): boolean => type.group === 'action';

/** Nodes that move with the tick read more than candles, and so do those behind an action. */
function idlingOf(built: readonly Built[], computations: readonly Computation[]): Idling | null {
  const actions = built.filter(({ graphNode }) => isAction(graphNode));
  const isOfCandles = built.every(
    ({ graphNode }) =>
      (isAction(graphNode) || graphNode.node?.moves !== 'tick') &&
      ![...graphNode.sources.values()].flat().some(isAction),
  );
  const isIdle = actions.flatMap(({ behavior }) => behavior.isIdle ?? []);
  if (!isOfCandles || isIdle.length < actions.length) return null;
  const own = new Set(actions.map(({ slot }) => slot));
  return {
    computations: computations.filter(({ slot }) => !own.has(slot)),
    outputs: computations.filter(({ slot }) => own.has(slot)),
    isIdle,
  };
}

function actionsOf(built: readonly Built[]): Effect[] {
  const rank = ({ graphNode }: Built) => {
    const trade = graphNode.node?.trade;
    if (trade === undefined) return 3;
    // A leg that sells acts with those that buy: all decide together, after what leaves has said so.
    if (trade.side === 'buy' || trade.basket !== undefined) return 2;
    return trade.refreshMinSec === undefined ? 0 : 1;
  };
  return [...built]
    .sort((a, b) => rank(a) - rank(b) || a.slot - b.slot)
    .flatMap(({ slot, graphNode, behavior: { act } }) => {
      if (act === undefined) return [];
      const effect = { slot, apply: act };
      const { refreshMinSec, basket } = graphNode.node?.trade ?? {};
      return refreshMinSec === undefined && basket === undefined ? effect : { ...effect, isManaged: true };
    });
}
