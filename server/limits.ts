import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../engine/errors.ts';
import type { Bucket, Principal } from '../routers/principal.ts';
import type { Limits } from '../routers/trpc.ts';
import type { BucketName, RateLimits } from './config.ts';

/** An account may do twice what one of its keys may. */
const ACCOUNT_FACTOR = 2;

type HowCounted = { factor?: number; code?: 'rate_limited' | 'too_many_auth_failures' };
const AUTH_FAILURE: HowCounted = { code: 'too_many_auth_failures' };

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
    const mine = await this.#take(bucket, principal.id);
    if (bucket !== 'brake') await this.#take(bucket, principal.accountId, { factor: ACCOUNT_FACTOR });
    return {
      'RateLimit-Policy': `"${bucket}";q=${limit.points};w=${limit.windowSec}`,
      RateLimit: `"${bucket}";r=${mine.remainingPoints};t=${secondsOf(mine)}`,
    };
  }

  async consumeForm(address: string): Promise<void> {
    await this.#take('form', address);
  }

  /** Counts one refused credential; throws once there are too many from this address. */
  async consumeAuthFailure(address: string): Promise<void> {
    await this.#take('auth_failures', address, AUTH_FAILURE);
  }

  /** Throws once there were too many failed sign-ins from this address or for this e-mail. Counts nothing. */
  async refuseSignIn(address: string, email: string | null): Promise<void> {
    await this.#refuseSpent('sign_in_address', address);
    if (email !== null) await this.#refuseSpent('sign_in_email', email);
  }

  async countFailedSignIn(address: string, email: string | null): Promise<void> {
    await this.#take('sign_in_address', address, AUTH_FAILURE);
    if (email !== null) await this.#take('sign_in_email', email, AUTH_FAILURE);
  }

  async #take(bucket: BucketName, who: string, how: HowCounted = {}): Promise<RateLimiterRes> {
    if (this.#limits === 'off') return new RateLimiterRes();
    try {
      return await this.#limiter(bucket, how.factor ?? 1).consume(who);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany(bucket, this.#limits[bucket], refusal, how);
    }
  }

  async #refuseSpent(bucket: BucketName, who: string): Promise<void> {
    if (this.#limits === 'off') return;
    const spent = await this.#limiter(bucket, 1).get(who);
    const limit = this.#limits[bucket];
    if (spent && spent.consumedPoints >= limit.points) throw tooMany(bucket, limit, spent, AUTH_FAILURE);
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

function tooMany(
  bucket: BucketName,
  { points, windowSec }: { points: number; windowSec: number },
  refusal: RateLimiterRes,
  { factor = 1, code = 'rate_limited' }: HowCounted,
): DomainError {
  const retryAfterSec = Math.max(1, secondsOf(refusal));
  const what = bucket.replaceAll('_', ' ');
  return new DomainError(
    code,
    `Too many requests (${what}): at most ${points * factor} in ${windowSec} s. Wait ${retryAfterSec} s.`,
    { retryAfterSec },
  );
}

const secondsOf = (result: RateLimiterRes): number => Math.ceil(Math.max(0, result.msBeforeNext) / 1000);
