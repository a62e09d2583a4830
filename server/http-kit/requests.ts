import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Request, RequestHandler } from 'express';
import { DomainError } from '../../engine/platform/errors.ts';
import { newId } from '../../engine/platform/ids.ts';
import type { Principal } from '../../routers/principal.ts';
import type { Logger } from '../kernel/logger.ts';
import { endedRequests } from './ended-requests.ts';

type RequestContext = {
  requestId: string;
  address: string;
  originalUrl: string;
  principal: Principal | null;
  response: ServerResponse;
  /** Part of a flood, whose requests have one line in the log together. */
  isUnlogged: boolean;
  /** Calls back once the answer was sent or the caller disconnected; at once if that has happened already. */
  whenOver: (callback: () => void) => void;
};

/**
 * The property that holds a request's context. Not a `WeakMap`: its entries live until the next full garbage collection, and
 * with them the request and its answer.
 */
const CONTEXT = Symbol('context');
type Known = IncomingMessage & { [CONTEXT]?: RequestContext };
const REQUEST_ID = /^[\w-]{8,64}$/;

/** Unreadable targets, as they were sent. */
const unreadableTargets = new WeakMap<IncomingMessage, string>();

/**
 * Makes the target of every request a path, as Express needs it: of a whole URL, which HTTP allows, the path and query. Express
 * answers an unreadable target without calling our handlers. Such a request is passed on with the target `/`, and {@link
 * refuseUnreadableTargets} refuses it.
 */
export function withReadableTarget(handle: RequestListener): RequestListener {
  return (request, response) => {
    const rawTarget = request.url ?? '/';
    const target = targetOf(rawTarget);
    if (target === null) unreadableTargets.set(request, rawTarget);
    request.url = target ?? '/';
    handle(request, response);
  };
}

function targetOf(rawTarget: string): string | null {
  if (rawTarget.startsWith('/') || rawTarget === '*') return rawTarget;
  const url = URL.parse(rawTarget);
  return url !== null && /^https?:$/.test(url.protocol) ? url.pathname + url.search : null;
}

export const refuseUnreadableTargets: RequestHandler = (request, _response, next) => {
  if (!unreadableTargets.has(request)) return next();
  throw new DomainError(
    'validation_failed',
    'The target of the request cannot be read. Send a path such as /api/orders, or a whole http URL.',
  );
};

/** Returns the target of a request without its query. */
export const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';

/** Returns the context of a request, known from its start. */
export function contextOf(request: Known): RequestContext {
  const context = request[CONTEXT];
  if (!context) throw new Error('Every request passes requestIds first.');
  return context;
}

export function rememberContext(request: IncomingMessage, known: Partial<RequestContext>): void {
  Object.assign(contextOf(request), known);
}

/** Gives every request an id, the caller's own if it is harmless, and sends it in `X-Request-Id`. */
export const requestIds: RequestHandler = (request: Request & Known, response, next) => {
  const givenId = request.headers['x-request-id'];
  const requestId = typeof givenId === 'string' && REQUEST_ID.test(givenId) ? givenId : newId();
  response.setHeader('X-Request-Id', requestId);
  request[CONTEXT] = {
    requestId,
    address: clientAddressOf(clientOf(request)),
    originalUrl: unreadableTargets.get(request) ?? request.url,
    principal: null,
    response,
    isUnlogged: false,
    whenOver: (callback) => {
      if (response.destroyed) callback();
      else response.once('close', callback);
    },
  };
  next();
};

/**
 * The client as Express sees it: as trusted proxies state, else the connection. A proxy that adds nothing may pass on any text,
 * which does not count.
 */
function clientOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string | undefined {
  return ip !== undefined && isIP(ip) !== 0 ? ip : socket.remoteAddress;
}

/** Returns IPv4 as it is; IPv6 as its /64, because one household can use all addresses in it. */
export function clientAddressOf(remote: string | undefined): string {
  const address = (remote ?? 'unknown').replace(/^::ffff:/, '');
  return address.includes(':') ? `${expandIpv6(address).slice(0, 4).join(':')}::/64` : address;
}

function expandIpv6(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  return [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
}

/** Called once a second by load balancers and orchestrators. */
const PROBES = new Set(['/health', '/api/health', '/health/ready']);

/** Logs one line per request when it ends: caller, path, status and duration. No bodies. Probes are logged at `debug`. */
export function accessLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const { requestId, originalUrl, principal, isUnlogged } = contextOf(request);
      const route = pathOf(originalUrl).slice(0, 200);
      const { method } = request;
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      endedRequests.publish({ requestId, method, path: route, status: response.statusCode, ms });
      if (isUnlogged) return;
      log[PROBES.has(route) ? 'debug' : 'info'](
        {
          requestId,
          method,
          route,
          status: response.statusCode,
          ms,
          ...(principal && { accountId: principal.accountId, by: principal.label }),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
}
