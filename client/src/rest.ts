import createFetchClient from 'openapi-fetch';
import type { paths } from './generated/rest.ts';
import { type Fetch, retrying } from './retry.ts';
import { newIdempotencyKey } from './trpc.ts';

export type { ErrorBody, paths } from './generated/rest.ts';
export { isRefusedWith, type Problem, problemOf } from './refusal.ts';

export type RestOptions = { url: string; key: string; retriesMax?: number; fetch?: Fetch };

/** The service over REST: `rest.GET('/api/orders', …)`. Changes carry an `Idempotency-Key` and are sent again under it. */
export function createRestClient({ url, key, retriesMax, fetch = globalThis.fetch }: RestOptions) {
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
  return client;
}

export type RestClient = ReturnType<typeof createRestClient>;
