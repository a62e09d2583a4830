import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import type { DomainError } from '../../engine/platform/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceLimits } from './call-rate-limiter.ts';
import { delayRefusal } from './delay-refusal.ts';
import { contextOf, pathOf, rememberContext } from './requests.ts';

/** How long an address is refused without another count, in ms: far less than any window. */
const HOLDS_MS = 200;
const ADDRESSES_MAX = 10_000;
const LOG_EVERY_MS = 10_000;

/** Counts requests without a caller by address, and refuses those past the limit late. */
export class AnonymousRequests {
  readonly #limits: Pick<ServiceLimits, 'consumeAnonymous'>;
  readonly #log: Logger;
  readonly #refused = new LRUCache<string, DomainError>({ max: ADDRESSES_MAX, ttl: HOLDS_MS });
  #unlogged = 0;

  constructor(limits: Pick<ServiceLimits, 'consumeAnonymous'>, log: Logger) {
    this.#limits = limits;
    this.#log = log;
  }

  /** Counts one request. Returns its refusal, or null. */
  async count(request: IncomingMessage): Promise<DomainError | null> {
    const { address, response } = contextOf(request);
    const refusal = await this.#limits.consumeAnonymous(address);
    if (refusal === null) return null;
    this.#refused.set(address, refusal);
    await delayRefusal(response, 'anonymous');
    return refusal;
  }

  /**
   * Refuses further requests of such an address before anything is read or looked up for them. They have no line in the log
   * each, so that a flood costs little. The log has their number instead.
   */
  readonly refuseFlood: RequestHandler = async (request, response, next) => {
    const { address, originalUrl } = contextOf(request);
    const { authorization, cookie } = request.headers;
    const refusal = authorization === undefined && cookie === undefined && this.#refused.get(address);
    if (!refusal || !isCounted(pathOf(originalUrl))) return next();
    rememberContext(request, { isUnlogged: true });
    if (this.#unlogged++ === 0) setTimeout(() => this.#report(address), LOG_EVERY_MS).unref();
    await delayRefusal(response, 'anonymous');
    throw refusal;
  };

  #report(address: string): void {
    this.#log.warn(
      { address, requests: this.#unlogged },
      'requests without credentials were refused past the limit of their address; the first address is shown',
    );
    this.#unlogged = 0;
  }
}

/** Whether requests without credentials count, and errors have the one format: those of tRPC have their own. */
const isCounted = (path: string): boolean =>
  path === '/mcp' || (path.startsWith('/api/') && path !== '/api/health');
