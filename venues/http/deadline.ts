/** The time limit of a call: it covers queue, retries and waits alike. */

/** No answer of the market-data port takes longer; the rest of 3 s is for the service around it. */
export const ANSWER_DEADLINE_MS = 2_800;

/** Disposed of when the call ends, so that its timer does not outlive the call. */
export type Deadline = Disposable & {
  readonly signal: AbortSignal;
  remainingMs(): number;
};

/** A deadline `timeoutMs` from now. */
export function deadlineIn(timeoutMs: number): Deadline {
  const endsAtMs = performance.now() + timeoutMs;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  timer.unref();
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, endsAtMs - performance.now()),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
