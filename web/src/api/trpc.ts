import { type InvalidateQueryFilters, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { CallContext } from '../../../client/src/procedure.ts';
import { type AppRouter, createTrpcClient } from '../../../client/src/trpc.ts';
import { ROOT } from './here.ts';
import { readProblem } from './problem.ts';

export { newIdempotencyKey } from '../../../client/src/idempotency-key.ts';

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/** Longer than any answer of the service takes. */
const TIMEOUT_MS = 120_000;

/** For a query whose answer may take a while. */
export const HEAVY = { trpc: { context: { isHeavy: true } satisfies CallContext } };

/**
 * Of the mode of this page: what is asked on a live page is about real money, and nothing else is. What is asked is asked again below,
 * what is pressed never.
 */
export const client = createTrpcClient({ url: ROOT, retriesMax: 0, timeoutMs: TIMEOUT_MS });

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
