import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../engine/errors.ts';
import type { Bucket, Principal } from '../routers/principal.ts';
import type { Consumed, Limits } from '../routers/trpc.ts';
import type { BucketName, RateLimits } from './config.ts';

/** An account may do twice what one of its keys may. */
const ACCOUNT_FACTOR = 2;

type RefusalCode = 'rate_limited' | 'too_many_auth_failures';

/** What one limiter said of one call. */
type Count = { bucket: BucketName; policy: string; points: number; windowSec: number; left: RateLimiterRes };

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

  /** A call its own key may not make is not counted against the account: it takes nothing from the other keys. */
  async consume(principal: Principal, bucket: Bucket): Promise<Consumed> {
    const mine = await this.#count(bucket, principal.id);
    if (mine === null) return { headers: {}, refusal: null };
    const refusal = refusalOf(mine);
    if (refusal || bucket === 'brake') return { headers: headersOf([mine]), refusal };
    const whole = await this.#count(bucket, principal.accountId, ACCOUNT_FACTOR);
    if (whole === null) return { headers: headersOf([mine]), refusal };
    return { headers: headersOf([mine, whole]), refusal: refusalOf(whole) };
  }

  async consumeForm(address: string): Promise<void> {
    throwRefusal(await this.#count('form', address));
  }

  /** Counts one refused credential; throws once there are too many from this address. */
  async consumeAuthFailure(address: string): Promise<void> {
    throwRefusal(await this.#count('auth_failures', address), 'too_many_auth_failures');
  }

  /**
   * Counts a sign-in before its password is looked at, so that no number of attempts at once gets past the limit.
   * Throws past the limits of its address or its e-mail. Give it back by {@link forgiveSignIn} if it succeeds.
   */
  async countSignIn(address: string, email: string | null): Promise<void> {
    throwRefusal(await this.#count('sign_in_address', address), 'too_many_auth_failures');
    if (email !== null) throwRefusal(await this.#count('sign_in_email', email), 'too_many_auth_failures');
  }

  async forgiveSignIn(address: string, email: string | null): Promise<void> {
    await this.#limiter('sign_in_address', 1)?.reward(address);
    if (email !== null) await this.#limiter('sign_in_email', 1)?.reward(email);
  }

  /** Null where nothing is counted. */
  async #count(bucket: BucketName, who: string, factor = 1): Promise<Count | null> {
    const limiter = this.#limiter(bucket, factor);
    if (!limiter) return null;
    const left = await limiter.consume(who).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const policy = factor === 1 ? bucket : 'account';
    return { bucket, policy, points: limiter.points, windowSec: limiter.duration, left };
  }

  #limiter(bucket: BucketName, factor: number): RateLimiterMemory | null {
    if (this.#limits === 'off') return null;
    const name = `${bucket}:${factor}`;
    const known = this.#limiters.get(name);
    if (known) return known;
    const { points, windowSec } = this.#limits[bucket];
    const limiter = new RateLimiterMemory({ keyPrefix: name, points: points * factor, duration: windowSec });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

/** What is left and what the policy is, in the structured fields of the IETF's draft on rate-limit headers. */
function headersOf(counts: readonly Count[]): Record<string, string> {
  const list = (item: (count: Count) => string) => counts.map(item).join(', ');
  return {
    'RateLimit-Policy': list(({ policy, points, windowSec }) => `"${policy}";q=${points};w=${windowSec}`),
    RateLimit: list(({ policy, left }) => `"${policy}";r=${left.remainingPoints};t=${secondsOf(left)}`),
  };
}

function refusalOf(count: Count, code: RefusalCode = 'rate_limited'): DomainError | null {
  const { bucket, points, windowSec, left } = count;
  if (left.consumedPoints <= points) return null;
  const retryAfterSec = Math.max(1, secondsOf(left));
  const what = bucket.replaceAll('_', ' ');
  return new DomainError(
    code,
    `Too many requests (${what}): at most ${points} in ${windowSec} s. Wait ${retryAfterSec} s.`,
    { retryAfterSec },
  );
}

function throwRefusal(count: Count | null, code?: RefusalCode): void {
  const refusal = count && refusalOf(count, code);
  if (refusal) throw refusal;
}

const secondsOf = (left: RateLimiterRes): number => Math.ceil(Math.max(0, left.msBeforeNext) / 1000);
