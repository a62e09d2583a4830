import { dayOf } from './daily-returns.ts';
import { missingRatio, type Ratio, ratio } from './ratio.ts';

/** How much was in the market over a span of time. */
export class ExposureTracker {
  #heldCount = 0;
  #heldSinceMs = 0;
  #heldMs = 0;
  readonly #days = new Set<number>();
  #lastMs: number | null = null;
  #lastShare = 0;
  #weighted = 0;

  /** Records that a holding began; several may be held at once. */
  began(atMs: number): void {
    if (this.#heldCount === 0) this.#heldSinceMs = atMs;
    this.#heldCount++;
  }

  /** Records that a holding ended. */
  ended(atMs: number): void {
    this.#heldCount--;
    if (this.#heldCount > 0) return;
    this.#heldMs += atMs - this.#heldSinceMs;
    addDays(this.#days, this.#heldSinceMs, atMs);
  }

  /** Records the value of the holdings in USD at their marks, and the equity, from this instant on. */
  valued(atMs: number, held: number, equity: number): void {
    this.#weigh(atMs);
    this.#lastMs = atMs;
    this.#lastShare = equity > 0 ? held / equity : 0;
  }

  /** The UTC days up to an instant on which anything was held. */
  days(toMs: number): ReadonlySet<number> {
    const days = new Set(this.#days);
    if (this.#heldCount > 0) addDays(days, this.#heldSinceMs, toMs);
    return days;
  }

  /** The share of `[fromMs, toMs]` in which anything was held, several holdings at once counted once. */
  ofTime(fromMs: number, toMs: number): Ratio {
    if (toMs <= fromMs) return missingRatio('too_few');
    const running = this.#heldCount > 0 ? toMs - this.#heldSinceMs : 0;
    return ratio((this.#heldMs + running) / (toMs - fromMs), 'too_few');
  }

  /** The mean share of equity that was held, weighted by time. */
  ofEquity(fromMs: number, toMs: number): Ratio {
    if (toMs <= fromMs) return missingRatio('too_few');
    const rest = this.#lastMs === null ? 0 : this.#lastShare * (toMs - this.#lastMs);
    return ratio((this.#weighted + rest) / (toMs - fromMs), 'too_few');
  }

  #weigh(untilMs: number): void {
    if (this.#lastMs !== null) this.#weighted += this.#lastShare * (untilMs - this.#lastMs);
  }
}

function addDays(days: Set<number>, fromMs: number, toMs: number): void {
  for (let day = dayOf(fromMs); day <= dayOf(toMs); day++) days.add(day);
}
