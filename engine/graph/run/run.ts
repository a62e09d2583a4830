/**
 * One evaluation in progress: the slots being filled, what is remembered, and what was raised. Nodes
 * see the world only through it, so that a missed candle can be replayed without today's quotes.
 */
import { nextClose } from '../../../venues/intervals.ts';
import type { Decimal } from '../../decimal.ts';
import { type ClosedCandles, NO_CANDLES } from '../candles.ts';
import type { CandleClock, Clock } from '../clocks.ts';
import type {
  Intent,
  Memory,
  Needs,
  NodeFailure,
  NodeMemory,
  NodeStatus,
  Notification,
  Quote,
  Reason,
  Unknown,
  Value,
  World,
} from '../types.ts';

/** Computes the value of one slot from slots computed before it. */
export type Step = {
  readonly slot: number;
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
  readonly steps: readonly Step[];
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

/** Candles replayed in one evaluation at most; a longer pause is worked off over several. */
const MISSED_STEPS_MAX = 500;

/** How long candles that are read together wait for the last of them, before those that are there go on alone. */
const PEERS_WAIT_MS = 10_000;

/** An action this late after its step is not carried out. */
const LATE_MS = 60_000;

const NOTHING_MISSED: readonly number[] = [];

export class Run {
  readonly plan: Plan;
  readonly world: World;
  /** The feed's clock at this evaluation. */
  readonly now: number;
  readonly startedAt: number;
  /** The instant of the step being computed: `now`, or when a missed candle closed. */
  at: number;
  /** False while missed candles are replayed: then quotes, books, positions and results are unknown. */
  live = false;

  // By slot.
  readonly values: Value[];
  readonly statuses: (NodeStatus | undefined)[];
  readonly reasons: (Reason | undefined)[];
  readonly distances: (number | undefined)[];

  // By candle clock.
  readonly candles: ClosedCandles[] = [];
  /** Place of the candle that was stepped last. */
  readonly index: number[] = [];
  /** When it closed; 0 before the first one. */
  readonly cursor: number[] = [];
  /** Whether this very step is a new candle of that clock. */
  readonly stepped: boolean[] = [];
  /** When the missed candles closed that are stepped now, ascending; never the newest. */
  readonly missed: readonly number[];
  /** Candles, without the newest, that are left for the next evaluation. */
  readonly behind: number;

  readonly intents: Intent[] = [];
  readonly notifications: Notification[] = [];
  readonly failures: NodeFailure[] = [];
  /** What this step sells, by instrument: buys of it conflict. */
  readonly sold = new Map<string, Decimal>();
  /** Units this evaluation raised buys for, by instrument: the world does not know of them yet. */
  readonly bought = new Map<string, number>();

  /** Slots whose signal turned true over 60 s before it was first evaluated, where the slot's own clock does not tell. */
  #late: Set<number> | null = null;
  readonly #memory: Memory | null;
  #written: (NodeMemory | undefined)[] | null = null;
  #cursorMoved = false;

  constructor(plan: Plan, world: World, memory: Memory | null, now: number) {
    this.plan = plan;
    this.world = world;
    this.now = now;
    this.at = now;
    this.#memory = memory;
    this.startedAt = memory?.startedAt ?? now;
    this.values = new Array<Value>(plan.slots);
    this.statuses = new Array(plan.nodeIds.length);
    this.reasons = new Array(plan.nodeIds.length);
    this.distances = new Array(plan.nodeIds.length);
    const pending = this.#placeCursors();
    const missed = pending > 1 ? this.#missedSteps() : NOTHING_MISSED;
    this.missed = missed.slice(0, MISSED_STEPS_MAX);
    this.behind = missed.length > MISSED_STEPS_MAX ? pending - 1 - MISSED_STEPS_MAX : 0;
  }

  /** Sets every clock to its last stepped candle. Answers how many candles have closed since, in all series. */
  #placeCursors(): number {
    let pending = 0;
    for (const { key } of this.plan.clocks) {
      const closed = this.world.candles.get(key)?.closed ?? NO_CANDLES;
      // A clock that starts now starts with the newest candle, in the live step, however old that is.
      const cursor = this.#memory?.candles[key] ?? 0;
      const index = closed.placeAt(cursor);
      this.candles.push(closed);
      this.cursor.push(cursor);
      this.index.push(index);
      this.stepped.push(false);
      if (cursor > 0) pending += closed.count - 1 - index;
    }
    return pending;
  }

  /**
   * When the candles closed that were missed, ascending, without the newest, which is the live step. No more than one
   * past what is stepped at once: a long backlog is not gone through anew for each part of it.
   */
  #missedSteps(): number[] {
    const next = this.candles.map((closed, clock) =>
      this.cursor[clock] === 0 ? closed.count : (this.index[clock] as number) + 1,
    );
    const instants: number[] = [];
    while (instants.length < MISSED_STEPS_MAX + 2) {
      const closes = this.candles.map((closed, clock) => {
        const place = next[clock] as number;
        return place < closed.count ? closed.closedAt(place) : Number.POSITIVE_INFINITY;
      });
      const at = Math.min(...closes);
      if (at === Number.POSITIVE_INFINITY) break;
      instants.push(at);
      for (const [clock, close] of closes.entries())
        if (close === at) next[clock] = (next[clock] as number) + 1;
    }
    return instants.slice(0, -1);
  }

  /** The next step is the missed one at `at`: clocks move that have a candle which closed just then. */
  enterMissed(at: number): void {
    this.#enter(false, at);
    for (let clock = 0; clock < this.candles.length; clock++) {
      const index = this.index[clock] as number;
      const closed = this.candles[clock] as ClosedCandles;
      const hasNext = this.cursor[clock] !== 0 && index + 1 < closed.count;
      this.#stepTo(clock, hasNext && closed.closedAt(index + 1) === at ? index + 1 : index);
    }
  }

  /** The next step is the one at `now`, with the newest candles unless too many are still missed. */
  enterLive(): void {
    this.#enter(true, this.now);
    for (let clock = 0; clock < this.candles.length; clock++) {
      this.#stepTo(clock, this.behind > 0 ? (this.index[clock] as number) : this.#newestOf(clock));
    }
  }

  /** The newest candle of a clock, but none of an instant for which the candle of a peer is still expected. */
  #newestOf(clock: Clock): number {
    const closed = this.candles[clock] as ClosedCandles;
    let newest = closed.count - 1;
    for (const peer of (this.plan.clocks[clock] as CandleClock).peers) {
      const due = this.#closeAfter(peer, (this.candles[peer] as ClosedCandles).count - 1);
      if (due === null || this.now - due >= PEERS_WAIT_MS) continue;
      newest = Math.min(newest, closed.placeAt(due - 1));
    }
    return newest;
  }

  /** When the candle after the one stepped last closes; `null` where none was stepped. */
  dueAfter(clock: Clock): number | null {
    return this.#closeAfter(clock, this.index[clock] as number);
  }

  #closeAfter(clock: Clock, index: number): number | null {
    if (index < 0) return null;
    const { interval } = this.plan.clocks[clock] as CandleClock;
    return nextClose(interval, (this.candles[clock] as ClosedCandles).closedAt(index) - 1);
  }

  /** Whether a series that is read together with this one has stepped past the close of its next candle. */
  isLeftBehind(clock: Clock): boolean {
    const { peers } = this.plan.clocks[clock] as CandleClock;
    if (peers.length === 0) return false;
    const due = this.dueAfter(clock);
    return due !== null && peers.some((peer) => (this.cursor[peer] as number) >= due);
  }

  #enter(live: boolean, at: number): void {
    this.live = live;
    this.at = at;
    if (this.missed.length === 0) return;
    this.sold.clear();
    this.#late?.clear();
    this.statuses.fill(undefined);
    this.reasons.fill(undefined);
    this.distances.fill(undefined);
  }

  #stepTo(clock: number, index: number): void {
    const isNew = index > (this.index[clock] as number);
    this.stepped[clock] = isNew;
    if (!isNew) return;
    this.index[clock] = index;
    this.cursor[clock] = (this.candles[clock] as ClosedCandles).closedAt(index);
    this.#cursorMoved = true;
  }

  /** The instant of this step on a clock: when its candle closed, or the step's own. */
  timeOf(clock: Clock): number {
    return clock < 0 ? this.at : this.cursor[clock] || this.at;
  }

  /** Whether a node on this clock takes a new step now, or merely shows its last one again. */
  isStep(clock: Clock): boolean {
    return clock < 0 || this.stepped[clock] === true;
  }

  /** What was true before the deploy is as old as the deploy, not as its candle. */
  isTooLate(stepAt: number): boolean {
    return this.now - Math.max(stepAt, this.startedAt) > LATE_MS;
  }

  markLate(slot: number): void {
    this.#late ??= new Set();
    this.#late.add(slot);
  }

  isLate(slot: number): boolean {
    return this.#late?.has(slot) === true;
  }

  quote(tokenId: string): Quote | undefined {
    return this.live ? this.world.quotes.get(tokenId) : undefined;
  }

  recall<M extends NodeMemory>(slot: number): M | undefined {
    const stored = this.#written?.[slot] ?? this.#memory?.nodes[this.plan.nodeIds[slot] as string];
    return stored as M | undefined;
  }

  remember(slot: number, memory: NodeMemory): void {
    this.#written ??= new Array<NodeMemory | undefined>(this.plan.nodeIds.length);
    this.#written[slot] = memory;
  }

  mark(slot: number, status: NodeStatus, reason?: Reason): void {
    this.statuses[slot] = status;
    this.reasons[slot] = reason;
  }

  /** The memory after this evaluation: the very same object when nothing is to be stored. */
  memory(): Memory {
    const old = this.#memory;
    if (old !== null && this.#written === null && !this.#cursorMoved) return old;
    const candles: Record<string, number> = {};
    this.plan.clocks.forEach(({ key }, clock) => {
      const cursor = this.cursor[clock] as number;
      if (cursor > 0) candles[key] = cursor;
    });
    const nodes = old !== null && this.#written === null ? old.nodes : this.#nodeMemories();
    return { startedAt: this.startedAt, candles, nodes };
  }

  #nodeMemories(): Record<string, NodeMemory> {
    const nodes: Record<string, NodeMemory> = {};
    this.plan.nodeIds.forEach((id, slot) => {
      const memory = this.recall(slot);
      if (memory !== undefined) nodes[id] = memory;
    });
    return nodes;
  }
}
