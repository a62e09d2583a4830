import type { Fetch } from './retry.ts';

/** The default time until the head of an answer must have arrived. */
export const TIMEOUT_MS = 15_000;

/** The service did not answer in time. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';

  constructor(url: string, timeoutMs: number) {
    const { origin, pathname } = new URL(url);
    super(
      `No answer from ${origin}${pathname} within ${timeoutMs} ms. Raise timeoutMs, or check the address.`,
    );
  }
}

/** `fetch` with a timeout for the head of an answer; its body may take longer. */
export function withTimeout(fetch: Fetch, timeoutMs = TIMEOUT_MS): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const clock = new AbortController();
    const timer = setTimeout(() => clock.abort(new TimedOut(request.url, timeoutMs)), timeoutMs);
    try {
      return await fetch(request, { signal: AbortSignal.any([clock.signal, request.signal]) });
    } catch (error) {
      throw clock.signal.aborted && !request.signal.aborted ? clock.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  };
}
