import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing } from './failures.ts';

const WITHIN_MS = 60_000;
const PAUSE_MS = 250;

export type Patience = {
  /** Reports the first failure that is tried again. */
  readonly warn: (message: string) => void;
  /** Ends the pause between two tries, and with it the whole. */
  readonly signal?: AbortSignal | undefined;
  /** Whether another try may pass; a busy or unavailable database by default. */
  readonly isWorthATry?: (error: unknown) => boolean;
  /** Tries end this long after the first, default one minute. */
  readonly withinMs?: number;
  readonly pauseMs?: number;
};

/**
 * Runs `task` again while the database is busy or unavailable, for a minute. For what a start asks once: the bounds of
 * a request are too short for a machine that starts. `task` may run several times.
 *
 * @throws the last failure
 */
export async function whenAvailable<Result>(
  task: () => Promise<Result>,
  { warn, signal, isWorthATry = isPassing, withinMs = WITHIN_MS, pauseMs = PAUSE_MS }: Patience,
): Promise<Result> {
  const deadlineMs = performance.now() + withinMs;
  let hasWarned = false;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!isWorthATry(error) || performance.now() >= deadlineMs) throw error;
      if (!hasWarned) warn(`the database is not available yet (${String(error)}): trying again for a minute`);
      hasWarned = true;
    }
    await sleep(pauseMs, undefined, signal && { signal });
  }
}
