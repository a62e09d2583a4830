/**
 * Decides what the legs of a basket do together: all are bought, or what was bought is sold back. Each leg is a node with one
 * order and its own memory. Every decision reads what all legs show at the beginning of a step, so that they agree.
 */
import { type Exact, exact, ZERO } from '../../../../platform/decimal.ts';
import { shortfallOf, toStep } from '../../../../platform/instruments/lot.ts';
import type { LegPhase, LegTerms, LegView, Run } from '../../run/run.ts';
import type { InstrumentFacts } from '../../types.ts';

/**
 * `on`: its instrument. `want`: units to buy of it; `floor`: lowest price of its undo; `base`: units held before. `before`: the
 * order that had ended last when it began at `begun`. `undo`: when there was something to sell back first; `sells`: orders raised
 * to do so. `reported`: its output was true.
 */
export type LegMemory = {
  last?: boolean;
  on?: string;
  phase?: LegPhase;
  want?: string;
  floor?: string;
  base?: string;
  before?: string;
  begun?: number;
  undo?: number;
  sells?: number;
  reported?: boolean;
  n?: number;
  at?: number;
};

/** Whether any leg has an order to buy that may still fill. */
export const isBuying = (legs: readonly LegView[]): boolean => legs.some((leg) => leg.isBuying);

/** Whether every leg is filled, and none has sold anything back. */
export const isComplete = (legs: readonly LegView[]): boolean => legs.every((leg) => leg.isFull);

/** Whether a leg cannot fill in time, or does not buy: it is undone already, or a redeploy has replaced it. */
export const mustUndo = (legs: readonly LegView[]): boolean =>
  legs.some(({ phase, isShort }) => isShort || phase !== 'buying');

/** Returns the terms of all legs by slot if they begin now. The first leg to act decides, before any of them claims units. */
export function termsOf(run: Run, name: string): ReadonlyMap<number, LegTerms> | null {
  const basket = run.basketOf(name);
  if (basket.terms !== undefined) return basket.terms;
  const all = new Map<number, LegTerms>();
  for (const leg of basket.legs) {
    const terms = leg.terms(run);
    if (terms !== null) all.set(leg.slot, terms);
  }
  basket.terms = all.size === basket.legs.length ? all : null;
  return basket.terms;
}

/** Returns the largest loss of an undo that can sell everything. Fees are left out. */
export const undoLossOf = (terms: ReadonlyMap<number, LegTerms>): Exact =>
  [...terms.values()].reduce(
    (sum, { units, limit, floor }) => sum.plus(exact(limit).minus(floor).times(units)),
    ZERO,
  );

/** Whether its venue takes back none of these units at this price, of all that is held. */
export function isUnsellable(units: Exact, held: Exact, price: string, facts: InstrumentFacts): boolean {
  const amount = units.gte(held) ? held : toStep(units, facts);
  return shortfallOf(amount, exact(price), facts) !== null;
}
