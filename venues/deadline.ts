/** The one time limit of a call: it covers queue, retries and waits alike. */

/** No answer of the market-data port takes longer; what is left of 3 s is for the service around it. */
export const ANSWER_DEADLINE_MS = 2_800;

export interface Deadline {
  readonly signal: AbortSignal;
  remainingMs(): number;
}

/** A deadline `timeoutMs` from now. */
export function deadlineIn(timeoutMs: number): Deadline {
  const endsAtMs = performance.now() + timeoutMs;
  return {
    signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
    remainingMs: () => Math.max(0, endsAtMs - performance.now()),
  };
}
