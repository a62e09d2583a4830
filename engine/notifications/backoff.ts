const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after the first, second, … try that failed; the last holds for all further ones. */
const WAITS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
] as const;
const LAST_WAIT_MS = 6 * HOUR_MS;

/** Nothing has arrived for so long: whoever should be told is not there any more. */
export const GIVE_UP_MS = 72 * HOUR_MS;
/** A wait is lengthened by at most this part, so that receivers that came back are not asked all at once. */
export const JITTER = 0.2;
/** A receiver that asks for a longer pause gets this one. */
const ASKED_PAUSE_MAX_MS = HOUR_MS;

export type Failing = {
  /** Tries that failed before this one. */
  readonly attempts: number;
  /** When the first of them failed. */
  readonly failingSince: Date | null;
};

export type AfterFailure =
  | { readonly kind: 'retry'; readonly attempts: number; readonly failingSince: Date; readonly at: Date }
  | { readonly kind: 'disable' };

/**
 * What comes after a try that failed: another one, ever later, until three days have passed since the first. Pure.
 *
 * @param chance from 0 to below 1
 * @param pauseMs what the receiver asked for by `Retry-After`
 */
export function afterFailure(
  { attempts, failingSince }: Failing,
  { now, chance, pauseMs = 0 }: { now: Date; chance: number; pauseMs?: number },
): AfterFailure {
  const since = failingSince ?? now;
  const endMs = since.getTime() + GIVE_UP_MS;
  if (now.getTime() >= endMs) return { kind: 'disable' };
  const waitMs = (WAITS_MS[attempts] ?? LAST_WAIT_MS) * (1 + JITTER * chance);
  const pausedMs = Math.max(waitMs, Math.min(pauseMs, ASKED_PAUSE_MAX_MS));
  // The last try is at the end of the three days, not hours later.
  const at = new Date(Math.min(now.getTime() + Math.ceil(pausedMs), endMs));
  return { kind: 'retry', attempts: attempts + 1, failingSince: since, at };
}
