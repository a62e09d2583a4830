import {
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  replaceEqualDeep,
} from '@tanstack/react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { CallContext } from '../../../client/src/procedure.ts';
import { type AppRouter, createTrpcClient } from '../../../client/src/trpc.ts';
import { browserMoment, learnServiceTime } from './clock.ts';
import { MODE_PREFIX } from './page-mode.ts';
import { readProblem } from './problem.ts';

export { newIdempotencyKey } from '../../../client/src/idempotency-key.ts';

export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/** Longer than any response of the service takes. */
const TIMEOUT_MS = 120_000;

/** For a query whose response may take a while. */
export const SLOW_QUERY = { trpc: { context: { isHeavy: true } satisfies CallContext } };

const timedFetch: typeof fetch = async (...request) => {
  const sent = browserMoment();
  const answer = await fetch(...request);
  learnServiceTime(answer.headers.get('date'), sent);
  return answer;
};

/**
 * The client of this page's mode: a live page calls live procedures, and no other page does. Queries are retried below,
 * mutations never.
 */
export const client = createTrpcClient({
  url: MODE_PREFIX,
  retriesMax: 0,
  timeoutMs: TIMEOUT_MS,
  fetch: timedFetch,
});

let signedOut = () => {};
/** Sets the handler for a session that the server no longer knows. */
export function onSignedOut(handler: () => void): void {
  signedOut = handler;
}

/** Receives the error of every failed call. */
export function handleCallError(error: unknown): void {
  if (readProblem(error).status === 401) signedOut();
}

const RETRIES_MAX = 2;
const STALE_MS = 10_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleCallError }),
  mutationCache: new MutationCache({ onError: handleCallError }),
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < RETRIES_MAX && isPassing(error),
    },
    // A pressed action happens now or fails: it never waits for the network to return.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Reads the shown data again, without a promise to wait for. A mutation whose `onSettled` returns a promise reports its end
 * only after that promise. A read that is retried, or paused while the network is away, would then hide a failed decision.
 */
export function invalidate(filters?: InvalidateQueryFilters): void {
  void queryClient.invalidateQueries(filters);
}

/** Whether a retry may help: only for errors that may be gone in a moment. */
function isPassing(error: unknown): boolean {
  const { status } = readProblem(error);
  return status === null || status === 503;
}

export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });

/** A read that is older by more than this is no late one: the clock of the database went back. */
const LATE_MS_MAX = 120_000;

// Reads and events bring the account's snapshot, in any order. The newest stays.
queryClient.setQueryDefaults(trpc.console.account.queryKey({}), {
  structuralSharing: (visible, read) => (isLate(read, visible) ? visible : replaceEqualDeep(visible, read)),
});

type Snapshot = Pick<Outputs['console']['account'], 'asOf'>;

function isLate(read: unknown, visible: unknown): boolean {
  if (visible === undefined) return false;
  const lateMs = Date.parse((visible as Snapshot).asOf) - Date.parse((read as Snapshot).asOf);
  return lateMs > 0 && lateMs <= LATE_MS_MAX;
}
