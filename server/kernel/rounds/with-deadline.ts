import type { RunnerLog } from './options.ts';

/** A slower task is logged, and logged again each time that long again. */
const SLOW_MS = 30_000;
/** The timeout of every round. Each wait within a round has a far lower limit; this one is for the unforeseen. */
const DEADLINE_MS = 60_000;

export type DeadlineOptions = { slowMs?: number; deadlineMs?: number };

/**
 * Runs `task` until a deadline; then aborts its signal, so that it may end early, and stops waiting. Log lines have a `code`
 * for alerts: `round_slow` with its age, `round_abandoned`.
 *
 * @throws Error at the deadline
 */
export async function withDeadline<Result>(
  log: Pick<RunnerLog, 'warn'>,
  subject: string,
  task: (signal: AbortSignal) => Promise<Result>,
  { slowMs = SLOW_MS, deadlineMs = DEADLINE_MS }: DeadlineOptions = {},
): Promise<Result> {
  const startedMs = performance.now();
  const fields = (code: string) => ({ code, subject, ageMs: Math.round(performance.now() - startedMs) });
  const late = new AbortController();
  const deadline = Promise.withResolvers<never>();
  const slow = setInterval(() => log.warn(fields('round_slow'), `${subject}: still running`), slowMs);
  const timer = setTimeout(() => {
    const error = new Error(`It has not ended within ${deadlineMs / 1_000} s.`);
    log.warn(fields('round_abandoned'), `${subject}: abandoned at its deadline`);
    late.abort(error);
    deadline.reject(error);
  }, deadlineMs);
  try {
    return await Promise.race([task(late.signal), deadline.promise]);
  } finally {
    clearInterval(slow);
    clearTimeout(timer);
  }
}
