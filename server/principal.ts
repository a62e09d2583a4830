import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type Pool, systemDb, unscopedDb } from '../db/pool.ts';
import type { Mode } from '../db/vocabulary.ts';
import { accountOfUser, hasLiveBooks } from '../engine/accounts/open.ts';
import { DomainError } from '../engine/errors.ts';
import { noteKeysUsed, verifyKey } from '../engine/keys/verify.ts';
import type { Principal } from '../routers/principal.ts';
import { LIVE_SCOPE_NAMES, type LiveScope, SCOPE_NAMES, type Scope } from '../routers/scopes.ts';
import type { Auth } from './auth.ts';
import { accountsUnavailable } from './auth-handler.ts';
import type { ServiceLimits } from './limits.ts';

const MINUTE_MS = 60_000;
/** Accounts remembered to have books of real money. */
const LIVE_BOOKS_MAX = 10_000;
const BEARER = /^bearer ([\x21-\x7e]{1,512})$/i;
const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const EVERY_SCOPE: ReadonlySet<Scope | LiveScope> = new Set([...SCOPE_NAMES, ...LIVE_SCOPE_NAMES]);

/** Sets of scopes by their text: there are few, and every request needs one. */
const scopeSets = new LRUCache<string, ReadonlySet<Scope | LiveScope>>({
  max: 1_000,
  memoMethod: readScopes,
});

const scopesOf = (text: string): ReadonlySet<Scope | LiveScope> => scopeSets.memo(text);

function readScopes(text: string): ReadonlySet<Scope | LiveScope> {
  const held = new Set(text.split(' '));
  return new Set([...EVERY_SCOPE].filter((scope) => held.has(scope)));
}

/** Who asks, or why nobody may be assumed. */
export type Identification =
  | { principal: Principal; problem: null }
  | { principal: null; problem: DomainError };

export type IdentifierOptions = {
  pool: Pool;
  sessions: Auth;
  limits: ServiceLimits;
  /** Origins whose pages may act with a session cookie. */
  trustedOrigins: ReadonlySet<string>;
  paperCash: string;
  /** Whether real money may be traded with here. */
  isLiveOn: boolean;
};

/**
 * Makes one principal of an API key or a web session.
 *
 * An `Authorization` header alone decides where there is one; the cookie is never a fallback. A cookie on a
 * request that changes something must come with an `Origin` of ours: a page elsewhere cannot set that.
 */
export class Identifier {
  readonly #options: IdentifierOptions;
  /** Keys seen since the last flush, to the minute: `last_used_at` is written once a minute, not per request. */
  readonly #keysUsed = new Map<string, Date>();
  /** Accounts known to have books of real money. */
  readonly #liveBooks = new LRUCache<string, true>({ max: LIVE_BOOKS_MAX });

  constructor(options: IdentifierOptions) {
    this.#options = options;
  }

  /** `mode` is that of the route, which a session goes by; a key has its own. */
  async identify(request: IncomingMessage, address: string, mode: Mode): Promise<Identification> {
    const authorizations = request.headersDistinct['authorization'] ?? [];
    if (authorizations.length > 1) return this.#refuse(address);
    const [authorization] = authorizations;
    if (authorization !== undefined) return this.#identifyKey(authorization, address, mode);
    if (request.headers.cookie !== undefined) return this.#identifySession(request, mode);
    return { principal: null, problem: credentialsMissing() };
  }

  /** Writes when keys were used. Call once a minute and at shutdown. */
  async flush(): Promise<void> {
    const used = new Map(this.#keysUsed);
    this.#keysUsed.clear();
    await noteKeysUsed(systemDb(this.#options.pool), used);
  }

  async #identifyKey(authorization: string, address: string, mode: Mode): Promise<Identification> {
    const token = BEARER.exec(authorization)?.[1];
    const key = token && (await verifyKey(unscopedDb(this.#options.pool), token));
    if (!key) return this.#refuse(address);
    if (mode === 'live') return { principal: null, problem: DomainError.of('session_required') };
    this.#keysUsed.set(key.id, new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS));
    return {
      principal: {
        kind: 'key',
        accountId: key.accountId,
        mode: key.mode,
        id: key.id,
        actor: `key:${key.id}`,
        label: key.start,
        scopes: scopesOf(key.scopes),
      },
      problem: null,
    };
  }

  async #identifySession(request: IncomingMessage, mode: Mode): Promise<Identification> {
    const { sessions, pool, paperCash } = this.#options;
    const session = await sessions.api
      .getSession({
        headers: webHeaders(request.headers),
        query: { disableCookieCache: true, disableRefresh: true },
      })
      .catch((error: unknown) => {
        throw accountsUnavailable(error);
      });
    if (!session) return { principal: null, problem: credentialsMissing() };
    if (!this.#comesFromUs(request)) return { principal: null, problem: csrfRejected() };
    const { user } = session;
    const accountId = await accountOfUser(pool, { userId: user.id, name: user.name, paperCash });
    if (mode === 'live' && !(await this.#hasLiveBooks(accountId)))
      return { principal: null, problem: liveTradingOff() };
    return {
      principal: {
        kind: 'session',
        accountId,
        mode,
        id: session.session.id,
        actor: `session:${user.id}`,
        label: 'session',
        scopes: EVERY_SCOPE,
      },
      problem: null,
    };
  }

  /** Whether there are books of real money. A person who comes opens them, while live trading is on. */
  async #hasLiveBooks(accountId: string): Promise<boolean> {
    const { pool, isLiveOn } = this.#options;
    if (this.#liveBooks.has(accountId)) return true;
    const hasBooks = await hasLiveBooks(pool, accountId, { opens: isLiveOn });
    if (hasBooks) this.#liveBooks.set(accountId, true);
    return hasBooks;
  }

  #comesFromUs(request: IncomingMessage): boolean {
    if (READING_METHODS.has(request.method ?? '')) return true;
    const { origin } = request.headers;
    return origin !== undefined && this.#options.trustedOrigins.has(origin);
  }

  /** One answer for every bad credential, so that nobody learns which part of it was wrong. */
  async #refuse(address: string): Promise<Identification> {
    try {
      await this.#options.limits.consumeAuthFailure(address);
      return { principal: null, problem: credentialsInvalid() };
    } catch (tooMany) {
      if (tooMany instanceof DomainError) return { principal: null, problem: tooMany };
      throw tooMany;
    }
  }
}

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const web = new Headers();
  if (headers.cookie !== undefined) web.set('cookie', headers.cookie);
  return web;
}

const credentialsMissing = () => DomainError.of('credentials_missing');

const credentialsInvalid = () => DomainError.of('credentials_invalid');

const liveTradingOff = () => DomainError.of('live_trading_off');

const csrfRejected = () => DomainError.of('csrf_rejected');
