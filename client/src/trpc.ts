import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  retryLink,
  splitLink,
  type TRPCClientError,
} from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from './generated/router.ts';
import { type Fetch, isPassing, RETRIES_MAX, retrying, waitMs } from './retry.ts';

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

export type ClientOptions = {
  /** Where the service is, such as `http://localhost:3000`; of a page of its own, nothing. */
  url?: string;
  /** An API key. Without one the browser's session counts. */
  key?: string;
  /** How often a request is sent again at most; 3 by default, 0 for never: then a change has an `Idempotency-Key` of yours alone. */
  retriesMax?: number;
  fetch?: Fetch;
};

/** What one call may carry besides its input: `client.orders.approve.mutate(input, { context })`. */
export type CallContext = {
  /** Makes a change safe to repeat: one effect, one answer, for 24 hours. Each call has one of its own by default. */
  idempotencyKey?: string;
  /** The `ETag` that was reviewed. */
  ifMatch?: string;
  /** Sends a query by itself, so that no other waits for it. */
  isHeavy?: boolean;
};

/** The most procedures the service takes in one request. */
const BATCH_MAX = 20;
const URL_LENGTH_MAX = 6_000;

/**
 * The procedures of the service. Queries share requests; what changes something goes alone, under an `Idempotency-Key`, and
 * is sent again under it. Subscriptions are for sessions of a browser; with a key, see `follow`.
 */
export function createClient({
  url = '',
  key,
  retriesMax = RETRIES_MAX,
  fetch = (input, init) => globalThis.fetch(input, init),
}: ClientOptions = {}) {
  // The library's own words for what `fetch` takes are wider than those of the platform.
  const by = (send: Fetch) => (input: string | URL | Request, init?: object) => send(input, { ...init });
  const at = `${url}/trpc`;
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({ url: at }),
        false: splitLink({
          condition: ({ type, context }) => type === 'query' && (context as CallContext).isHeavy !== true,
          true: [
            retryingEach(retriesMax),
            httpBatchLink({
              url: at,
              fetch: by(fetch),
              headers: authorization,
              maxItems: BATCH_MAX,
              maxURLLength: URL_LENGTH_MAX,
            }),
          ],
          false: httpLink({
            url: at,
            fetch: by(retrying(fetch, retriesMax)),
            headers: ({ op: { type, context } }) => ({
              ...authorization,
              ...headersOf(context as CallContext, type === 'mutation' && retriesMax > 0),
            }),
          }),
        }),
      }),
    ],
  });
}

export type Client = ReturnType<typeof createClient>;

/** Asks each query again by itself: of those that shared a request, some may be refused and others not. */
function retryingEach(retriesMax: number) {
  let afterMs = 0;
  return retryLink<AppRouter>({
    retry: ({ error, attempts }) => {
      const answer = answerOf(error);
      if (attempts > retriesMax || !isPassing(error.data?.httpStatus ?? answer?.status ?? null)) return false;
      afterMs = waitMs(answer, attempts - 1);
      return true;
    },
    retryDelayMs: () => afterMs,
  });
}

/** The answer an error came with, or null where none came. */
function answerOf({ meta }: TRPCClientError<AppRouter>): Response | null {
  const response = meta?.['response'];
  return response instanceof Response ? response : null;
}

function headersOf({ idempotencyKey, ifMatch }: CallContext, isRepeated: boolean): Record<string, string> {
  const repeated = idempotencyKey ?? (isRepeated ? newIdempotencyKey() : undefined);
  return { ...(repeated && { 'Idempotency-Key': repeated }), ...(ifMatch && { 'If-Match': ifMatch }) };
}

/** A key that makes one decision one effect, however often it is sent. Pages without TLS have no `randomUUID`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
