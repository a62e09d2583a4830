/**
 * Decides what the legs of a basket do together: all are filled, or what was filled is undone. Each leg is a node with one
 * order and its own memory. Every decision reads what all legs show at the beginning of a step, so that they agree.
 */
import { type Exact, exact, ZERO } from '../../../../platform/decimal.ts';
import type { LegPhase, LegTerms, LegView, Run } from '../../run/run.ts';

/**
 * `on`: its side and instrument. `want`: units to trade of it; `worst`: price of its undo at worst; `base`: units held before;
 * `got`: units that its order has sold. `before`: the order that had ended last when it began at `begun`. `undo`: when there was
 * something to undo first; `undos`: orders raised to do so. `reported`: its output was true.
 */
export type LegMemory = {
  last?: boolean;
  on?: string;
  phase?: LegPhase;
  want?: string;
  worst?: string;
  base?: string;
  got?: string;
  before?: string;
  begun?: number;
  undo?: number;
  undos?: number;
  reported?: boolean;
  n?: number;
  at?: number;
};

/** Whether any leg has an order of its basket that may still fill. */
export const isFilling = (legs: readonly LegView[]): boolean => legs.some((leg) => leg.isFilling);

/** Whether every leg is filled, and none has undone anything. */
export const isComplete = (legs: readonly LegView[]): boolean => legs.every((leg) => leg.isFull);

/** Whether a leg cannot fill in time, or does not fill: it is undone already, or a redeploy has replaced it. */
export const mustUndo = (legs: readonly LegView[]): boolean =>
  legs.some(({ phase, isShort }) => isShort || phase !== 'filling');

/** Whether a leg of another basket trades this instrument now, or begins to in this step. */
export const isTaken = (run: Run, basket: string, tokenId: string): boolean =>
  run
    .otherBaskets(basket)
    .some(({ legs, terms }) =>
      legs.some((leg) => leg.tokenId === tokenId && (leg.isBusy || (terms ?? null) !== null)),
    );

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

/** Returns the largest loss of an undo that can trade everything. Fees are left out. */
export const undoLossOf = (terms: ReadonlyMap<number, LegTerms>): Exact =>
  [...terms.values()].reduce(
    (sum, { units, limit, worst }) => sum.plus(exact(limit).minus(worst).abs().times(units)),
    ZERO,
  );
