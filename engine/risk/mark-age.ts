import { isFresh } from '../platform/clock/quote-age.ts';

/** The oldest mark a buy is judged on. */
export const MARK_MAX_AGE_SEC = 30;

/** A mark no buy is judged on. Its age is null where nobody ever bid. */
export type StaleMark = { tokenId: string; ageSec: number | null };

/** A mark as the basis or a receipt has it. */
type Dated = { tokenId: string; markAt: Date | null };

/**
 * The mark no buy is judged on at `now`: one that is missing, or the oldest of those that are too old or of the future.
 * Null where all of them are good.
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
