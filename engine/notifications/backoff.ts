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

/** Tries of one message, over some three days, at a receiver that takes others meanwhile. */
export const TRIES_MAX = 20;
/** Messages that failed one after the other, after which a receiver is left alone for a while. */
export const FAILED_IN_A_ROW = 3;

/** How a channel does: what failed since a message last arrived. */
export type Failing = {
  /** Messages whose first try failed; once the receiver is left alone, further tries too. */
  readonly attempts: number;
  /** When the first of them failed. */
  readonly failingSince: Date | null;
};
export const NOT_FAILING: Failing = { attempts: 0, failingSince: null };

/**
 * When the next try is after a number that failed: ever later, and not after the three days in which nothing arrived. Pure.
 *
 * @param chance from 0 to below 1
 * @param pauseMs the pause that the receiver asked for by `Retry-After`
 */
export function nextTry(
  { attempts, failingSince }: Failing,
  { now, chance, pauseMs = 0 }: { now: Date; chance: number; pauseMs?: number },
): Date {
  const waitMs = (WAITS_MS[attempts] ?? LAST_WAIT_MS) * (1 + JITTER * chance);
  const pausedMs = Math.max(waitMs, Math.min(pauseMs, ASKED_PAUSE_MAX_MS));
  const endMs = (failingSince ?? now).getTime() + GIVE_UP_MS;
  return new Date(Math.min(now.getTime() + Math.ceil(pausedMs), endMs));
}

/** How a channel does after one more message failed. A receiver that asks for a pause is left alone at once. Pure. */
export function failedOnceMore(
  { attempts, failingSince }: Failing,
  { isFirstTry, now, pauseMs = 0 }: { isFirstTry: boolean; now: Date; pauseMs?: number },
): Failing {
  const counts = isFirstTry || attempts >= FAILED_IN_A_ROW;
  const more = attempts + (counts ? 1 : 0);
  return {
    attempts: pauseMs > 0 ? Math.max(more, FAILED_IN_A_ROW) : more,
    failingSince: failingSince ?? now,
  };
}

/** A channel's failing as that of its pauses: how often it was left alone. Null where it is not. Pure. */
export const pausing = ({ attempts, failingSince }: Failing): Failing | null =>
  attempts < FAILED_IN_A_ROW ? null : { attempts: attempts - FAILED_IN_A_ROW, failingSince };

/** Whether nothing has arrived for three days. Pure. */
export const isGivenUp = ({ failingSince }: Failing, now: Date): boolean =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= GIVE_UP_MS;
