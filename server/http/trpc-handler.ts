import type { IncomingMessage } from 'node:http';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { type Request, type RequestHandler, Router } from 'express';
import { DomainError } from '../../engine/platform/errors.ts';
import { readCallBody } from '../../openapi/body.ts';
import { errorHeaders } from '../../openapi/facade.ts';
import { callableOf } from '../../openapi/routes.ts';
import type { Context } from '../../routers/context.ts';
import { routeNotFound, statusOf, toDomainError } from '../../routers/errors.ts';
import { appRouter } from '../../routers/index.ts';
import { countCall } from '../../routers/trpc.ts';

/** The property that holds a request's context, as in `requests.ts`: a `WeakMap` would hold both for longer. */
const CONTEXT = Symbol('tRPC context');
type Known = IncomingMessage & { [CONTEXT]?: Context };

/** The most calls in one tRPC request. */
const BATCH_MAX = 20;

export type TrpcOptions = {
  createContext: (request: IncomingMessage) => Promise<Context>;
  onError: (context: Context, error: DomainError) => void;
};

/** Serves the procedures under `/trpc`, with the same strict rules as REST. */
export function trpcHandler({ createContext, onError }: TrpcOptions): RequestHandler {
  /** Authenticates before the body is read, and passes its text to tRPC. */
  const readRequest: RequestHandler = async (request: Request & Known, _response, next) => {
    const context = await createContext(request);
    request[CONTEXT] = context;
    if (request.method !== 'POST') return next();
    const isAdmitted = await countCalls(request.path, context);
    const { text, problem } = isAdmitted ? await readCallBody(request, context) : UNREAD;
    context.requestProblem ??= problem;
    request.headers['content-type'] = 'application/json';
    Object.assign(request, { body: text === '' ? undefined : text });
    next();
  };

  const handle = createExpressMiddleware({
    router: appRouter,
    allowMethodOverride: false,
    maxBatchSize: BATCH_MAX,
    createContext: ({ req }: { req: Known }) => {
      const context = req[CONTEXT];
      if (!context) throw new Error('Every call passes readRequest first.');
      return context;
    },
    onError: ({ ctx, error }) => {
      if (ctx) onError(ctx, toDomainError(error));
    },
    responseMeta: ({ ctx, data, errors, info }) => {
      const [error] = errors;
      const refusal = error && toDomainError(error);
      if (ctx) addMetadata(data, ctx);
      return {
        // A wrong method is 404 here as everywhere. A batch has one status for all of its calls.
        ...(refusal && !info?.isBatchCall && { status: statusOf(refusal) }),
        headers: {
          ...ctx?.replyHeaders,
          ...(!info?.isBatchCall && ctx?.replies[0]?.headers),
          ...(refusal && errorHeaders(refusal, statusOf(refusal), {})),
        },
      };
    },
  });
  return Router({ caseSensitive: true, strict: true }).use(refuseOddCalls, readRequest, handle);
}

/** Puts the metadata of each call into its own result: a header cannot refer to one call of a batch. */
function addMetadata(answers: readonly object[], { replies, requestId }: Context): void {
  answers.forEach((answer, index) => {
    if ('result' in answer && typeof answer.result === 'object') {
      Object.assign(answer.result ?? {}, { meta: { requestId, ...replies[index]?.extras } });
    }
  });
}

const UNREAD = { text: '', problem: null };

/** Counts every call before the body is read. Returns whether one of them may be processed. */
async function countCalls(path: string, context: Context): Promise<boolean> {
  let isAdmitted = false;
  for (const name of namesOf(path).slice(0, BATCH_MAX)) {
    const callable = callableOf(name);
    if (callable && (await countCall(context, callable))) isAdmitted = true;
  }
  return isAdmitted;
}

function namesOf(path: string): string[] {
  try {
    return decodeURIComponent(path.slice(1)).split(',');
  } catch {
    return [];
  }
}

/** Refuses requests that tRPC would answer in its own format: any HEAD with 204, a large batch as plain text. */
const refuseOddCalls: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET' && request.method !== 'POST') throw routeNotFound();
  if (request.path.split(',').length > BATCH_MAX) {
    throw new DomainError('validation_failed', `A batch takes at most ${BATCH_MAX} calls. Send several.`);
  }
  next();
};
