import createFetchClient from 'openapi-fetch';
import type { paths } from './generated/rest.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import type { RestClient } from './operation.ts';
import { type Fetch, retrying } from './retry.ts';

export type { ErrorBody, paths } from './generated/rest.ts';
export type { RestAnswer, RestCall, RestClient, RestMiddleware } from './operation.ts';
export { isRefusedWith, type Problem, problemOf } from './refusal.ts';

export type RestOptions = { url: string; key: string; retriesMax?: number; fetch?: Fetch };

/** The service over REST: `rest.GET('/api/orders', …)`. Changes carry an `Idempotency-Key` and are sent again under it. */
export function createRestClient({
  url,
  key,
  retriesMax,
  fetch = globalThis.fetch,
}: RestOptions): RestClient {
  const client = createFetchClient<paths>({ baseUrl: url, fetch: retrying(fetch, retriesMax) });
  client.use({
    onRequest: ({ request }) => {
      request.headers.set('authorization', `Bearer ${key}`);
      const isRead = request.method === 'GET';
      if (!isRead && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', newIdempotencyKey());
      return request;
    },
  });
  // No compiler relates the two; every sample of the reference is compiled and run.
  return client as RestClient;
}
