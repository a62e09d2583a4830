import type { RunnerLog } from './options.ts';

/** Work that lasts this long is said in the log, and again each time it lasts as long again. */
const SLOW_MS = 30_000;
/** Nothing is waited for longer. All that work waits for has a bound far below; this is for what nobody thought of. */
const DEADLINE_MS = 60_000;

export type InTimeOptions = { slowMs?: number; deadlineMs?: number };

/**
 * Runs `task` and waits for it until a deadline; then its signal is aborted, so that it may end early, and nobody waits
 * for it any more. Lines in the log have a `code` for alarms: `round_slow` with its age, `round_abandoned`.
 *
 * @throws Error at the deadline
 */
export async function inTime<Result>(
  log: Pick<RunnerLog, 'warn'>,
  subject: string,
  task: (signal: AbortSignal) => Promise<Result>,
  { slowMs = SLOW_MS, deadlineMs = DEADLINE_MS }: InTimeOptions = {},
): Promise<Result> {
  const startedMs = performance.now();
  const fields = (code: string) => ({ code, subject, ageMs: Math.round(performance.now() - startedMs) });
  const late = new AbortController();
  const deadline = Promise.withResolvers<never>();
  const slow = setInterval(() => log.warn(fields('round_slow'), `${subject}: still at it`), slowMs);
  const timer = setTimeout(() => {
    const error = new Error(`It has not ended within ${deadlineMs / 1_000} s.`);
    log.warn(fields('round_abandoned'), `${subject}: not waited for any more`);
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
