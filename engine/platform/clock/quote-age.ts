/** Clocks that are kept in step may differ by this much; what is dated further ahead is dated by a clock that was wrong. */
export const FUTURE_MAX_MS = 2_000;

/** Whether something of `asOfMs` may be decided by at `nowMs`: neither older than `maxAgeMs` nor of the future. Pure. */
export function isFresh(asOfMs: number, nowMs: number, maxAgeMs: number): boolean {
  const ageMs = nowMs - asOfMs;
  return ageMs <= maxAgeMs && ageMs >= -FUTURE_MAX_MS;
}
