import type { IncomingMessage, ServerResponse } from 'node:http';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { DomainError } from '../engine/errors.ts';
import { readBody } from '../openapi/body.ts';
import { docsPage } from '../openapi/docs.ts';
import { errorHeaders, restFacade } from '../openapi/facade.ts';
import { fixedText } from '../openapi/fixed-text.ts';
import { routeNotFound, statusOf, toDomainError } from '../routers/errors.ts';
import { appRouter } from '../routers/index.ts';
import type { Context, Services } from '../routers/trpc.ts';
import type { Auth } from './auth.ts';
import { authHandler } from './auth-handler.ts';
import { lastResort, logFailure, refuse } from './last-resort.ts';
import type { Logger } from './logger.ts';
import type { Identifier } from './principal.ts';
import { accessLog, contextOf, refuseUnreadableTargets, rememberContext, requestIds } from './requests.ts';

export type AppOptions = {
  services: Services;
  auth: Auth;
  identifier: Identifier;
  log: Logger;
  /** Origins of other sites that may call with an API key, the documentation's among them. */
  corsOrigins: readonly string[];
  /** Proxies whose `X-Forwarded-For` is believed, as addresses or subnets. */
  trustedProxies: readonly string[];
  /** The description, as JSON text. */
  document: string;
  /** The console under `/`; without one, `/` leads to the documentation. */
  site?: RequestHandler | undefined;
};

const CORS_MAX_AGE_SEC = 600;
/** Calls in one tRPC request. */
const BATCH_MAX = 20;

/** The whole HTTP surface, in the order a request meets it. */
export function buildApp(options: AppOptions): Express {
  const { services, auth, identifier, log, corsOrigins, trustedProxies, document, site } = options;
  const createContext = (request: IncomingMessage, route?: { open: boolean }) =>
    openContext(request, services, route?.open ? null : identifier);
  const onError = ({ requestId, path }: Context, error: DomainError) =>
    logFailure(log, { requestId, path }, error);

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', [...trustedProxies]);
  app.use(requestIds, accessLog(log), securityHeaders(), refuseUnreadableTargets);
  app.use(['/api', '/openapi.json'], crossOrigin(corsOrigins));
  app.use(noStore);
  app.all('/api/auth/{*path}', authHandler(auth));
  app.use(restFacade({ createContext, onError }));
  app.use('/trpc', refuseOddCalls, trpcBody, trpc(createContext, onError));
  app.get('/openapi.json', fixedText('application/json', document));
  app.use(site ?? toDocs);
  app.use('/docs', docsPage(document));
  app.use((request, response) => refuse(request, response, routeNotFound()));
  app.use(lastResort(log));
  return app;
}

/** Without an identifier nobody is asked for: liveness must not wait for the database behind the keys. */
async function openContext(
  request: IncomingMessage,
  services: Services,
  identifier: Identifier | null,
): Promise<Context> {
  const { requestId, address, originalUrl } = contextOf(request);
  const context: Context = {
    ...services,
    requestId,
    address,
    principal: null,
    credentialProblem: null,
    requestProblem: null,
    method: request.method ?? 'GET',
    path: originalUrl.replace(/\?.*$/, ''),
    ifMatch: request.headers['if-match'] ?? null,
    idempotencyKey: header(request, 'idempotency-key'),
    replyHeaders: {},
  };
  if (identifier === null) return context;
  try {
    const { principal, problem } = await identifier.identify(request, address);
    context.principal = principal;
    context.credentialProblem = problem;
  } catch (error) {
    context.credentialProblem = toDomainError(error);
  }
  rememberContext(request, { principal: context.principal });
  return context;
}

/** One value, or null. Two of them become one that no format accepts. */
function header(request: IncomingMessage, name: string): string | null {
  const values = request.headersDistinct[name];
  return values === undefined ? null : values.join(' ');
}

function trpc(
  createContext: (request: IncomingMessage) => Promise<Context>,
  onError: (context: Context, error: DomainError) => void,
): RequestHandler {
  return createExpressMiddleware({
    router: appRouter,
    allowMethodOverride: false,
    maxBatchSize: BATCH_MAX,
    createContext: async ({ req }) => {
      const context = await createContext(req);
      context.requestProblem = bodyProblems.get(req) ?? null;
      return context;
    },
    onError: ({ ctx, error }) => {
      if (ctx) onError(ctx, toDomainError(error));
    },
    responseMeta: ({ ctx, errors, info }) => {
      const [error] = errors;
      const refusal = error && toDomainError(error);
      return {
        // A wrong method is 404 here as everywhere. A batch has the status of its calls together.
        ...(refusal && !info?.isBatchCall && { status: statusOf(refusal) }),
        headers: {
          ...ctx?.replyHeaders,
          ...(refusal && errorHeaders(refusal, statusOf(refusal), {})),
        },
      };
    },
  });
}

const bodyProblems = new WeakMap<IncomingMessage, DomainError>();

/** Reads the body by the same exact rules as REST, and hands tRPC the text. */
const trpcBody: RequestHandler = async (request, _response, next) => {
  if (request.method !== 'POST') return next();
  const { text, problem } = await readBody(request);
  if (problem) bodyProblems.set(request, problem);
  request.headers['content-type'] = 'application/json';
  Object.assign(request, { body: text === '' ? undefined : text });
  next();
};

/** What helmet sets is the same for every answer, so it is asked once. */
function securityHeaders(): RequestHandler {
  const headers = new Map<string, string>();
  const recorder = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'same-site' },
    referrerPolicy: { policy: 'no-referrer' },
  })({} as IncomingMessage, recorder as unknown as ServerResponse, () => {});
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}

/** Other sites may call with a key, never with a cookie: credentials are not allowed across origins. */
function crossOrigin(origins: readonly string[]): RequestHandler {
  return cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match'],
    exposedHeaders: [
      'ETag',
      'Idempotent-Replayed',
      'Link',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: CORS_MAX_AGE_SEC,
  });
}

const toDocs: RequestHandler = (request, response, next) =>
  request.method === 'GET' && request.path === '/' ? response.redirect('/docs') : next();

const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/** What tRPC would answer in a way of its own: any HEAD with 204, a large batch as plain text. */
const refuseOddCalls: RequestHandler = (request, _response, next) => {
  if (request.method !== 'GET' && request.method !== 'POST') throw routeNotFound();
  if (request.path.split(',').length > BATCH_MAX) {
    throw new DomainError('validation_failed', `A batch takes at most ${BATCH_MAX} calls. Send several.`);
  }
  next();
};
