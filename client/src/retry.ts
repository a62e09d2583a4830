/** How often a request is sent again at most, by default. */
export const RETRIES_MAX = 3;
const FIRST_WAIT_MS = 300;
const WAIT_MS_MAX = 30_000;
/** Too many requests, away for a moment, or the same request still under way. */
const PASSING = new Set([409, 429, 503]);

/** Whether a refusal of this status passes by itself; so does no answer at all. */
export const isPassing = (status: number | null): boolean => status === null || PASSING.has(status);

export type Fetch = typeof globalThis.fetch;

/**
 * `fetch` that sends again what may be sent again: reads, and changes with an `Idempotency-Key`, where no answer came or the
 * answer says that it passes. Waits as long as `Retry-After` says.
 */
export function retrying(fetch: Fetch, retriesMax = RETRIES_MAX): Fetch {
  if (retriesMax === 0) return fetch;
  return async (input, init) => {
    const request = new Request(input, init);
    if (!isRepeatable(request)) return fetch(request);
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retriesMax;
      const answer = await answerOf(() => fetch(request.clone()), isLast || request.signal.aborted);
      if (answer !== null && (isLast || !isPassing(answer.status))) return answer;
      await sleep(waitMs(retryAfterSecOf(answer), attempt), request.signal);
    }
  };
}

const isRepeatable = ({ method, headers }: Request): boolean =>
  method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');

/** Null where there was none, and one may still come. */
async function answerOf(send: () => Promise<Response>, isLast: boolean): Promise<Response | null> {
  try {
    return await send();
  } catch (error) {
    if (isLast || (error instanceof Error && error.name === 'AbortError')) throw error;
    return null;
  }
}

/** `Retry-After` in seconds, or null where the answer does not say it. */
export function retryAfterSecOf(answer: Response | null): number | null {
  const seconds = Number(answer?.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Waits as long as the answer asks for; else twice as long each time, and not all callers at the same moment. */
export function waitMs(retryAfterSec: number | null, attempt: number): number {
  const asked = (retryAfterSec ?? 0) * 1_000;
  const own = FIRST_WAIT_MS * 2 ** attempt * (1 + Math.random());
  return Math.min(asked > 0 ? asked : own, WAIT_MS_MAX);
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
