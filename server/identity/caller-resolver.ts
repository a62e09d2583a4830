import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { FairQueue } from '../../db/fair-queue.ts';
import { type Handles, type Pool, type Share, systemDb, unscopedDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import type { Mode } from '../../db/vocabulary.ts';
import { accountMoving } from '../../engine/platform/account-lock.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import {
  ensureLiveTradingAccount,
  findOrCreateAccountOfUser,
  hasLiveTradingAccount,
} from '../../engine/trading/accounts/provision-account.ts';
import {
  fingerprintOf,
  isKeyUnchanged,
  isMovedToken,
  keyRecheckQuery,
  noteKeysUsed,
  type VerifiedKey,
  verifyAccessToken,
  verifyKey,
} from '../../engine/trading/keys/verify.ts';
import type { Principal } from '../../routers/principal.ts';
import { LIVE_SCOPE_NAMES, type LiveScope, SCOPE_NAMES, type Scope } from '../../routers/scopes.ts';
import type { ServiceLimits } from '../http-kit/call-rate-limiter.ts';
import { type Auth, SESSION_POOL_MAX } from './auth.ts';
import { accountsUnavailable } from './auth-handler.ts';

const MINUTE_MS = 60_000;
/** The most accounts remembered to have live books. */
const LIVE_BOOKS_MAX = 10_000;
/** The most keys to remember: their properties, not whether they are valid. */
const KEYS_MAX = 10_000;
/** How long a lookup of a session waits for a connection, ms. */
const LOOKUP_WAIT_MS = 5_000;
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

/** The caller, or the reason why there is none. */
export type CallerResolution =
  | { principal: Principal; problem: null; confirm?: Confirm }
  | { principal: null; problem: DomainError };

/**
 * Waits until a remembered principal is confirmed.
 *
 * @throws DomainError if it is no longer valid: then its answer must not be sent.
 */
export type Confirm = () => Promise<void>;

/** The address of a request, the mode of its route, and the connections for its key lookup. */
export type LookupOptions = {
  readonly address: string;
  readonly mode: Mode;
  readonly handles: Handles;
  /** Whether all calls are urgent: the session of such a request is looked up on a reserved connection. */
  readonly isUrgent: boolean;
  /** Whether the request is of the Model Context Protocol: access tokens of connected clients are good for it alone. */
  readonly isMcp: boolean;
  /** Set for reads only: the key lookup joins the first statement, so that it costs no round trip. */
  readonly share?: Share | undefined;
};

export type CallerResolverOptions = {
  pool: Pool;
  sessions: Auth;
  limits: ServiceLimits;
  /** Origins whose pages may act with a session cookie. */
  trustedOrigins: ReadonlySet<string>;
  paperCash: string;
  /** Whether live trading is allowed here. */
  isLiveOn: boolean;
};

/**
 * Resolves an API key or a web session to a principal.
 *
 * An `Authorization` header, if present, decides alone; the cookie is never a fallback. A request that changes something with a
 * cookie needs an `Origin` of ours: a foreign page cannot set that.
 */
export class CallerResolver {
  readonly #options: CallerResolverOptions;
  /** Keys seen since the last flush, to the minute: `last_used_at` is written once a minute, not per request. */
  readonly #keysUsed = new Map<string, Date>();
  /** Keys by their fingerprint, as they were when last found valid. A hint for the lookup, never a permission. */
  readonly #known = new LRUCache<string, VerifiedKey>({ max: KEYS_MAX });
  /** Session lookups, cookies in turn. One connection is reserved for urgent requests. */
  readonly #lookups = {
    urgent: new FairQueue({ slots: 1 }),
    other: new FairQueue({ slots: SESSION_POOL_MAX - 1 }),
  };
  /** Accounts known to have live books. */
  readonly #liveBooks = new LRUCache<string, true>({ max: LIVE_BOOKS_MAX });

  constructor(options: CallerResolverOptions) {
    this.#options = options;
  }

  /** `mode` is that of the route, which applies to a session; a key has its own. */
  async identify(request: IncomingMessage, lookup: LookupOptions): Promise<CallerResolution> {
    const { address } = lookup;
    const authorizations = request.headersDistinct['authorization'] ?? [];
    if (authorizations.length > 1) return this.#refuse(address);
    const [authorization] = authorizations;
    if (authorization !== undefined) return this.#identifyKey(authorization, lookup);
    if (request.headers.cookie !== undefined) return this.#identifySession(request, lookup);
    return { principal: null, problem: credentialsMissing() };
  }

  /** Stores when keys were used. Call once a minute and at shutdown. */
  async flush(): Promise<void> {
    const used = new Map(this.#keysUsed);
    this.#keysUsed.clear();
    await noteKeysUsed(systemDb(this.#options.pool), used);
  }

  async #identifyKey(
    authorization: string,
    { address, mode, handles, share, isMcp }: LookupOptions,
  ): Promise<CallerResolution> {
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) return this.#refuse(address);
    const fingerprint = fingerprintOf(token);
    const known = share && this.#known.get(fingerprint);
    if (known) {
      const confirm = this.#confirming({ known, fingerprint, token, address, share });
      return { principal: principalOf(known), problem: null, confirm };
    }
    const db = unscopedDb(handles);
    const key = (await verifyKey(db, token)) ?? (isMcp ? await verifyAccessToken(db, token) : null);
    if (!key) return this.#refuseToken(db, token, address);
    if (mode === 'live') return { principal: null, problem: DomainError.of('session_required') };
    this.#noteUse(key, fingerprint);
    return { principal: principalOf(key), problem: null };
  }

  /**
   * Checks whether a remembered key is valid, together with the first statement of its request, or alone without one. The check
   * comes after the request arrived: a key that was revoked before is refused.
   */
  #confirming({ known, fingerprint, token, address, share }: Remembered): Confirm {
    const rider = keyRecheckQuery(fingerprint, known);
    share.piggyback(known.accountId, rider);
    const confirm = async () => {
      const found = share.cancelPiggyback(known.accountId, rider)
        ? await verifyKey(unscopedDb(share), token)
        : (await rider.answer)?.rows[0];
      if (isKeyUnchanged(known, found ?? undefined)) return this.#noteUse(known, fingerprint);
      this.#known.delete(fingerprint);
      throw (await this.#refuseToken(unscopedDb(share), token, address)).problem;
    };
    let confirmed: Promise<void> | null = null;
    return () => {
      confirmed ??= confirm();
      return confirmed;
    };
  }

  #noteUse(key: VerifiedKey, fingerprint: string): void {
    this.#known.set(fingerprint, key);
    this.#keysUsed.set(key.id, new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS));
  }

  async #identifySession(
    request: IncomingMessage,
    { mode, isUrgent }: LookupOptions,
  ): Promise<CallerResolution> {
    const { sessions, pool, paperCash } = this.#options;
    const session = await this.#lookups[isUrgent ? 'urgent' : 'other']
      .run(
        digestOf(request.headers.cookie ?? ''),
        () =>
          sessions.api.getSession({
            headers: webHeaders(request.headers),
            query: { disableCookieCache: true, disableRefresh: true },
          }),
        { waitMs: LOOKUP_WAIT_MS },
      )
      .catch((error: unknown) => {
        throw accountsUnavailable(error);
      });
    if (!session) return { principal: null, problem: credentialsMissing() };
    if (!this.#comesFromUs(request)) return { principal: null, problem: csrfRejected() };
    const { user } = session;
    const accountId = await findOrCreateAccountOfUser(pool, { userId: user.id, name: user.name, paperCash });
    if (mode === 'live' && !(await this.#hasLiveTradingAccount(accountId)))
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

  /** Whether there are live books. While live trading is on, the first request of a session opens them. */
  async #hasLiveTradingAccount(accountId: string): Promise<boolean> {
    const { pool, isLiveOn } = this.#options;
    if (this.#liveBooks.has(accountId)) return true;
    if (isLiveOn) await ensureLiveTradingAccount(pool, accountId);
    const hasBooks = await hasLiveTradingAccount(pool, accountId);
    if (hasBooks) this.#liveBooks.set(accountId, true);
    return hasBooks;
  }

  #comesFromUs(request: IncomingMessage): boolean {
    if (READING_METHODS.has(request.method ?? '')) return true;
    const { origin } = request.headers;
    return origin !== undefined && this.#options.trustedOrigins.has(origin);
  }

  /** A key of an account that has just moved stays good: its owner tries again, and the proxy knows the way by then. */
  async #refuseToken(db: Db, token: string, address: string): Promise<Refused> {
    if (await isMovedToken(db, token)) return { principal: null, problem: accountMoving() };
    return this.#refuse(address);
  }

  /** One answer for all bad credentials, so that it does not reveal which part was wrong. */
  async #refuse(address: string): Promise<Refused> {
    try {
      await this.#options.limits.consumeAuthFailure(address);
      return { principal: null, problem: credentialsInvalid() };
    } catch (tooMany) {
      if (tooMany instanceof DomainError) return { principal: null, problem: tooMany };
      throw tooMany;
    }
  }
}

type Refused = Extract<CallerResolution, { principal: null }>;

type Remembered = { known: VerifiedKey; fingerprint: string; token: string; address: string; share: Share };

const principalOf = ({ id, accountId, mode, start, scopes }: VerifiedKey): Principal => ({
  kind: 'key',
  accountId,
  mode,
  id,
  actor: `key:${id}`,
  label: start,
  scopes: scopesOf(scopes),
});

/** Digest of a cookie: a short name for a queue. */
const digestOf = (cookie: string): string => hash('sha256', cookie, 'base64');

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const web = new Headers();
  if (headers.cookie !== undefined) web.set('cookie', headers.cookie);
  return web;
}

const credentialsMissing = () => DomainError.of('credentials_missing');

const credentialsInvalid = () => DomainError.of('credentials_invalid');

const liveTradingOff = () => DomainError.of('live_trading_off');

const csrfRejected = () => DomainError.of('csrf_rejected');
