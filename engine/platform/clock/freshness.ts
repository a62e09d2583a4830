/** Synchronized clocks may differ by this much; a time further ahead comes from a wrong clock. */
export const FUTURE_MAX_MS = 2_000;

/** Whether data of `asOfMs` may be used for a decision at `nowMs`: neither older than `maxAgeMs` nor from the future. Pure. */
export function isFresh(asOfMs: number, nowMs: number, maxAgeMs: number): boolean {
  const ageMs = nowMs - asOfMs;
  return ageMs <= maxAgeMs && ageMs >= -FUTURE_MAX_MS;
}
