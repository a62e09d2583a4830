/** Signed requests of one connection, each sent once, at half the rate that the venue allows a member. */
import { VenueError } from '../../errors.ts';
import { type OnceAnswer, sendOnce } from '../../send-once.ts';
import { SECOND_MS } from '../../time.ts';
import { Turns, type TurnsOptions, type Urgency } from '../../turns.ts';
import type { Outgoing } from './request.ts';
import { BASE_PATH, type KalshiSigner } from './sign.ts';

/** Where the API is: before the base path, which every environment has. */
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

/** The simulated venue's, below the origin of a simulator. */
export function simulatedHosts(origin: string, environment: KalshiEnvironment): KalshiHosts {
  const rest = `${origin}/kalshi${environment === 'live' ? '' : `-${environment}`}`;
  return { rest, stream: rest.replace(/^http/, 'ws') };
}

export type CallLimits = { readonly reads: TurnsOptions; readonly writes: TurnsOptions };

/** Half of what the lowest tier has: 200 tokens a second for reads and 100 for writes. */
const MEMBER_LIMITS: CallLimits = {
  reads: { tokensPerSec: 100, burst: 100 },
  writes: { tokensPerSec: 50, burst: 50 },
};
/** The simulated venue is ours, and asked as fast as it answers. */
export const SIMULATED_LIMITS: CallLimits = {
  reads: { tokensPerSec: 50_000, burst: 50_000 },
  writes: { tokensPerSec: 50_000, burst: 50_000 },
};
const COST = 10;
/** Of a cancel, or of a read of one order. */
const SMALL_COST = 2;

/** A venue that names no time to rest is left alone for a second, and somewhat longer at random. */
const REST_MS = SECOND_MS;
const REST_MAX_MS = 60 * SECOND_MS;
const WAIT_MAX_MS = 10 * SECOND_MS;

/** The request has not left: nobody has to be asked what became of it. */
export class NotSent extends Error {}

export type CallsOptions = {
  readonly signer: KalshiSigner;
  readonly hosts: KalshiHosts;
  /** The venue's time as well as it is known, epoch ms. */
  readonly now: () => number;
  /** How long an answer is waited for; default 10 s. */
  readonly timeoutMs?: number;
  /** Default: what every member may. */
  readonly limits?: CallLimits;
};

export class Calls {
  readonly #options: CallsOptions;
  readonly #reads: Turns;
  readonly #writes: Turns;

  constructor(options: CallsOptions) {
    const { reads, writes } = options.limits ?? MEMBER_LIMITS;
    this.#options = options;
    this.#reads = new Turns(reads);
    this.#writes = new Turns(writes);
  }

  /**
   * Sends a request once. `signedForMs`: the moment its signature names; default that of sending. Throws {@link NotSent}
   * where its turn did not come, anything else where no answer came.
   */
  async send(outgoing: Outgoing, urgency: Urgency, signedForMs?: number): Promise<OnceAnswer> {
    const { signer, hosts, now, timeoutMs = WAIT_MAX_MS } = this.#options;
    const { method, path, body } = outgoing;
    await this.#turn(outgoing, urgency);
    const signed = signer.headers(method, `${BASE_PATH}${path}`, signedForMs ?? now());
    const answer = await sendOnce({
      method,
      url: new URL(`${hosts.rest}${BASE_PATH}${path}`),
      headers: { ...signed, accept: 'application/json', ...(body !== undefined && JSON_BODY) },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw VenueError.unavailable('venue A did not answer', undefined, cause);
    });
    if (answer.status === 429) this.#turns(outgoing).rest(restMs(answer.headers));
    return answer;
  }

  async #turn(outgoing: Outgoing, urgency: Urgency): Promise<void> {
    const isSmall = outgoing.method === 'DELETE' || /^\/portfolio\/orders\/./.test(outgoing.path);
    try {
      const signal = AbortSignal.timeout(WAIT_MAX_MS);
      await this.#turns(outgoing).take(isSmall ? SMALL_COST : COST, urgency, signal);
    } catch (cause) {
      throw new NotSent('the rate that venue A allows is used up', { cause });
    }
  }

  #turns({ method }: Outgoing): Turns {
    return method === 'GET' ? this.#reads : this.#writes;
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

function restMs(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  if (seconds > 0) return Math.min(seconds * SECOND_MS, REST_MAX_MS);
  return REST_MS * (1 + Math.random() / 2);
}
