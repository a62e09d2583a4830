import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Request, RequestHandler } from 'express';
import { newId } from '../engine/ids.ts';
import type { Principal } from '../routers/principal.ts';
import type { Logger } from './logger.ts';

type RequestContext = {
  requestId: string;
  address: string;
  originalUrl: string;
  principal: Principal | null;
};

const contexts = new WeakMap<IncomingMessage, RequestContext>();
const REQUEST_ID = /^[\w-]{8,64}$/;

/** What is known of a request from its first moment on. */
export function contextOf(request: IncomingMessage): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error('Every request passes requestIds first.');
  return context;
}

export function rememberContext(request: IncomingMessage, known: Partial<RequestContext>): void {
  Object.assign(contextOf(request), known);
}

/** Gives every request an id, the caller's own where it is harmless, and says it in `X-Request-Id`. */
export const requestIds: RequestHandler = (request, response, next) => {
  const asked = request.headers['x-request-id'];
  const requestId = typeof asked === 'string' && REQUEST_ID.test(asked) ? asked : newId();
  response.setHeader('X-Request-Id', requestId);
  contexts.set(request, {
    requestId,
    address: addressOf(clientOf(request)),
    originalUrl: request.url,
    principal: null,
  });
  next();
};

/**
 * The client as Express sees it: what trusted proxies say of it, else the connection. What passes through a proxy
 * that adds nothing of its own may be any text, and does not count.
 */
function clientOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string | undefined {
  return ip !== undefined && isIP(ip) !== 0 ? ip : socket.remoteAddress;
}

/** IPv4 as it is; IPv6 as its /64, of which one household has as many addresses as it likes. */
function addressOf(remote: string | undefined): string {
  const address = (remote ?? 'unknown').replace(/^::ffff:/, '');
  return address.includes(':') ? `${expandIpv6(address).slice(0, 4).join(':')}::/64` : address;
}

function expandIpv6(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  return [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
}

/** One line per request, when it ends: who asked for what, how it ended and how long it took. No bodies. */
export function accessLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const { requestId, originalUrl, principal } = contextOf(request);
      log.info(
        {
          requestId,
          method: request.method,
          route: originalUrl.replace(/\?.*$/, '').slice(0, 200),
          status: response.statusCode,
          ms: Math.round((performance.now() - startedAt) * 10) / 10,
          ...(principal && { accountId: principal.accountId, by: principal.label }),
          ...(!response.writableFinished && { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
}
