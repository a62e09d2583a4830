import type { IncomingMessage } from 'node:http';
import cors from 'cors';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import type { Mode } from '../../db/vocabulary.ts';
import type { DomainError } from '../../engine/platform/errors.ts';
import { docsPage } from '../../openapi/docs.ts';
import { restFacade } from '../../openapi/facade.ts';
import { LLMS } from '../../openapi/llms.ts';
import { ANSWER_HEADERS } from '../../openapi/request-messages.ts';
import type { RestRoute } from '../../openapi/routes.ts';
import { serveConstantText } from '../../openapi/serve-constant-text.ts';
import type { Context, Services } from '../../routers/context.ts';
import { routeNotFound, toDomainError } from '../../routers/errors.ts';
import type { Admission } from '../http-kit/admission.ts';
import { AnonymousRequests } from '../http-kit/anonymous-requests.ts';
import type { ServiceLimits } from '../http-kit/call-rate-limiter.ts';
import { delayRefusal } from '../http-kit/delay-refusal.ts';
import type { RememberedRefusals } from '../http-kit/remembered-refusals.ts';
import {
  accessLog,
  contextOf,
  pathOf,
  refuseUnreadableTargets,
  rememberContext,
  requestIds,
} from '../http-kit/requests.ts';
import { messagesOf } from '../http-kit/web-sockets.ts';
import type { Auth } from '../identity/auth.ts';
import { authHandler, type DemoSignIn } from '../identity/auth-handler.ts';
import type { CallerResolver, Confirm, LookupOptions } from '../identity/caller-resolver.ts';
import type { AccountCpuMeter } from '../kernel/account-cpu-meter.ts';
import type { EventStreams } from '../kernel/event-streams.ts';
import type { Logger } from '../kernel/logger.ts';
import { mcpHandler } from '../mcp/index.ts';
import { oauthRoutes } from '../mcp/oauth/routes.ts';
import { readDescription } from './descriptions.ts';
import type { HeavyReads } from './heavy-reads.ts';
import { serviceIndexHandler } from './service-index.ts';
import { signalHook } from './signal-hook.ts';
import { trpcHandler } from './trpc-handler.ts';
import { accessChallenge, logFailure, sendError, uncaughtErrorHandler } from './uncaught-error-handler.ts';
import { calledProceduresOf, isUrgentRequest } from './urgent-request.ts';

export type AppOptions = {
  services: Services;
  auth: Auth;
  /** The user whom visitors may try the service as; null: none. */
  demoSignIn: DemoSignIn | null;
  identifier: CallerResolver;
  limits: ServiceLimits;
  heavyReads: HeavyReads;
  admission: Admission;
  refusals: RememberedRefusals;
  streams: EventStreams;
  /** Counts refusals. */
  onRefusal: (error: DomainError) => void;
  log: Logger;
  /** Origins of other sites that may call with an API key, including that of the documentation. */
  corsOrigins: readonly string[];
  /** Origins whose pages may use the Model Context Protocol. */
  mcpOrigins: ReadonlySet<string>;
  /** Proxies whose `X-Forwarded-For` is trusted, as addresses or subnets. */
  trustedProxies: readonly string[];
  /** The API description, as JSON text. */
  document: string;
  /** The console under `/`; without one, `/` leads to the documentation. */
  site?: RequestHandler | undefined;
};

type ContextOptions = AppOptions & { anonymous: AnonymousRequests };

const CORS_MAX_AGE_SEC = 600;

/** Builds the whole HTTP surface, in the order in which a request passes it. */
export function buildApp(options: AppOptions): Express {
  const { auth, limits, log, corsOrigins, trustedProxies, document, site, onRefusal } = options;
  const anonymous = new AnonymousRequests(limits, log);
  const contextOptions = { ...options, anonymous };
  const createContext = (request: IncomingMessage, route?: RestRoute) =>
    openContext(request, contextOptions, route);
  const onError = ({ requestId, path }: Context, error: DomainError) => {
    onRefusal(error);
    logFailure(log, { requestId, path }, error);
  };

  const onRefused = (request: IncomingMessage, error: DomainError) => {
    onRefusal(error);
    logFailure(log, { requestId: contextOf(request).requestId }, error);
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', [...trustedProxies]);
  app.use(requestIds, accessLog(log), securityHeaders(), refuseUnreadableTargets);
  app.use(['/api', '/openapi.json', '/asyncapi.json'], crossOrigin(corsOrigins));
  app.use(noStore, anonymous.refuseFlood);
  app.all('/api/auth/{*path}', authHandler(auth, anonymous, options.demoSignIn));
  app.use(restFacade({ createContext, onError, messagesOf }));
  app.use('/trpc', trpcHandler({ createContext, onError }));
  // A session follows the mode of its route: the same procedures, for live trading.
  const createLiveContext = (request: IncomingMessage) =>
    openContext(request, contextOptions, undefined, 'live');
  app.use('/live/trpc', trpcHandler({ createContext: createLiveContext, onError }));
  app.post(
    '/hooks/signal',
    signalHook({
      services: options.services,
      limits,
      anonymous,
      admission: options.admission,
      onError: onRefused,
    }),
  );
  app.use('/mcp', mcpHandler({ createContext, onError, origins: options.mcpOrigins }));
  const { oauth } = options.services;
  if (oauth !== null) {
    app.use('/mcp', accessChallenge(oauth.resourceMetadata));
    app.use(
      oauthRoutes({ addresses: oauth, services: options.services, limits, anonymous, onError: onRefused }),
    );
  }
  app.get(
    '/openapi.json',
    serveConstantText('application/json', () => document),
  );
  app.get(
    '/asyncapi.json',
    serveConstantText('application/json', () => readDescription('asyncapi')),
  );
  app.get(
    '/llms.txt',
    serveConstantText('text/plain', () => LLMS),
  );
  app.get('/', serviceIndexHandler);
  app.use(site ?? toDocs);
  app.use('/docs', docsPage(document));
  app.use((request, response) => sendError(request, response, routeNotFound()));
  app.use(uncaughtErrorHandler(log));
  return app;
}

/** Looks up no caller for open procedures: liveness must not wait for the database behind the keys. */
async function openContext(
  request: IncomingMessage,
  { services, identifier, anonymous, heavyReads, streams, admission, refusals }: ContextOptions,
  route?: RestRoute,
  mode: Mode = 'paper',
): Promise<Context> {
  const { requestId, address, originalUrl, whenOver, response } = contextOf(request);
  const path = pathOf(originalUrl);
  const { meter } = admission;
  meter.mark(null);
  const { enter, leave } = admission.ofRequest({ request, response }, whenOver);
  const calls = calledProceduresOf(route, path);
  const isUrgent = isUrgentRequest(calls);
  const lookup: LookupOptions = {
    address,
    mode,
    handles: isUrgent ? services.pool : services.requests,
    // A read may begin with a remembered key: its answer waits until the key is confirmed. A write confirms it first.
    share: route?.type === 'query' && route.promises.file === null ? services.requests : undefined,
    isUrgent,
    isMcp: path === '/mcp',
  };
  const context: Context = {
    ...services,
    requestId,
    address,
    principal: null,
    credentialProblem: null,
    confirm: null,
    identifyAgain: () => identify(request, identifier, context, lookup),
    requestProblem: null,
    counted: {},
    method: request.method ?? 'GET',
    path,
    ifMatch: request.headers['if-match'] ?? null,
    idempotencyKey: header(request, 'idempotency-key'),
    lastEventId: header(request, 'last-event-id'),
    replyHeaders: {},
    replies: [],
    sink: null,
    enter,
    beginHeavyRead: heavyReads.ofRequest(whenOver),
    openStream: (principal) => {
      leave();
      return streams.open(principal, whenOver);
    },
  };
  const { authorization, cookie } = request.headers;
  const credentials = authorization ?? cookie;
  if (credentials !== undefined) {
    const known = refusals.of(credentials, calls);
    if (known?.refusal) {
      Object.assign(context, { credentialProblem: known.refusal, replyHeaders: { ...known.headers } });
      await delayRefusal(response, 'keyed');
      return context;
    }
    context.limits = refusals.noting(services.limits, credentials);
  }
  if (!route?.open) await identify(request, identifier, context, lookup);
  if (context.principal !== null) meterOf(request, meter, context.principal.accountId);
  if (isAnonymous(context) && !route?.name.startsWith('system.')) {
    const refusal = await anonymous.count(request);
    context.credentialProblem = refusal ?? context.credentialProblem;
    context.requestProblem = refusal;
  }
  return context;
}

async function identify(
  request: IncomingMessage,
  identifier: CallerResolver,
  context: Context,
  asking: LookupOptions,
): Promise<void> {
  // A lookup that fails leaves no caller of an earlier one.
  Object.assign(context, { principal: null, confirm: null });
  try {
    const identified = await identifier.identify(request, asking);
    context.principal = identified.principal;
    context.credentialProblem = identified.problem;
    if (identified.principal !== null && identified.confirm) {
      context.confirm = confirmingOf(request, context, identified.confirm);
    }
  } catch (error) {
    context.credentialProblem = toDomainError(error);
  }
  rememberContext(request, { principal: context.principal });
}

/** Handles a key that turns out to be invalid: removes limits and metadata from the answer, and the account from the log. */
const confirmingOf =
  (request: IncomingMessage, context: Context, confirm: Confirm): Confirm =>
  async () => {
    try {
      await confirm();
    } catch (error) {
      Object.assign(context, { replyHeaders: {}, replies: [] });
      rememberContext(request, { principal: null });
      throw error;
    }
  };

/** Marks where the request resumes: now, and when its body is complete. */
function meterOf(request: IncomingMessage, meter: AccountCpuMeter, accountId: string): void {
  meter.mark(accountId);
  request.once('end', () => meter.mark(accountId));
}

/** Whether a request has no credentials; bad credentials are counted elsewhere. */
const isAnonymous = ({ principal, credentialProblem }: Context): boolean =>
  principal === null && (credentialProblem === null || credentialProblem.code === 'credentials_missing');

/** Returns one value, or null. Two values become one that no format accepts. */
function header(request: IncomingMessage, name: string): string | null {
  const values = request.headersDistinct[name];
  return values === undefined ? null : values.join(' ');
}

/** Computes helmet's headers once, because they are the same for every answer. */
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
 * Allows other sites to call with a key, never with a cookie: no credentials across origins. The headers for programs, which
 * send no origin, are computed once, too.
 */
function crossOrigin(origins: readonly string[]): RequestHandler {
  const answerSites = cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'Last-Event-ID'],
    exposedHeaders: [...ANSWER_HEADERS],
    maxAge: CORS_MAX_AGE_SEC,
  });
  const answerPrograms = setting(headersSetBy(answerSites));
  return (request, response, next) => {
    const isProgram = request.headers.origin === undefined && request.method !== 'OPTIONS';
    (isProgram ? answerPrograms : answerSites)(request, response, next);
  };
}

/** Returns the headers that a middleware sets on the answer to a plain request. */
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
