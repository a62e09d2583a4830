import { Decimal, type Exact, ZERO } from '../../../platform/decimal.ts';

/** A position a sell may draw on. `free` is what no other live sell has reserved of it. */
export type FreeHolding = { positionId: string; blueprintId: string; held: Exact; free: Exact };
export type Allocation = { positionId: string; amount: Exact };

/** What all of them have free. */
export const totalFree = (holdings: readonly FreeHolding[]): Exact =>
  holdings.reduce((sum, { free }) => sum.plus(Decimal.max(free, ZERO)), ZERO);

/** What all of them hold. */
export const totalHeld = (holdings: readonly FreeHolding[]): Exact =>
  holdings.reduce((sum, { held }) => sum.plus(held), ZERO);

/** Draws `amount` from the holdings in their order, or null if they have not that much free. */
export function allocate(holdings: readonly FreeHolding[], amount: Exact): Allocation[] | null {
  const drawn: Allocation[] = [];
  let missing = amount;
  for (const { positionId, free } of holdings) {
    const part = Decimal.min(missing, free);
    if (part.lte(0)) continue;
    drawn.push({ positionId, amount: part });
    missing = missing.minus(part);
  }
  return missing.isZero() ? drawn : null;
}
