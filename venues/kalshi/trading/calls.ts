/** Signed requests of one connection, each sent once, at half the venue's rate limit of a member. */
import { VenueError } from '../../errors.ts';
import { RateLimiter, type RateLimiterOptions, type Urgency } from '../../http/rate-limiter.ts';
import { type MayLeave, NotSent, type OnceAnswer, sendOnce } from '../../http/send-once.ts';
import { SECOND_MS } from '../../time.ts';
import type { Outgoing } from './request.ts';
import { BASE_PATH, type KalshiSigner } from './sign.ts';

/** The URLs of the API, without the base path that all environments have. */
export type KalshiHosts = {
  readonly rest: string;
  readonly stream: string;
};

export type KalshiEnvironment = 'demo' | 'live';

/** Never taken from a user: a key is only ever sent to the host of its environment. */
export const HOSTS: Readonly<Record<KalshiEnvironment, KalshiHosts>> = {
  live: { rest: 'https://external-api.kalshi.com', stream: 'wss://external-api-ws.kalshi.com' },
  demo: { rest: 'https://external-api.demo.kalshi.co', stream: 'wss://external-api-ws.demo.kalshi.co' },
};

/** The simulated venue's URLs, below the origin of a simulator. */
export function simulatedHosts(origin: string, environment: KalshiEnvironment): KalshiHosts {
  const rest = `${origin}/kalshi${environment === 'live' ? '' : `-${environment}`}`;
  return { rest, stream: rest.replace(/^http/, 'ws') };
}

export type CallLimits = { readonly reads: RateLimiterOptions; readonly writes: RateLimiterOptions };

/** Half of the lowest tier's limits: 200 tokens a second for reads and 100 for writes. */
const MEMBER_LIMITS: CallLimits = {
  reads: { tokensPerSec: 100, burst: 100 },
  writes: { tokensPerSec: 50, burst: 50 },
};
/** The simulated venue is ours: we send requests as fast as it answers. */
export const SIMULATED_LIMITS: CallLimits = {
  reads: { tokensPerSec: 50_000, burst: 50_000 },
  writes: { tokensPerSec: 50_000, burst: 50_000 },
};
const COST = 10;
/** Tokens for a cancel, or for a read of one order. */
const SMALL_COST = 2;

const WAIT_MAX_MS = 10 * SECOND_MS;

export type CallsOptions = {
  readonly signer: KalshiSigner;
  readonly hosts: KalshiHosts;
  /** The best estimate of the venue's time, epoch ms. */
  readonly now: () => number;
  /** Timeout of an answer; default 10 s. */
  readonly timeoutMs?: number;
  /** Default: the limits of every member. */
  readonly limits?: CallLimits;
};

export class Calls {
  readonly #options: CallsOptions;
  readonly #reads: RateLimiter;
  readonly #writes: RateLimiter;

  constructor(options: CallsOptions) {
    const { reads, writes } = options.limits ?? MEMBER_LIMITS;
    this.#options = options;
    this.#reads = new RateLimiter(reads);
    this.#writes = new RateLimiter(writes);
  }

  /**
   * Sends a request once. `signedForMs`: the moment in its signature; default: when it is sent. Throws {@link NotSent} if the
   * rate limit delayed it for too long or `mayLeave` forbade it. Any other error means that no answer arrived.
   */
  async send(
    outgoing: Outgoing,
    urgency: Urgency,
    { signedForMs, mayLeave }: { signedForMs?: number; mayLeave?: MayLeave | undefined } = {},
  ): Promise<OnceAnswer> {
    const { signer, hosts, now, timeoutMs = WAIT_MAX_MS } = this.#options;
    const { method, path, body } = outgoing;
    const limiter = this.#limiterFor(outgoing);
    const isSmall = method === 'DELETE' || /^\/portfolio\/orders\/./.test(path);
    await limiter.acquire('venue A', isSmall ? SMALL_COST : COST, urgency);
    const signed = signer.headers(method, `${BASE_PATH}${path}`, signedForMs ?? now());
    const answer = await sendOnce({
      method,
      url: new URL(`${hosts.rest}${BASE_PATH}${path}`),
      headers: { ...signed, ...(body !== undefined && JSON_BODY) },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(timeoutMs),
      mayLeave,
    }).catch((cause: unknown) => {
      if (cause instanceof NotSent) throw cause;
      throw VenueError.unavailable('venue A did not answer', undefined, cause);
    });
    limiter.applyRetryAfter(answer);
    return answer;
  }

  #limiterFor({ method }: Outgoing): RateLimiter {
    return method === 'GET' ? this.#reads : this.#writes;
  }
}

const JSON_BODY = { 'content-type': 'application/json' };
