/** Prices that commands have set in the simulated world. */
import type { Odds } from './odds.ts';

/** From a time on: a price, or null for the world's own. */
type Step = { readonly fromMs: number; readonly price: number | null };

export class PriceOverrides {
  /** By a market's id or a symbol. Oldest first. */
  readonly #steps = new Map<string, Step[]>();

  /** Sets the middle price from `fromMs` (world time) on; null: the world's own. */
  set(id: string, price: number | null, fromMs: number): void {
    const before = (this.#steps.get(id) ?? []).filter((step) => step.fromMs < fromMs);
    this.#steps.set(id, [...before, { fromMs, price }]);
  }

  /** The price that was set for a time; null where the world decides. */
  at(id: string, timeMs: number): number | null {
    return this.#steps.get(id)?.findLast(({ fromMs }) => fromMs <= timeMs)?.price ?? null;
  }

  /** The odds of a market, unless its price is set. */
  over(id: string, own: Odds): Odds {
    return (timeMs) => this.at(id, timeMs) ?? own(timeMs);
  }
}
