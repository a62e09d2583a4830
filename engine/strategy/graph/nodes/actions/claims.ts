/** Nodes that trade one instrument in one step know of each other here: the world tells it only at the next. */
import { type Decimal, exact, ZERO } from '../../../../platform/decimal.ts';
import type { Run } from '../../run/run.ts';
import { upstream } from '../../run/upstream.ts';
import type { Unknown } from '../../types.ts';

/** What is held of an instrument, free to sell, and not asked for earlier in this step. */
export function freeOf(run: Run, tokenId: string): Decimal {
  const free = exact(run.world.positions.get(tokenId)?.free ?? 0);
  return free.minus(run.sold.get(tokenId) ?? ZERO);
}

export function claim(run: Run, tokenId: string, amount: string): void {
  run.sold.set(tokenId, exact(amount).plus(run.sold.get(tokenId) ?? ZERO));
}

/** Units of an instrument that this blueprint holds, and those it would hold once all its buys are filled. */
export function heldAndBuying(run: Run, tokenId: string): { held: number; buying: number } {
  const { positions, buying } = run.world;
  return {
    held: Number(positions.get(tokenId)?.amount ?? 0),
    buying: Number(buying.get(tokenId) ?? 0) + (run.bought.get(tokenId) ?? 0),
  };
}

export function claimBuy(run: Run, tokenId: string, amount: string): void {
  run.bought.set(tokenId, (run.bought.get(tokenId) ?? 0) + Number(amount));
}

/**
 * What the buys raised before it in this evaluation make a limit before this action say; `null` if nothing. Such an
 * action waits, and the next evaluation knows of those buys by itself.
 */
export function limitReached(run: Run, slot: number): Unknown | null {
  if (run.bought.size === 0) return null;
  for (const behind of upstream(run.plan, slot)) {
    const reached = run.plan.limits[behind]?.(run) ?? null;
    if (reached !== null) return reached;
  }
  return null;
}
