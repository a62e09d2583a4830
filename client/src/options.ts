import type { Fetch } from './retry.ts';

export type ClientOptions = {
  /** The address of the service, such as `http://localhost:3000`; omit it on the service's own pages. */
  url?: string;
  /** An API key. Without one, the session of the browser applies. */
  key?: string;
  /** The most retries of a request; 3 by default. With 0 a change carries an `Idempotency-Key` only if you set one. */
  retriesMax?: number;
  /** The timeout of each request, in ms; 15,000 by default. */
  timeoutMs?: number;
  fetch?: Fetch;
};
