import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../engine/errors.ts';
import type { Bucket, Principal } from '../routers/principal.ts';
import type { Limits } from '../routers/trpc.ts';
import type { BucketName, RateLimits } from './config.ts';

/** An account may do twice what one of its keys may. */
const ACCOUNT_FACTOR = 2;

/**
 * Counts calls in this process, per key or session and per account. The brake (stop, reject, cancel, close,
 * revoke, risk rules) has a bucket of its own outside the account's: nothing may keep an operator from it.
 */
export class MemoryLimits implements Limits {
  readonly #limits: RateLimits;
  readonly #limiters = new Map<string, RateLimiterMemory>();

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  async consume(principal: Principal, bucket: Bucket): Promise<Record<string, string>> {
    if (this.#limits === 'off') return {};
    const limit = this.#limits[bucket];
    const mine = await this.#take(bucket, principal.id, 1);
    if (bucket !== 'brake') await this.#take(bucket, principal.accountId, ACCOUNT_FACTOR);
    return {
      'RateLimit-Policy': `"${bucket}";q=${limit.points};w=${limit.windowSec}`,
      RateLimit: `"${bucket}";r=${mine.remainingPoints};t=${secondsOf(mine)}`,
    };
  }

  async consumeForm(address: string): Promise<void> {
    await this.#take('form', address, 1);
  }

  /** Counts one refused credential; throws once there are too many from this address. */
  async consumeAuthFailure(address: string): Promise<void> {
    await this.#take('auth_failures', address, 1, 'too_many_auth_failures');
  }

  /** Counts one attempt to sign in. */
  async consumeSignIn(address: string, email: string | null): Promise<void> {
    await this.#take('sign_in_address', address, 1, 'too_many_auth_failures');
    if (email !== null) await this.#take('sign_in_email', email, 1, 'too_many_auth_failures');
  }

  async #take(
    bucket: BucketName,
    who: string,
    factor: number,
    code: 'rate_limited' | 'too_many_auth_failures' = 'rate_limited',
  ): Promise<RateLimiterRes> {
    if (this.#limits === 'off') return new RateLimiterRes();
    const { points, windowSec } = this.#limits[bucket];
    try {
      return await this.#limiter(bucket, factor).consume(who);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const retryAfterSec = Math.max(1, secondsOf(refusal));
      throw new DomainError(
        code,
        `Too many requests: at most ${points * factor} (${bucket.replaceAll('_', ' ')}) in ${windowSec} s. Wait ${retryAfterSec} s.`,
        { retryAfterSec },
      );
    }
  }

  #limiter(bucket: BucketName, factor: number): RateLimiterMemory {
    const name = `${bucket}:${factor}`;
    const known = this.#limiters.get(name);
    if (known || this.#limits === 'off') return known ?? new RateLimiterMemory({ points: 1, duration: 1 });
    const { points, windowSec } = this.#limits[bucket];
    const limiter = new RateLimiterMemory({ keyPrefix: name, points: points * factor, duration: windowSec });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

const secondsOf = (result: RateLimiterRes): number => Math.ceil(Math.max(0, result.msBeforeNext) / 1000);
