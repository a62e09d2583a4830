/** Where somebody has told prices of the simulated world to go. */
import type { Odds } from './odds.ts';

/** From a time on: a price, or the world's own again. */
type Step = { readonly fromMs: number; readonly price: number | null };

export class Walks {
  /** By what walks: a market's id or a symbol. Oldest first. */
  readonly #steps = new Map<string, Step[]>();

  /** From `fromMs` (world time) on the middle price is this; null: what the world says. */
  set(id: string, price: number | null, fromMs: number): void {
    const before = (this.#steps.get(id) ?? []).filter((step) => step.fromMs < fromMs);
    this.#steps.set(id, [...before, { fromMs, price }]);
  }

  /** The price it was told to have at a time; null where the world decides. */
  at(id: string, timeMs: number): number | null {
    return this.#steps.get(id)?.findLast(({ fromMs }) => fromMs <= timeMs)?.price ?? null;
  }

  /** The odds of a market, unless it walks. */
  over(id: string, own: Odds): Odds {
    return (timeMs) => this.at(id, timeMs) ?? own(timeMs);
  }
}
