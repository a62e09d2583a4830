import createFetchClient from 'openapi-fetch';
import type { paths } from './generated/rest.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import type { RestAnswer, RestClient } from './operation.ts';
import { replyOf, rowsOf } from './reply.ts';
import { type Fetch, retrying } from './retry.ts';
import { withTimeout } from './timeout.ts';

export type { ErrorBody, paths } from './generated/rest.ts';
export type { RestAnswer, RestCall, RestClient, RestMiddleware } from './operation.ts';
export { isRefusedWith, type Problem, problemOf } from './refusal.ts';
export { type Reply, replyOf } from './reply.ts';

export type RestOptions = {
  url: string;
  key: string;
  retriesMax?: number;
  timeoutMs?: number;
  fetch?: Fetch;
};

/** The service over REST: `rest.GET('/api/orders', …)`. Changes carry an `Idempotency-Key` and are retried under it. */
export function createRestClient({
  url,
  key,
  retriesMax,
  timeoutMs,
  fetch = globalThis.fetch,
}: RestOptions): RestClient {
  const client = createFetchClient<paths>({
    baseUrl: url,
    fetch: retrying(withTimeout(fetch, timeoutMs), retriesMax),
  });
  client.use({
    onRequest: ({ request }) => {
      request.headers.set('authorization', `Bearer ${key}`);
      const isRead = request.method === 'GET';
      if (!isRead && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', newIdempotencyKey());
      return request;
    },
  });
  // The compiler cannot relate the two types; tests compile and run every sample of the reference.
  const rest = Object.assign(client, { ALL: (path: string, input: Listed = {}) => allOf(rest, path, input) });
  return rest as unknown as RestClient;
}

type Listed = { params?: { query?: object } };
type Read = (path: string, input: object) => Promise<RestAnswer<readonly unknown[]>>;

const allOf = (rest: object, path: string, { params, ...input }: Listed): AsyncGenerator<unknown, void> =>
  rowsOf(async (cursor) => {
    const query = { ...params?.query, ...(cursor && { cursor }) };
    const { data, error, response } = await (rest as { GET: Read }).GET(path, {
      ...input,
      params: { ...params, query },
    });
    if (data === undefined) throw Object.assign(new Error(error.message), error);
    return { data, reply: replyOf(response) };
  });
