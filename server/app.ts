import type { IncomingMessage } from 'node:http';
import cors from 'cors';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import type { Mode } from '../db/vocabulary.ts';
import type { DomainError } from '../engine/errors.ts';
import { docsPage } from '../openapi/docs.ts';
import { restFacade } from '../openapi/facade.ts';
import { fixedText } from '../openapi/fixed-text.ts';
import type { RestRoute } from '../openapi/routes.ts';
import { routeNotFound, toDomainError } from '../routers/errors.ts';
import type { Context, Services } from '../routers/trpc.ts';
import type { Auth } from './auth.ts';
import { authHandler } from './auth-handler.ts';
import { entrance } from './entrance.ts';
import type { HeavyReads } from './heavy-reads.ts';
import { lastResort, logFailure, refuse } from './last-resort.ts';
import type { ServiceLimits } from './limits.ts';
import type { Logger } from './logger.ts';
import { mcpHandler } from './mcp/index.ts';
import type { Identifier } from './principal.ts';
import { accessLog, contextOf, refuseUnreadableTargets, rememberContext, requestIds } from './requests.ts';
import type { Streams } from './streams.ts';
import { trpcHandler } from './trpc-handler.ts';

export type AppOptions = {
  services: Services;
  auth: Auth;
  identifier: Identifier;
  limits: ServiceLimits;
  heavyReads: HeavyReads;
  streams: Streams;
  /** Counts refusals. */
  onRefusal: (error: DomainError) => void;
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

/** The whole HTTP surface, in the order a request meets it. */
export function buildApp(options: AppOptions): Express {
  const { auth, limits, log, corsOrigins, trustedProxies, document, site, onRefusal } = options;
  const createContext = (request: IncomingMessage, route?: RestRoute) => openContext(request, options, route);
  const onError = ({ requestId, path }: Context, error: DomainError) => {
    onRefusal(error);
    logFailure(log, { requestId, path }, error);
  };

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
  app.all('/api/auth/{*path}', authHandler(auth, limits));
  app.use(restFacade({ createContext, onError }));
  app.use('/trpc', trpcHandler({ createContext, onError }));
  // A session goes by its route: the same procedures, about real money.
  const createLiveContext = (request: IncomingMessage) => openContext(request, options, undefined, 'live');
  app.use('/live/trpc', trpcHandler({ createContext: createLiveContext, onError }));
  app.use('/mcp', mcpHandler({ createContext, onError }));
  app.get('/openapi.json', fixedText('application/json', document));
  app.get('/', entrance);
  app.use(site ?? toDocs);
  app.use('/docs', docsPage(document));
  app.use((request, response) => refuse(request, response, routeNotFound()));
  app.use(lastResort(log));
  return app;
}

/** Nobody is asked for where anybody may call: liveness must not wait for the database behind the keys. */
async function openContext(
  request: IncomingMessage,
  { services, identifier, limits, heavyReads, streams }: AppOptions,
  route?: RestRoute,
  mode: Mode = 'paper',
): Promise<Context> {
  const { requestId, address, originalUrl, whenOver } = contextOf(request);
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
    lastEventId: header(request, 'last-event-id'),
    replyHeaders: {},
    takeFile: null,
    beginHeavyRead: heavyReads.ofRequest(whenOver),
    openStream: (principal) => streams.open(principal, whenOver),
  };
  if (!route?.open) await identify(request, identifier, context, mode);
  if (isAnonymous(context) && !route?.name.startsWith('system.')) {
    const refusal = await limits.consumeAnonymous(address);
    context.credentialProblem = refusal ?? context.credentialProblem;
    context.requestProblem = refusal;
  }
  return context;
}

async function identify(
  request: IncomingMessage,
  identifier: Identifier,
  context: Context,
  mode: Mode,
): Promise<void> {
  try {
    const { principal, problem } = await identifier.identify(request, context.address, mode);
    context.principal = principal;
    context.credentialProblem = problem;
  } catch (error) {
    context.credentialProblem = toDomainError(error);
  }
  rememberContext(request, { principal: context.principal });
}

/** Who sent bad credentials is counted elsewhere. */
const isAnonymous = ({ principal, credentialProblem }: Context): boolean =>
  principal === null && (credentialProblem === null || credentialProblem.code === 'credentials_missing');

/** One value, or null. Two of them become one that no format accepts. */
function header(request: IncomingMessage, name: string): string | null {
  const values = request.headersDistinct[name];
  return values === undefined ? null : values.join(' ');
}

/** What helmet sets is the same for every answer, so it is asked once. */
function securityHeaders(): RequestHandler {
  return setting(
    headersSetBy(
      helmet({
        contentSecurityPolicy: {
          useDefaults: false,
          directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] },
        },
        crossOriginResourcePolicy: { policy: 'same-site' },
        referrerPolicy: { policy: 'no-referrer' },
      }),
    ),
  );
}

/**
 * Other sites may call with a key, never with a cookie: credentials are not allowed across origins. Programs name no
 * origin: what they get is asked once, too.
 */
function crossOrigin(origins: readonly string[]): RequestHandler {
  const answerSites = cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'Last-Event-ID'],
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
  const answerPrograms = setting(headersSetBy(answerSites));
  return (request, response, next) => {
    const isProgram = request.headers.origin === undefined && request.method !== 'OPTIONS';
    (isProgram ? answerPrograms : answerSites)(request, response, next);
  };
}

/** The headers that a middleware sets on the answer to a plain request. */
function headersSetBy(middleware: (request: Request, response: Response, next: () => void) => void) {
  const headers = new Map<string, string>();
  const recorder = {
    getHeader: (name: string) => headers.get(name),
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  middleware({ method: 'GET', headers: {} } as Request, recorder as unknown as Response, () => {});
  return headers;
}

const setting =
  (headers: Map<string, string>): RequestHandler =>
  (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };

const toDocs: RequestHandler = (request, response, next) =>
  request.method === 'GET' && request.path === '/' ? response.redirect('/docs') : next();

const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
