const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Backoff after the first, second, … failed attempt; the last one applies to all further attempts. */
const BACKOFF_MS = [
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
const LAST_BACKOFF_MS = 6 * HOUR_MS;

/** After this long without a successful delivery the receiver counts as gone. */
export const GIVE_UP_MS = 72 * HOUR_MS;
/** Largest share by which a pause is lengthened at random: receivers that recover are not called all at once. */
export const JITTER = 0.2;
/** Limit of the pause that a receiver may ask for. */
const REQUESTED_PAUSE_MAX_MS = HOUR_MS;

/** Limit of attempts of one message, over about three days, at a receiver that accepts others meanwhile. */
export const ATTEMPTS_MAX = 20;
/** Consecutive failed messages after which a receiver is paused. */
export const FAILED_IN_A_ROW = 3;

/** Failures of a channel since its last successful delivery. */
export type FailureState = {
  /** Messages whose first attempt failed; once the receiver is paused, further attempts too. */
  readonly attempts: number;
  /** Time of the first failure. */
  readonly failingSince: Date | null;
};
export const NO_FAILURES: FailureState = { attempts: 0, failingSince: null };

/**
 * Returns the time of the next attempt after a number of failures: ever later, but within the three days after which the
 * receiver counts as gone. Pure.
 *
 * @param chance from 0 to below 1
 * @param pauseMs the pause that the receiver asked for by `Retry-After`
 */
export function nextAttemptAt(
  { attempts, failingSince }: FailureState,
  { now, chance, pauseMs = 0 }: { now: Date; chance: number; pauseMs?: number },
): Date {
  const waitMs = (BACKOFF_MS[attempts] ?? LAST_BACKOFF_MS) * (1 + JITTER * chance);
  const pausedMs = Math.max(waitMs, Math.min(pauseMs, REQUESTED_PAUSE_MAX_MS));
  const endMs = (failingSince ?? now).getTime() + GIVE_UP_MS;
  return new Date(Math.min(now.getTime() + Math.ceil(pausedMs), endMs));
}

/** Counts one more failed message. A receiver that asks for a pause gets it at once. Pure. */
export function countFailure(
  { attempts, failingSince }: FailureState,
  { isFirstTry, now, pauseMs = 0 }: { isFirstTry: boolean; now: Date; pauseMs?: number },
): FailureState {
  const counts = isFirstTry || attempts >= FAILED_IN_A_ROW;
  const more = attempts + (counts ? 1 : 0);
  return {
    attempts: pauseMs > 0 ? Math.max(more, FAILED_IN_A_ROW) : more,
    failingSince: failingSince ?? now,
  };
}

/** Counts the pauses of a failing channel instead of its messages. Null if it is not paused. Pure. */
export const pauseState = ({ attempts, failingSince }: FailureState): FailureState | null =>
  attempts < FAILED_IN_A_ROW ? null : { attempts: attempts - FAILED_IN_A_ROW, failingSince };

/** Whether there was no successful delivery for three days. Pure. */
export const isGivenUp = ({ failingSince }: FailureState, now: Date): boolean =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= GIVE_UP_MS;
