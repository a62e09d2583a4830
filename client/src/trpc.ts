import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  retryLink,
  splitLink,
  type TRPCClientError,
  type TRPCLink,
} from '@trpc/client';
import type {
  TRPCBuiltRouter,
  TRPCDefaultErrorShape,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server';
import { tap } from '@trpc/server/observable';
import type { Procedures, Refusal } from './generated/router.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import type { ClientOptions } from './options.ts';
import type { CallContext, Mutation, Query, Subscription } from './procedure.ts';
import type { Reply } from './reply.ts';
import { type Fetch, isTemporary, RETRIES_MAX, retryAfterSecOf, retrying, waitMs } from './retry.ts';
import { withTimeout } from './timeout.ts';

export type { ClientOptions } from './options.ts';
export { allOf } from './replied-by.ts';

type Trpc<Input, Output> = { input: Input; output: Output; meta: unknown };
type RouterOf<Group> = {
  [Name in keyof Group]: Group[Name] extends Query<infer Input, infer Output>
    ? TRPCQueryProcedure<Trpc<Input, Output>>
    : Group[Name] extends Mutation<infer Input, infer Output>
      ? TRPCMutationProcedure<Trpc<Input, Output>>
      : Group[Name] extends Subscription<infer Input, infer Event>
        ? TRPCSubscriptionProcedure<Trpc<Input, AsyncIterable<{ id: string; data: Event }>>>
        : RouterOf<Group[Name]>;
};
type ErrorShape = TRPCDefaultErrorShape & { data: { error: Refusal; retryAfterSec?: number } };

/** The type of the service's API for the libraries around tRPC. */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  RouterOf<Procedures>
>;

/** The most procedures the service takes in one request. */
const BATCH_MAX = 20;
const URL_LENGTH_MAX = 6_000;

/** The same as `createClient`, with the types of tRPC: for libraries that take its client, such as `@trpc/tanstack-react-query`. */
export function createTrpcClient({
  url = '',
  key,
  retriesMax = RETRIES_MAX,
  timeoutMs,
  fetch = (input, init) => globalThis.fetch(input, init),
}: ClientOptions = {}) {
  // The library declares wider types for the arguments of `fetch` than the platform does.
  const by = (send: Fetch) => (input: string | URL | Request, init?: object) => send(input, { ...init });
  const at = `${url}/trpc`;
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return createTRPCClient<AppRouter>({
    links: [
      repliesLink,
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({ url: at }),
        false: splitLink({
          condition: ({ type, context }) => type === 'query' && (context as CallContext).isHeavy !== true,
          true: [
            retryingEach(retriesMax),
            httpBatchLink({
              url: at,
              fetch: by(withTimeout(fetch, timeoutMs)),
              headers: authorization,
              maxItems: BATCH_MAX,
              maxURLLength: URL_LENGTH_MAX,
            }),
          ],
          false: httpLink({
            url: at,
            fetch: by(retrying(withTimeout(fetch, timeoutMs), retriesMax)),
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

/** Passes the metadata of each answer to the callers that ask for it. */
const repliesLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    next(op).pipe(
      tap({
        next: ({ result }) => {
          if ('meta' in result) (op.context as CallContext).onReply?.(result.meta as Reply);
        },
      }),
    );

/** Retries each query separately: of the queries in one request, some may be refused and others not. */
function retryingEach(retriesMax: number) {
  let afterMs = 0;
  return retryLink<AppRouter>({
    retry: ({ error, attempts }) => {
      const answer = answerOf(error);
      if (attempts > retriesMax || !isTemporary(error.data?.httpStatus ?? answer?.status ?? null))
        return false;
      afterMs = waitMs(error.data?.retryAfterSec ?? retryAfterSecOf(answer), attempts - 1);
      return true;
    },
    retryDelayMs: () => afterMs,
  });
}

/** The HTTP answer of an error; null if none arrived. */
function answerOf({ meta }: TRPCClientError<AppRouter>): Response | null {
  const response = meta?.['response'];
  return response instanceof Response ? response : null;
}

function headersOf(
  { idempotencyKey, expectedVersion, ifMatch }: CallContext,
  isRepeated: boolean,
): Record<string, string> {
  const repeated = idempotencyKey ?? (isRepeated ? newIdempotencyKey() : undefined);
  const reviewed = ifMatch ?? (expectedVersion === undefined ? undefined : `"v${expectedVersion}"`);
  return { ...(repeated && { 'Idempotency-Key': repeated }), ...(reviewed && { 'If-Match': reviewed }) };
}
