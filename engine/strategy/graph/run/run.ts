/**
 * One evaluation in progress: the slots being filled, what is remembered, and what was raised. Nodes
 * see the world only through it, so that a missed candle can be replayed without today's quotes.
 */
import type { Decimal } from '../../../platform/decimal.ts';
import { type CandleClock, type Clock, CONSTANT, TICK } from '../clocks.ts';
import type {
  Evaluation,
  GraphQuote,
  Intent,
  Memory,
  Needs,
  NodeFailure,
  NodeMemory,
  NodeStates,
  NodeStatus,
  Notification,
  Reason,
  Unknown,
  Value,
  World,
} from '../types.ts';
import { Cursors } from './cursors.ts';
import { type MemoriesBySlot, Remembered } from './remembered.ts';

/** Computes the value of one slot from slots computed before it. */
export type Computation = {
  readonly slot: number;
  /** The clock that alone moves all it says, a pure function of it; `TICK` if it is to be computed in every step. */
  readonly clock: Clock;
  readonly compute: (run: Run) => Value;
};

/** What a node does besides giving a value: remember its inputs at the end of a step, or act on them. */
export type Effect = {
  readonly slot: number;
  readonly apply: (run: Run) => void;
};

/** A compiled graph. It holds closures, so it is not JSON; callers read `nodeIds` and `needs` only. */
export type Plan = {
  /** Ids of the executable nodes in the order of the drawing; a node's slot is its place here. */
  readonly nodeIds: readonly string[];
  /** By slot: JSON Pointer to the node in the drawing. */
  readonly paths: readonly string[];
  readonly needs: Needs;
  readonly clocks: readonly CandleClock[];
  /** Slots of nodes and, behind them, of the bridges that watch over the age of candle values. */
  readonly slots: number;
  /** In topological order. */
  readonly computations: readonly Computation[];
  /** End of step: memory nodes take up their inputs. */
  readonly settles: readonly Effect[];
  /** Sells before buys before the rest, then in the order of the drawing. */
  readonly actions: readonly Effect[];
  /** By slot: the slots it reads, nearest first for the inputs of an intent. */
  readonly reads: readonly (readonly number[])[];
  /** By slot: the age of what a source reads; `null` for nodes that only calculate. */
  readonly asOf: readonly (((run: Run) => number | null) | null)[];
  /** By slot: what a limit says against one more buy; `null` for nodes that limit nothing. */
  readonly limits: readonly (((run: Run) => Unknown | null) | null)[];
};

/** All nodes with nothing said, and the most that they take in JSON. */
export type BlankStates = { readonly states: NodeStates; readonly bytesAtMost: number };

/** An action this late after its step is not carried out. */
const LATE_MS = 60_000;

/** Nothing is known. */
export const NO_WORLD: World = {
  quotes: new Map(),
  books: new Map(),
  candles: new Map(),
  instruments: new Map(),
  account: null,
  positions: new Map(),
  buying: new Map(),
  orders: new Map(),
  isHalted: false,
  observedSince: 0,
};

/** Intents, notifications and failures of one evaluation, in addition to its memory. */
export type Raised = Pick<Evaluation, 'intents' | 'notifications' | 'failures'>;

type Raising = { intents: Intent[]; notifications: Notification[]; failures: NodeFailure[] };

/** Freezes plain data with all that is in it. */
function freezeWhole(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const each of Object.values(value)) freezeWhole(each);
  Object.freeze(value);
}

/** Most evaluations raise nothing. */
const NOTHING_RAISED: Raised = Object.freeze({
  intents: Object.freeze([]),
  notifications: Object.freeze([]),
  failures: Object.freeze([]),
});

/**
 * Used again for every evaluation of its plan: `begin` sets all of it to the next one. The evaluations may belong to
 * different accounts, so what it writes to stays inside; {@link takeRaised} and {@link takeMemory} hand out values of their own.
 */
export class Run {
  readonly plan: Plan;
  world: World = NO_WORLD;
  /** The feed's clock at this evaluation. */
  now = 0;
  startedAt = 0;
  /** The instant of the step being computed: `now`, or when a missed candle closed. */
  at = 0;
  /** False while missed candles are replayed: then quotes, books, positions and results are unknown. */
  isLive = false;

  // By slot.
  readonly values: Value[];
  readonly statuses: (NodeStatus | undefined)[];
  readonly reasons: (Reason | undefined)[];
  /** Not a number where a node has none. */
  readonly distances: number[];

  readonly cursors: Cursors;

  /** The one that was read last. */
  signature = '';
  /** What node states are copied from, once they have been read. */
  blankStates: BlankStates | null = null;

  /** What this step sells, by instrument: buys of it conflict. */
  readonly sold = new Map<string, Decimal>();
  /** Units this evaluation raised buys for, by instrument: the world does not know of them yet. */
  readonly bought = new Map<string, number>();

  /** Slots whose signal turned true over 60 s before it was first evaluated, where the slot's own clock does not tell. */
  readonly #late = new Set<number>();
  #raising: Raising | null = null;
  #memory: Memory | null = null;
  #stored: MemoriesBySlot = [];
  #written: (NodeMemory | undefined)[] | null = null;
  #areConstantsDue = true;
  #hasComputed = false;

  constructor(plan: Plan) {
    this.plan = plan;
    const nodes = plan.nodeIds.length;
    this.values = new Array<Value>(plan.slots);
    this.statuses = new Array<NodeStatus | undefined>(nodes).fill(undefined);
    this.reasons = new Array<Reason | undefined>(nodes).fill(undefined);
    this.distances = new Array<number>(nodes).fill(Number.NaN);
    this.cursors = new Cursors(plan.clocks);
  }

  /** Begins an evaluation: what an earlier one raised, remembered or marked is gone from here. */
  begin(world: World, memory: Memory | null, now: number): void {
    this.world = world;
    this.now = now;
    this.#memory = memory;
    this.startedAt = memory?.startedAt ?? now;
    this.#stored = Remembered.bySlot(memory, this.plan.nodeIds);
    this.#written = null;
    this.#raising = null;
    if (this.bought.size > 0) this.bought.clear();
    this.cursors.begin(world.candles, memory?.candles);
  }

  /** The next step is the missed one at `at`. */
  enterMissed(at: number): void {
    this.#enter(false, at);
    this.cursors.enterMissed(at);
  }

  /** The next step is the one at `now`. */
  enterLive(): void {
    this.#enter(true, this.now);
    this.cursors.enterLive(this.now);
  }

  #enter(isLive: boolean, at: number): void {
    this.isLive = isLive;
    this.at = at;
    this.#areConstantsDue = !this.#hasComputed;
    this.#hasComputed = true;
    if (this.sold.size > 0) this.sold.clear();
    if (this.#late.size > 0) this.#late.clear();
    for (let slot = 0; slot < this.statuses.length; slot++) {
      this.statuses[slot] = undefined;
      this.reasons[slot] = undefined;
      this.distances[slot] = Number.NaN;
    }
  }

  /** The instant of this step on a clock: when its candle closed, or the step's own. */
  timeOf(clock: Clock): number {
    return clock < 0 ? this.at : this.cursors.cursor[clock] || this.at;
  }

  /** Whether a node on this clock takes a new step now, or merely shows its last one again. */
  isStep(clock: Clock): boolean {
    return clock < 0 || this.cursors.stepped[clock] === true;
  }

  /** What was true before the deploy is as old as the deploy, not as its candle. */
  isTooLate(stepAt: number): boolean {
    return this.now - Math.max(stepAt, this.startedAt) > LATE_MS;
  }

  markLate(slot: number): void {
    this.#late.add(slot);
  }

  isLate(slot: number): boolean {
    return this.#late.has(slot);
  }

  quote(tokenId: string): GraphQuote | undefined {
    return this.isLive ? this.world.quotes.get(tokenId) : undefined;
  }

  recall<M extends NodeMemory>(slot: number): M | undefined {
    return (this.#written ?? this.#stored)[slot] as M | undefined;
  }

  remember(slot: number, memory: NodeMemory): void {
    this.#written ??= [...this.#stored];
    this.#written[slot] = memory;
  }

  raise(intent: Intent): void {
    this.#raised().intents.push(intent);
  }

  notify(notification: Notification): void {
    this.#raised().notifications.push(notification);
  }

  /** Lists a node as failed, once: it may fail in every missed step. */
  fail(failure: NodeFailure): void {
    const { failures } = this.#raised();
    if (failures.every(({ nodeId }) => nodeId !== failure.nodeId)) failures.push(failure);
  }

  #raised(): Raising {
    this.#raising ??= { intents: [], notifications: [], failures: [] };
    return this.#raising;
  }

  /** Hands out what was raised, frozen with all that is in it: nothing is added or changed later. */
  takeRaised(): Raised {
    const raised = this.#raising;
    if (raised === null) return NOTHING_RAISED;
    this.#raising = null;
    freezeWhole(raised);
    return raised;
  }

  mark(slot: number, status: NodeStatus, reason?: Reason): void {
    this.statuses[slot] = status;
    this.reasons[slot] = reason;
  }

  /** Whether the value of a step is the one computed last, because nothing that moves it has moved. */
  isCurrent({ clock }: Computation): boolean {
    if (clock === TICK) return false;
    return clock === CONSTANT ? !this.#areConstantsDue : !this.cursors.isMoved(clock);
  }

  /** The next step computes all values anew. */
  forgetValues(): void {
    this.#hasComputed = false;
    this.cursors.forgetSeen();
  }

  /**
   * Hands out the memory after this evaluation: the very same object when nothing is to be stored. Its slots are not written
   * to any more: what is remembered later goes into a copy.
   */
  takeMemory(): Memory {
    const old = this.#memory;
    const written = this.#written;
    if (old !== null && written === null && !this.cursors.hasStepped) return old;
    const bySlot = written ?? this.#stored;
    const nodes = old !== null && written === null ? old.nodes : this.#nodeMemories(bySlot);
    const memory = { startedAt: this.startedAt, candles: this.cursors.toMemory(), nodes };
    this.#stored = bySlot;
    this.#written = null;
    return new Remembered(memory, this.plan.nodeIds, bySlot);
  }

  #nodeMemories(bySlot: MemoriesBySlot): Record<string, NodeMemory> {
    const nodes: Record<string, NodeMemory> = {};
    this.plan.nodeIds.forEach((id, slot) => {
      const memory = bySlot[slot];
      if (memory !== undefined) nodes[id] = memory;
    });
    return nodes;
  }
}
