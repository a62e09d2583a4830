import type { Fetch } from './retry.ts';

export type ClientOptions = {
  /** Where the service is, such as `http://localhost:3000`; of a page of its own, nothing. */
  url?: string;
  /** An API key. Without one the browser's session counts. */
  key?: string;
  /** How often a request is sent again at most; 3 by default, 0 for never: then a change has an `Idempotency-Key` of yours alone. */
  retriesMax?: number;
  /** How long each request waits for its answer; 15,000 by default. */
  timeoutMs?: number;
  fetch?: Fetch;
};
