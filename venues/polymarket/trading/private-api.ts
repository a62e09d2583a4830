/** Calls of venue B's private API: signed, sent once at half of a signer's rate limit, and never repeated here. */
import type { FeedClock } from '../../clock.ts';
import { VenueError } from '../../errors.ts';
import { RateLimiter, type RateLimiterOptions, type Urgency } from '../../http/rate-limiter.ts';
import { type MayLeave, NotSent, type OnceAnswer, type OnceRequest, sendOnce } from '../../http/send-once.ts';
import { SECOND_MS } from '../../time.ts';
import type { ApiCredentials } from './auth.ts';

/** The venue's URLs: its exchange, its index of positions, the site that knows regions, and the user stream. */
export type VenueHosts = {
  readonly clob: string;
  readonly data: string;
  readonly site: string;
  readonly stream: string;
};

export const LIVE_HOSTS: VenueHosts = {
  clob: 'https://clob.polymarket.com',
  data: 'https://data-api.polymarket.com',
  site: 'https://polymarket.com',
  stream: 'wss://ws-subscriptions-clob.polymarket.com',
};

/** The demo of a simulator, which serves all parts at one URL. */
export function demoHosts(origin: string): VenueHosts {
  const base = `${origin}/clob-demo`;
  return { clob: base, data: base, site: base, stream: base.replace(/^http/, 'ws') };
}

type Query = Readonly<Record<string, string | undefined>>;
type Method = 'GET' | 'POST' | 'DELETE';

/** An answer, and the venue's time of it; null if not stated. */
export type Answer = OnceAnswer & { readonly at: Date | null };

export type CallLimits = Readonly<Record<'places' | 'cancels' | 'reads', RateLimiterOptions>>;

/** Half of the limits: 40 orders and 80 cancels a second per signer, 500 reads in ten seconds per address. */
export const SIGNER_LIMITS: CallLimits = {
  places: { tokensPerSec: 20, burst: 30 },
  cancels: { tokensPerSec: 40, burst: 60 },
  reads: { tokensPerSec: 25, burst: 125 },
};
/** The simulated venue is ours: we send requests as fast as it answers. */
const SIMULATED = { tokensPerSec: 50_000, burst: 50_000 };
export const SIMULATED_LIMITS: CallLimits = { places: SIMULATED, cancels: SIMULATED, reads: SIMULATED };

const TIMEOUT_MS = 10 * SECOND_MS;

export class PrivateApi {
  readonly #hosts: VenueHosts;
  readonly #credentials: ApiCredentials;
  readonly #address: string;
  readonly #clock: FeedClock;
  readonly #limiters: Readonly<Record<keyof CallLimits, RateLimiter>>;

  /** `address`: of the signing key, which owns the credentials. */
  constructor(
    hosts: VenueHosts,
    credentials: ApiCredentials,
    address: string,
    clock: FeedClock,
    { places, cancels, reads }: CallLimits,
  ) {
    this.#limiters = {
      places: new RateLimiter(places),
      cancels: new RateLimiter(cancels),
      reads: new RateLimiter(reads),
    };
    this.#hosts = hosts;
    this.#credentials = credentials;
    this.#address = address;
    this.#clock = clock;
  }

  /**
   * A private call; `body` is sent byte for byte as signed. Throws a {@link NotSent} if the rate limit delayed it for too long
   * or `mayLeave` forbade it. Any other error means that no answer arrived.
   */
  async send(
    method: Method,
    path: string,
    { query = {}, body, mayLeave }: { query?: Query; body?: string; mayLeave?: MayLeave | undefined } = {},
  ): Promise<Answer> {
    const [kind, urgency] = limitOf(method, path);
    const limiter = this.#limiters[kind];
    await limiter.acquire('venue B', 1, urgency);
    const timeSec = Math.floor(this.#clock.now() / SECOND_MS);
    const call = { method, path, ...(body === undefined ? {} : { body }) };
    const headers = this.#credentials.headers(this.#address, call, timeSec);
    const answer = await this.#exchange(method, urlOf(this.#hosts.clob, path, query), headers, {
      ...(body !== undefined && { body }),
      mayLeave,
    });
    limiter.applyRetryAfter(answer);
    return answer;
  }

  /** A public read. */
  read(host: 'clob' | 'data' | 'site', path: string, query: Query = {}): Promise<Answer> {
    return this.#exchange('GET', urlOf(this.#hosts[host], path, query), {});
  }

  async #exchange(
    method: Method,
    url: URL,
    headers: Readonly<Record<string, string>>,
    { body, mayLeave }: Pick<OnceRequest, 'body' | 'mayLeave'> = {},
  ): Promise<Answer> {
    const all = {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const request = { method, url, headers: all, signal, mayLeave, ...(body === undefined ? {} : { body }) };
    const answer = await sendOnce(request).catch((cause: unknown) => {
      if (cause instanceof NotSent) throw cause;
      throw VenueError.unavailable('venue B did not answer', undefined, cause);
    });
    this.#clock.observe(answer.headers);
    return { ...answer, at: dateOf(answer.headers) };
  }
}

/** A heartbeat keeps every order alive, so no other request may delay it. */
function limitOf(method: Method, path: string): [keyof CallLimits, Urgency] {
  if (method === 'GET') return ['reads', 'ask'];
  return path === '/order' && method === 'POST' ? ['places', 'place'] : ['cancels', 'cancel'];
}

/** The body of a 200; any other status throws. */
export function bodyOf({ status, body }: Answer): unknown {
  if (status === 200 && body !== undefined) return body;
  throw VenueError.refused(status, `venue B answered with status ${status} and no usable body`);
}

function urlOf(base: string, path: string, query: Query): URL {
  const url = new URL(`${base}${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

function dateOf(headers: Headers): Date | null {
  const ms = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? null : new Date(ms);
}
