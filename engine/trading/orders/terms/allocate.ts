import { Exact, ZERO } from '../../../platform/decimal.ts';

/** A position that a sell may draw on. `free` is the amount that no other live sell has reserved. */
export type FreeHolding = { positionId: string; blueprintId: string; held: Exact; free: Exact };
export type Allocation = { positionId: string; amount: Exact };

/** Sums the free amounts. */
export const totalFree = (holdings: readonly FreeHolding[]): Exact =>
  holdings.reduce((sum, { free }) => sum.plus(Exact.max(free, ZERO)), ZERO);

/** Sums the held amounts. */
export const totalHeld = (holdings: readonly FreeHolding[]): Exact =>
  holdings.reduce((sum, { held }) => sum.plus(held), ZERO);

/** Draws `amount` from the holdings in sequence; null if too little is free. */
export function allocate(holdings: readonly FreeHolding[], amount: Exact): Allocation[] | null {
  const allocations: Allocation[] = [];
  let missing = amount;
  for (const { positionId, free } of holdings) {
    const part = Exact.min(missing, free);
    if (part.lte(0)) continue;
    allocations.push({ positionId, amount: part });
    missing = missing.minus(part);
  }
  return missing.isZero() ? allocations : null;
}
