import { type InvalidateQueryFilters, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../../routers/index.ts';
import { ROOT } from './here.ts';
import { readProblem } from './problem.ts';

export type Outputs = inferRouterOutputs<AppRouter>;
export type Inputs = inferRouterInputs<AppRouter>;

/** The most procedures the server takes in one request. */
const BATCH_MAX = 20;
const URL_LENGTH_MAX = 6_000;

/** What one call may carry besides its input. */
type CallContext = {
  idempotencyKey?: string;
  ifMatch?: string;
  /** What takes longer goes in a request of its own, so that nothing waits for it. */
  isHeavy?: boolean;
};

/** For a query whose answer may take a while. */
export const HEAVY = { trpc: { context: { isHeavy: true } satisfies CallContext } };

function headersOf({ idempotencyKey, ifMatch }: CallContext): Record<string, string> {
  return {
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    ...(ifMatch && { 'If-Match': ifMatch }),
  };
}

/** Of the mode of this page: what is asked on a live page is about real money, and nothing else is. */
const TRPC = `${ROOT}/trpc`;

/** Queries share requests; what changes something goes alone, because its headers are its own. */
export const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: (op) => op.type === 'subscription',
      true: httpSubscriptionLink({ url: TRPC }),
      false: splitLink({
        condition: (op) => op.type === 'query' && (op.context as CallContext).isHeavy !== true,
        true: httpBatchLink({ url: TRPC, maxItems: BATCH_MAX, maxURLLength: URL_LENGTH_MAX }),
        false: httpLink({ url: TRPC, headers: ({ op }) => headersOf(op.context as CallContext) }),
      }),
    }),
  ],
});

let signedOut = () => {};
/** What to do when the server no longer knows the session. */
export function onSignedOut(handler: () => void): void {
  signedOut = handler;
}

/** Every failed call is told here. */
export function watch(error: unknown): void {
  if (readProblem(error).status === 401) signedOut();
}

const RETRIES_MAX = 2;
const STALE_MS = 10_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: watch }),
  mutationCache: new MutationCache({ onError: watch }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < RETRIES_MAX && isPassing(error),
    },
    // What a person presses happens now or not at all: nothing waits for the network to come back.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Reads again what is shown. Nobody waits for it: a mutation whose `onSettled` returns a promise says how it ended only
 * after that promise, and a read that is retried or paused while the network is away would hide a failed decision.
 */
export function readAgain(filters?: InvalidateQueryFilters): void {
  void queryClient.invalidateQueries(filters);
}

/** Only what may be gone in a moment is worth asking again. */
function isPassing(error: unknown): boolean {
  const { status } = readProblem(error);
  return status === null || status === 503;
}

export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });

/** A key that makes one decision of a person one effect, however often it is sent. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
