/** Several nodes may sell one instrument in one step; together they never ask for more than is free. */
import { type Decimal, exact, ZERO } from '../decimal.ts';
import type { Run } from './run.ts';

/** What is held of an instrument, free to sell, and not asked for earlier in this step. */
export function freeOf(run: Run, tokenId: string): Decimal {
  const free = exact(run.world.positions.get(tokenId)?.free ?? 0);
  return free.minus(run.sold.get(tokenId) ?? ZERO);
}

export function claim(run: Run, tokenId: string, amount: string): void {
  run.sold.set(tokenId, exact(amount).plus(run.sold.get(tokenId) ?? ZERO));
}
