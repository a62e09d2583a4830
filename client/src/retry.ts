import { sleep } from './sleep.ts';

/** The most retries of a request, by default. */
export const RETRIES_MAX = 3;
const FIRST_WAIT_MS = 300;
const WAIT_MS_MAX = 30_000;
/** Rate limited, temporarily unavailable, or the same request still in progress. */
const TEMPORARY = new Set([409, 429, 503]);

/** Whether a refusal of this status is temporary; a missing answer is, too. */
export const isTemporary = (status: number | null): boolean => status === null || TEMPORARY.has(status);

export type Fetch = typeof globalThis.fetch;

/**
 * `fetch` with retries: of reads, and of changes with an `Idempotency-Key`, after no answer or a temporary refusal. Waits as
 * long as `Retry-After` demands.
 */
export function retrying(fetch: Fetch, retriesMax = RETRIES_MAX): Fetch {
  if (retriesMax === 0) return fetch;
  return async (input, init) => {
    const request = new Request(input, init);
    if (!isRepeatable(request)) return fetch(request);
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retriesMax;
      const answer = await answerOf(() => fetch(request.clone()), isLast || request.signal.aborted);
      if (answer !== null && (isLast || !isTemporary(answer.status))) return answer;
      await sleep(waitMs(retryAfterSecOf(answer), attempt), request.signal);
    }
  };
}

const isRepeatable = ({ method, headers }: Request): boolean =>
  method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');

/** Null if there was no answer and another attempt follows. */
async function answerOf(send: () => Promise<Response>, isLast: boolean): Promise<Response | null> {
  try {
    return await send();
  } catch (error) {
    if (isLast || (error instanceof Error && error.name === 'AbortError')) throw error;
    return null;
  }
}

/** `Retry-After` in seconds; null without that header. */
export function retryAfterSecOf(answer: Response | null): number | null {
  const seconds = Number(answer?.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Waits as long as the answer demands; otherwise twice as long each time, with jitter. */
export function waitMs(retryAfterSec: number | null, attempt: number): number {
  const requestedMs = (retryAfterSec ?? 0) * 1_000;
  const own = FIRST_WAIT_MS * 2 ** attempt * (1 + Math.random());
  return Math.min(requestedMs > 0 ? requestedMs : own, WAIT_MS_MAX);
}
