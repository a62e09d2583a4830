import { nextClose } from '../../../../venues/parse/intervals.ts';
import { type ClosedCandles, NO_CANDLES } from '../candles.ts';
import type { CandleClock, Clock } from '../clocks.ts';
import type { Memory, World } from '../types.ts';

/** Candles replayed in one evaluation at most; a longer pause is worked off over several. */
const MISSED_STEPS_MAX = 500;

/** How long candles that are read together wait for the last of them, before those that are there go on alone. */
const PEERS_WAIT_MS = 10_000;

const NOTHING_MISSED: readonly number[] = [];

type Seen = { series: object | null; index: number; isMoved: boolean };

/** Where a plan stands in each of its candle series, and which candles it steps next. Used again for every evaluation. */
export class Cursors {
  // By candle clock.
  readonly candles: ClosedCandles[];
  /** Place of the candle that was stepped last. */
  readonly index: number[];
  /** When it closed; 0 before the first one. */
  readonly cursor: number[];
  /** Whether this very step is a new candle of that clock. */
  readonly stepped: boolean[];

  /** When the missed candles closed that are stepped now, ascending; never the newest. */
  missed: readonly number[] = NOTHING_MISSED;
  /** Candles, without the newest, that are left for the next evaluation. */
  behind = 0;
  /** Whether any clock has stepped in this evaluation. */
  hasStepped = false;

  readonly #clocks: readonly CandleClock[];
  /** By candle clock: the candle of the step before, and whether this step is at another one. */
  readonly #seen: Seen[];

  constructor(clocks: readonly CandleClock[]) {
    this.#clocks = clocks;
    this.candles = clocks.map(() => NO_CANDLES);
    this.index = clocks.map(() => -1);
    this.cursor = clocks.map(() => 0);
    this.stepped = clocks.map(() => false);
    this.#seen = clocks.map(() => ({ series: null, index: -1, isMoved: true }));
  }

  /** Sets every clock to its last stepped candle and finds out what was missed since. */
  begin(candles: World['candles'], stored: Memory['candles'] | undefined): void {
    let pending = 0;
    for (let clock = 0; clock < this.#clocks.length; clock++) {
      const { key } = this.#clocks[clock] as CandleClock;
      const closed = candles.get(key)?.closed ?? NO_CANDLES;
      // A clock that starts now starts with the newest candle, in the live step, however old that is.
      const cursor = stored?.[key] ?? 0;
      const index = placeOf(closed, cursor, this.index[clock] as number);
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
    for (let clock = 0; clock < this.candles.length; clock++) {
      const index = this.index[clock] as number;
      const closed = this.candles[clock] as ClosedCandles;
      const hasNext = this.cursor[clock] !== 0 && index + 1 < closed.count;
      this.#stepTo(clock, hasNext && closed.closedAt(index + 1) === at ? index + 1 : index);
    }
  }

  /** The next step is the one at `now`, with the newest candles unless too many are still missed. */
  enterLive(now: number): void {
    for (let clock = 0; clock < this.candles.length; clock++) {
      this.#stepTo(clock, this.behind > 0 ? (this.index[clock] as number) : this.#newestOf(clock, now));
    }
  }

  /** The newest candle of a clock, but none of an instant for which the candle of a peer is still expected. */
  #newestOf(clock: Clock, now: number): number {
    const closed = this.candles[clock] as ClosedCandles;
    let newest = closed.count - 1;
    for (const peer of (this.#clocks[clock] as CandleClock).peers) {
      const due = this.#closeAfter(peer, (this.candles[peer] as ClosedCandles).count - 1);
      if (due === null || now - due >= PEERS_WAIT_MS) continue;
      newest = Math.min(newest, closed.placeAt(due - 1));
    }
    return newest;
  }

  #stepTo(clock: Clock, index: number): void {
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

  /** Whether this step is at another candle than the step before it, of whichever evaluation. */
  isMoved(clock: Clock): boolean {
    return this.#seen[clock]?.isMoved !== false;
  }

  /** Takes every clock for moved in the next step. */
  forgetSeen(): void {
    for (const seen of this.#seen) seen.series = null;
  }

  /** When the candle after the one stepped last closes; `null` where none was stepped. */
  dueAfter(clock: Clock): number | null {
    return this.#closeAfter(clock, this.index[clock] as number);
  }

  #closeAfter(clock: Clock, index: number): number | null {
    if (index < 0) return null;
    const { interval } = this.#clocks[clock] as CandleClock;
    return nextClose(interval, (this.candles[clock] as ClosedCandles).closedAt(index) - 1);
  }

  /** Whether a series that is read together with this one has stepped past the close of its next candle. */
  isLeftBehind(clock: Clock): boolean {
    const { peers } = this.#clocks[clock] as CandleClock;
    if (peers.length === 0) return false;
    const due = this.dueAfter(clock);
    return due !== null && peers.some((peer) => (this.cursor[peer] as number) >= due);
  }

  /** What a deployment remembers of them. */
  toMemory(): Memory['candles'] {
    const candles: Record<string, number> = {};
    this.#clocks.forEach(({ key }, clock) => {
      const cursor = this.cursor[clock] as number;
      if (cursor > 0) candles[key] = cursor;
    });
    return candles;
  }
}

/** Usually the place is the one of the evaluation before. */
function placeOf(closed: ClosedCandles, cursor: number, before: number): number {
  const isThere = before >= 0 && before < closed.count && closed.closedAt(before) === cursor;
  return isThere ? before : closed.placeAt(cursor);
}
