import { isFresh } from '../platform/clock/freshness.ts';

/** Maximum age of a mark for a buy, seconds. */
export const MARK_MAX_AGE_SEC = 30;

/** A mark too old to allow buys. Its age is null if there was never a bid. */
export type StaleMark = { tokenId: string; ageSec: number | null };

/** A mark with its time, from current values or from a receipt. */
type Dated = { tokenId: string; markAt: Date | null };

/**
 * Returns the mark that denies buys at `now`: a missing one, or the oldest of those too old or in the future.
 * Returns null if all are fresh.
 */
export function staleMarkOf(marks: readonly Dated[], now: Date): StaleMark | null {
  const nowMs = now.getTime();
  let worst: { tokenId: string; ageSec: number } | null = null;
  for (const { tokenId, markAt } of marks) {
    if (markAt === null) return { tokenId, ageSec: null };
    const ageSec = (nowMs - markAt.getTime()) / 1_000;
    const isStale = !isFresh(markAt.getTime(), nowMs, MARK_MAX_AGE_SEC * 1_000);
    if (isStale && (worst === null || ageSec > worst.ageSec)) worst = { tokenId, ageSec };
  }
  return worst;
}
