/** Amounts claimed by earlier nodes in this step for the same instrument. The world shows them only at the next step. */
import { type Exact, exact, ZERO } from '../../../../platform/decimal.ts';
import type { Run } from '../../run/run.ts';
import { upstreamSlots } from '../../run/upstream-slots.ts';
import type { Unknown } from '../../types.ts';

/** Returns the free units of an instrument that no earlier node in this step sells. */
export function unclaimedUnits(run: Run, tokenId: string): Exact {
  const free = exact(run.world.positions.get(tokenId)?.free ?? 0);
  return free.minus(run.sold.get(tokenId) ?? ZERO);
}

export function claimSale(run: Run, tokenId: string, amount: string): void {
  run.sold.set(tokenId, exact(amount).plus(run.sold.get(tokenId) ?? ZERO));
}

/** Returns the units of an instrument held by this blueprint, now and once all its buys are filled. */
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
 * Returns the reason why a limit upstream refuses one more buy, given those raised earlier in this evaluation; `null` if none.
 * Such an action waits: the next evaluation sees those buys.
 */
export function limitReached(run: Run, slot: number): Unknown | null {
  if (run.bought.size === 0) return null;
  for (const behind of upstreamSlots(run.plan, slot)) {
    const reached = run.plan.limits[behind]?.(run) ?? null;
    if (reached !== null) return reached;
  }
  return null;
}
