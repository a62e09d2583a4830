import { nextCandleClose } from '../../../../venues/parse/intervals.ts';
import { type ClosedCandles, NO_CANDLES } from '../candles.ts';
import type { Memory, World } from '../types.ts';
import type { CandleClock, UpdateClock } from '../update-clock.ts';

/** Limit of candles replayed in one evaluation; a longer pause is replayed over several. */
const MISSED_STEPS_MAX = 500;

/** Longest wait for the last of several candles that are read together; then the others are stepped without it. */
const PEERS_WAIT_MS = 10_000;

const NOTHING_MISSED: readonly number[] = [];

type Seen = { series: object | null; index: number; isMoved: boolean };

/** The position of a plan in each of its candle series, and the candles of its next step. Reused for every evaluation. */
export class CandleCursors {
  // By candle clock.
  readonly candles: ClosedCandles[];
  /** Index of the last stepped candle. */
  readonly index: number[];
  /** Close time of the last stepped candle; 0 before the first one. */
  readonly cursor: number[];
  /** Whether the current step is a new candle of that clock. */
  readonly stepped: boolean[];

  /** Close times of the missed candles to step now, ascending, without the newest. */
  missed: readonly number[] = NOTHING_MISSED;
  /** Number of candles left for the next evaluation, without the newest. */
  behind = 0;
  /** Whether any clock has stepped in this evaluation. */
  hasStepped = false;

  readonly #clocks: readonly CandleClock[];
  /** By candle clock: the candle of the previous step, and whether the current step has another one. */
  readonly #seen: Seen[];

  constructor(clocks: readonly CandleClock[]) {
    this.#clocks = clocks;
    this.candles = clocks.map(() => NO_CANDLES);
    this.index = clocks.map(() => -1);
    this.cursor = clocks.map(() => 0);
    this.stepped = clocks.map(() => false);
    this.#seen = clocks.map(() => ({ series: null, index: -1, isMoved: true }));
  }

  /** Sets every clock to its last stepped candle and determines the missed ones. */
  begin(candles: World['candles'], stored: Memory['candles'] | undefined): void {
    let pending = 0;
    for (let clock = 0; clock < this.#clocks.length; clock++) {
      const { key } = this.#clocks[clock] as CandleClock;
      const closed = candles.get(key)?.closed ?? NO_CANDLES;
      // A new clock starts with the newest candle, in the live step, whatever its age.
      const cursor = stored?.[key] ?? 0;
      const index = indexOfCursor(closed, cursor, this.index[clock] as number);
      this.candles[clock] = closed;
      this.cursor[clock] = cursor;
      this.index[clock] = index;
      if (cursor > 0) pending += closed.count - 1 - index;
    }
    const missed = pending > 1 ? this.#missedSteps() : NOTHING_MISSED;
    const hasTooMany = missed.length > MISSED_STEPS_MAX;
    this.missed = hasTooMany ? missed.slice(0, MISSED_STEPS_MAX) : missed;
    this.behind = hasTooMany ? pending - 1 - MISSED_STEPS_MAX : 0;
    this.hasStepped = false;
  }

  /**
   * Returns the close times of missed candles, ascending, without the newest, which is the live step. Limited to one more than
   * an evaluation steps: a long backlog is not scanned again for each part of it.
   */
  #missedSteps(): number[] {
    const next = this.candles.map((closed, clock) =>
      this.cursor[clock] === 0 ? closed.count : (this.index[clock] as number) + 1,
    );
    const instants: number[] = [];
    while (instants.length < MISSED_STEPS_MAX + 2) {
      const closes = this.candles.map((closed, clock) => {
        const index = next[clock] as number;
        return index < closed.count ? closed.closedAt(index) : Number.POSITIVE_INFINITY;
      });
      const at = Math.min(...closes);
      if (at === Number.POSITIVE_INFINITY) break;
      instants.push(at);
      for (const [clock, close] of closes.entries())
        if (close === at) next[clock] = (next[clock] as number) + 1;
    }
    return instants.slice(0, -1);
  }

  /** Enters the missed step at `at`: moves the clocks with a candle that closed at that instant. */
  enterMissed(at: number): void {
    for (let clock = 0; clock < this.candles.length; clock++) {
      const index = this.index[clock] as number;
      const closed = this.candles[clock] as ClosedCandles;
      const hasNext = this.cursor[clock] !== 0 && index + 1 < closed.count;
      this.#stepTo(clock, hasNext && closed.closedAt(index + 1) === at ? index + 1 : index);
    }
  }

  /** Enters the step at `now`, with the newest candles unless too many missed ones are left. */
  enterLive(now: number): void {
    for (let clock = 0; clock < this.candles.length; clock++) {
      this.#stepTo(clock, this.behind > 0 ? (this.index[clock] as number) : this.#newestOf(clock, now));
    }
  }

  /** Returns the newest candle of a clock. Skips an instant for which a peer's candle is still expected. */
  #newestOf(clock: UpdateClock, now: number): number {
    const closed = this.candles[clock] as ClosedCandles;
    let newest = closed.count - 1;
    for (const peer of (this.#clocks[clock] as CandleClock).peers) {
      const due = this.#closeAfter(peer, (this.candles[peer] as ClosedCandles).count - 1);
      if (due === null || now - due >= PEERS_WAIT_MS) continue;
      newest = Math.min(newest, closed.indexAt(due - 1));
    }
    return newest;
  }

  #stepTo(clock: UpdateClock, index: number): void {
    const closed = this.candles[clock] as ClosedCandles;
    const isNew = index > (this.index[clock] as number);
    this.stepped[clock] = isNew;
    if (isNew) {
      this.index[clock] = index;
      this.cursor[clock] = closed.closedAt(index);
      this.hasStepped = true;
    }
    const seen = this.#seen[clock] as Seen;
    const at = this.index[clock] as number;
    seen.isMoved = seen.series !== closed.series || seen.index !== at;
    seen.series = closed.series;
    seen.index = at;
  }

  /** Whether the current step has another candle than the previous step, of any evaluation. */
  isMoved(clock: UpdateClock): boolean {
    return this.#seen[clock]?.isMoved !== false;
  }

  /** Treats every clock as moved in the next step. */
  forgetSeen(): void {
    for (const seen of this.#seen) seen.series = null;
  }

  /** Returns the close time of the candle after the last stepped one; `null` if none was stepped. */
  dueAfter(clock: UpdateClock): number | null {
    return this.#closeAfter(clock, this.index[clock] as number);
  }

  #closeAfter(clock: UpdateClock, index: number): number | null {
    if (index < 0) return null;
    const { interval } = this.#clocks[clock] as CandleClock;
    return nextCandleClose(interval, (this.candles[clock] as ClosedCandles).closedAt(index) - 1);
  }

  /** Whether a peer series has stepped past the close of this series' next candle. */
  isLeftBehind(clock: UpdateClock): boolean {
    const { peers } = this.#clocks[clock] as CandleClock;
    if (peers.length === 0) return false;
    const due = this.dueAfter(clock);
    return due !== null && peers.some((peer) => (this.cursor[peer] as number) >= due);
  }

  /** Returns the state to store in a deployment's memory. */
  toMemory(): Memory['candles'] {
    const candles: Record<string, number> = {};
    for (let clock = 0; clock < this.#clocks.length; clock++) {
      const cursor = this.cursor[clock] as number;
      if (cursor > 0) candles[(this.#clocks[clock] as CandleClock).key] = cursor;
    }
    return candles;
  }
}

/** Usually the index is that of the previous evaluation. */
function indexOfCursor(closed: ClosedCandles, cursor: number, before: number): number {
  const isThere = before >= 0 && before < closed.count && closed.closedAt(before) === cursor;
  return isThere ? before : closed.indexAt(cursor);
}
