import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from './database-errors.ts';

const WITHIN_MS = 60_000;
const PAUSE_MS = 250;

export type RetryOptions = {
  /** Reports the first failure that is retried. */
  readonly warn: (message: string) => void;
  /** Ends the pause between two attempts, and with it all retries. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a retry may succeed; by default, for a busy or unavailable database. */
  readonly isRetryable?: (error: unknown) => boolean;
  /** Retries end this long after the first attempt, default one minute. */
  readonly withinMs?: number;
  readonly pauseMs?: number;
};

/**
 * Retries `task` while the database is busy or unavailable, for a minute. For the single request of a start: the bounds of
 * a request are too short for a machine that starts. `task` may run several times.
 *
 * @throws the last failure
 */
export async function whenAvailable<Result>(
  task: () => Promise<Result>,
  { warn, signal, isRetryable = isTransient, withinMs = WITHIN_MS, pauseMs = PAUSE_MS }: RetryOptions,
): Promise<Result> {
  const deadlineMs = performance.now() + withinMs;
  let hasWarned = false;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!isRetryable(error) || performance.now() >= deadlineMs) throw error;
      if (!hasWarned)
        warn(`the database is not available yet (${String(error)}): retrying for up to a minute`);
      hasWarned = true;
    }
    await sleep(pauseMs, undefined, signal && { signal });
  }
}
