/**
 * One evaluation in progress: slots, memory, and raised intents. Nodes see the world only through it, so that a missed candle
 * can be replayed without today's quotes.
 */
import type { Exact } from '../../../platform/decimal.ts';
import type {
  Cancellation,
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
import { type CandleClock, CONSTANT, TICK, type UpdateClock } from '../update-clock.ts';
import { CandleCursors } from './candle-cursors.ts';
import { IndexedMemory, type MemoriesBySlot } from './indexed-memory.ts';

/** Computes the value of one slot from earlier slots. */
export type Computation = {
  readonly slot: number;
  /** The only clock on which its output changes, a pure function; `TICK` if it must be computed in every step. */
  readonly clock: UpdateClock;
  readonly compute: (run: Run) => Value;
};

/** Effect of a node in addition to its value: stores inputs at the end of a step, or acts on them. */
export type Effect = {
  readonly slot: number;
  readonly apply: (run: Run) => void;
  /** For an action: it cancels and replaces its own orders, also those of earlier deployments of its blueprint. */
  readonly isManaged?: true;
};

/** How to find steps in which nothing happens, without quotes and orders. */
export type Idling = {
  /** All but the outputs of actions. */
  readonly computations: readonly Computation[];
  /** The outputs of actions. */
  readonly outputs: readonly Computation[];
  readonly isIdle: readonly ((run: Run) => boolean)[];
};

/** A compiled graph. It holds functions, so it is not JSON; callers read `nodeIds` and `needs` only. */
export type Plan = {
  /** Ids of the executable nodes in the order of the graph; a node's slot is its index. */
  readonly nodeIds: readonly string[];
  /** By slot: JSON Pointer to the node in the graph. */
  readonly paths: readonly string[];
  readonly needs: Needs;
  readonly clocks: readonly CandleClock[];
  /** Number of slots: nodes and then bridges, which check the age of candle values. */
  readonly slots: number;
  /** In topological order. */
  readonly computations: readonly Computation[];
  /** Run at the end of a step: memory nodes store their inputs. */
  readonly settles: readonly Effect[];
  /** Sells (those of quotes last) before buys before the rest, then in the order of the graph. */
  readonly actions: readonly Effect[];
  /** Null unless the conditions of all actions depend on candles alone. */
  readonly idling: Idling | null;
  /** By slot: the slots it reads, nearest first, for the inputs of an intent. */
  readonly reads: readonly (readonly number[])[];
  /** By slot: reads the age of a source's data; `null` for nodes that only calculate. */
  readonly asOf: readonly (((run: Run) => number | null) | null)[];
  /** By slot: a limit's reason against one more buy; `null` for nodes that limit nothing. */
  readonly limits: readonly (((run: Run) => Unknown | null) | null)[];
};

/** States of all nodes without messages, and their largest size in JSON. */
export type BlankStates = { readonly states: NodeStates; readonly bytesAtMost: number };

/** `undoing`: trades back what was filled; `failed`: could not in time. */
export type LegPhase = 'filling' | 'complete' | 'undoing' | 'failed';

/** Terms of a leg's order, and the price of its undo at worst. Decimal strings. */
export type LegTerms = { readonly units: string; readonly limit: string; readonly worst: string };

/** A leg of a basket as the other legs see it in a step. */
export type LegView = {
  readonly slot: number;
  readonly tokenId: string;
  readonly phase: LegPhase | undefined;
  /** Its whole amount is filled, and nothing is undone. */
  readonly isFull: boolean;
  /** Its order may still fill. */
  readonly isFilling: boolean;
  /** It cannot fill its amount in time. */
  readonly isShort: boolean;
  /** It has an order, or something to undo. */
  readonly isBusy: boolean;
  /** Terms of its order, if it could begin now; else null. */
  terms(run: Run): LegTerms | null;
};

/** `terms`: those of all legs, by slot, if they begin in this step; null if they do not, absent until that is decided. */
type Basket = { readonly legs: LegView[]; terms?: ReadonlyMap<number, LegTerms> | null };

/** An action this late after its step is skipped. */
const LATE_MS = 60_000;

/** The empty world. */
export const NO_WORLD: World = {
  quotes: new Map(),
  books: new Map(),
  candles: new Map(),
  instruments: new Map(),
  account: null,
  signals: new Map(),
  positions: new Map(),
  buying: new Map(),
  orders: new Map(),
  isHalted: false,
  observedSince: 0,
};

/** Everything that one evaluation raises, in addition to its memory. */
export type Raised = Pick<Evaluation, 'intents' | 'cancellations' | 'notifications' | 'failures'>;

type Raising = {
  intents: Intent[];
  cancellations: Cancellation[];
  notifications: Notification[];
  failures: NodeFailure[];
};

/** Freezes plain data recursively. */
function freezeWhole(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const each of Object.values(value)) freezeWhole(each);
  Object.freeze(value);
}

/** Shared result, since most evaluations raise nothing. */
const NOTHING_RAISED: Raised = Object.freeze({
  intents: Object.freeze([]),
  cancellations: Object.freeze([]),
  notifications: Object.freeze([]),
  failures: Object.freeze([]),
});

/**
 * State of a plan's evaluation, reused for each: `begin` resets all of it. Evaluations may belong to different accounts, so its
 * mutable state never leaves it. {@link takeRaised} and {@link takeMemory} return independent values.
 */
export class Run {
  readonly plan: Plan;
  world: World = NO_WORLD;
  /** The feed's clock at this evaluation. */
  now = 0;
  startedAt = 0;
  /** The instant of the current step: `now`, or the close of a missed candle. */
  at = 0;
  /** False while missed candles are replayed: quotes, books, positions and results are then unknown. */
  isLive = false;

  // By slot.
  readonly values: Value[];
  readonly statuses: (NodeStatus | undefined)[];
  readonly reasons: (Reason | undefined)[];
  /** NaN for nodes without a distance. */
  readonly distances: number[];

  readonly cursors: CandleCursors;

  /** The last signature that was read. */
  signature = '';
  /** Template of node states, once they have been read. */
  blankStates: BlankStates | null = null;

  /** Units that this step sells, by instrument: buys of it conflict. */
  readonly sold = new Map<string, Exact>();
  /** Instruments that a `close` or `exit` wants to sell in this step: quotes of it stand back. */
  readonly leaving = new Set<string>();
  /** By name of a `oneCancelsOther`: the slots of its quotes that have filled something. */
  readonly filled = new Map<string, Set<number>>();
  /** Legs of each basket in this step, by its name. */
  readonly #baskets = new Map<string, Basket>();
  /** Units of buys raised in this evaluation, by instrument: the world does not show them yet. */
  readonly bought = new Map<string, number>();

  /** Slots whose signal turned true over 60 s before its first evaluation, unless their own clock shows it. */
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
    this.cursors = new CandleCursors(plan.clocks);
  }

  /** Begins an evaluation: clears everything that an earlier one raised, remembered or marked. */
  begin(world: World, memory: Memory | null, now: number): void {
    this.world = world;
    this.now = now;
    this.#memory = memory;
    this.startedAt = memory?.startedAt ?? now;
    this.#stored = IndexedMemory.bySlot(memory, this.plan.nodeIds);
    this.#written = null;
    this.#raising = null;
    if (this.bought.size > 0) this.bought.clear();
    this.cursors.begin(world.candles, memory?.candles);
  }

  /** Enters the missed step at `at`. */
  enterMissed(at: number): void {
    this.#enter(false, at);
    this.cursors.enterMissed(at);
  }

  /** Enters the step at `now`. */
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
    if (this.leaving.size > 0) this.leaving.clear();
    if (this.filled.size > 0) this.filled.clear();
    if (this.#baskets.size > 0) this.#baskets.clear();
    if (this.#late.size > 0) this.#late.clear();
    for (let slot = 0; slot < this.statuses.length; slot++) {
      this.statuses[slot] = undefined;
      this.reasons[slot] = undefined;
      this.distances[slot] = Number.NaN;
    }
  }

  /** Returns the instant of this step on a clock: its candle's close, or the step's own. */
  timeOf(clock: UpdateClock): number {
    return clock < 0 ? this.at : this.cursors.cursor[clock] || this.at;
  }

  /** Whether a node on this clock takes a new step now, or only shows its last one again. */
  isStep(clock: UpdateClock): boolean {
    return clock < 0 || this.cursors.stepped[clock] === true;
  }

  /** A condition that was true before the deploy counts from the deploy, not from its candle. */
  isTooLate(stepAt: number): boolean {
    return this.now - Math.max(stepAt, this.startedAt) > LATE_MS;
  }

  markLate(slot: number): void {
    this.#late.add(slot);
  }

  markFilled(group: string, slot: number): void {
    this.filled.set(group, (this.filled.get(group) ?? new Set()).add(slot));
  }

  basketOf(name: string): Basket {
    const known = this.#baskets.get(name);
    if (known !== undefined) return known;
    const basket: Basket = { legs: [] };
    this.#baskets.set(name, basket);
    return basket;
  }

  otherBaskets(name: string): readonly Basket[] {
    return [...this.#baskets].flatMap(([each, basket]) => (each === name ? [] : [basket]));
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

  cancel(cancellation: Cancellation): void {
    this.#raised().cancellations.push(cancellation);
  }

  notify(notification: Notification): void {
    this.#raised().notifications.push(notification);
  }

  /** Records a node as failed, once: it may fail in every missed step. */
  fail(failure: NodeFailure): void {
    const { failures } = this.#raised();
    if (failures.every(({ nodeId }) => nodeId !== failure.nodeId)) failures.push(failure);
  }

  get hasRaised(): boolean {
    return this.#raising !== null;
  }

  #raised(): Raising {
    this.#raising ??= { intents: [], cancellations: [], notifications: [], failures: [] };
    return this.#raising;
  }

  /** Returns what was raised, frozen recursively: they never change later. */
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

  /** Whether the last computed value is still valid, because none of its inputs has changed. */
  isCurrent({ clock }: Computation): boolean {
    if (clock === TICK) return false;
    return clock === CONSTANT ? !this.#areConstantsDue : !this.cursors.isMoved(clock);
  }

  /** Forces the next step to compute all values. */
  forgetValues(): void {
    this.#hasComputed = false;
    this.cursors.forgetSeen();
  }

  /**
   * Returns the memory after this evaluation: the same object when nothing is to be stored. Its slots are no longer written:
   * later changes go into a copy.
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
    return new IndexedMemory(memory, this.plan.nodeIds, bySlot);
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
