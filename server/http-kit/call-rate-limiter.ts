import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { DomainError } from '../../engine/platform/errors.ts';
import type { Limits, RateLimitResult } from '../../routers/context.ts';
import { tooManyRequests } from '../../routers/errors.ts';
import type { Bucket, Principal } from '../../routers/principal.ts';
import type { BucketName, RateLimits } from '../kernel/rate-limits.ts';

/** The limit of an account is twice that of one of its keys. */
const ACCOUNT_FACTOR = 2;

/** The limit of a network is ten times that of one of its addresses. */
const NETWORK_FACTOR = 10;

type RefusalCode = 'rate_limited' | 'too_many_auth_failures';

/** The result of one limiter for one call. */
type Count = { bucket: BucketName; policy: string; points: number; windowSec: number; left: RateLimiterRes };

/** A sign-in attempt. `browser` is a browser that has signed in with this e-mail before, by our own cookie. */
export type SignInAttempt = { address: string; email: string | null; browser: string | null };

/** Opens the limiter of one bucket, under a name of its own. */
export type OpenLimiter = (options: {
  keyPrefix: string;
  points: number;
  duration: number;
}) => RateLimiterAbstract;

/** Everything the service counts. */
export type ServiceLimits = Limits & {
  /** Counts a request without a caller; returns the refusal once there are too many from this address. */
  consumeAnonymous(address: string): Promise<DomainError | null>;
  /** Counts one refused credential; throws once there are too many from this address. */
  consumeAuthFailure(address: string): Promise<void>;
  /**
   * Counts a sign-in before its password is checked, so that concurrent attempts cannot exceed the limit. Throws past any limit
   * that applies. Call `forgiveSignIn` if it succeeds.
   *
   * Attempts from elsewhere do not lock out a known browser: it has a limit of its own.
   */
  countSignIn(attempt: SignInAttempt): Promise<void>;
  forgiveSignIn(attempt: SignInAttempt): Promise<void>;
  /** Counts an attempt to create a user; throws once there are too many from this address. */
  countSignUp(address: string): Promise<void>;
  forgiveSignUp(address: string): Promise<void>;
  /** Counts the registration of a client; throws once there are too many from this address or its network. */
  countRegistration(address: string): Promise<void>;
  /** Counts a password that a signed-in user confirms; throws once there are too many. */
  countPassword(userId: string): Promise<void>;
  forgivePassword(userId: string): Promise<void>;
  /** Counts a request for a mail to reset a password; throws once there are too many from this address. */
  countReset(address: string): Promise<void>;
  /**
   * Counts such a mail to an e-mail, and returns whether to send it. The owner is not refused because of requests by strangers.
   */
  mayMailReset(email: string): Promise<boolean>;
};

/**
 * Counts calls per key or session and per account, in this process unless another limiter is given. Urgent calls (stop, reject,
 * cancel, close, revoke, risk rules) have their own buckets, with a wide one per account. No other load may keep an operator
 * from them.
 */
export class CallRateLimiter implements ServiceLimits {
  readonly #limits: RateLimits;
  readonly #open: OpenLimiter;
  readonly #limiters = new Map<string, RateLimiterAbstract>();

  constructor(limits: RateLimits, open: OpenLimiter = (options) => new RateLimiterMemory(options)) {
    this.#limits = limits;
    this.#open = open;
  }

  /** A call refused for its key is not counted against the account: it takes nothing from the other keys. */
  async consume(principal: Pick<Principal, 'id' | 'accountId'>, bucket: Bucket): Promise<RateLimitResult> {
    const mine = await this.#count(bucket, principal.id);
    if (mine === null) return { headers: {}, refusal: null };
    const refusal = refusalOf(mine);
    if (refusal) return { headers: headersOf([mine]), refusal };
    if (bucket === 'brake') {
      const all = await this.#count('brake_account', principal.accountId);
      return { headers: headersOf([mine]), refusal: all && refusalOf(all) };
    }
    const accountCount = await this.#count(bucket, principal.accountId, ACCOUNT_FACTOR);
    if (accountCount === null) return { headers: headersOf([mine]), refusal };
    return { headers: headersOf([mine, accountCount]), refusal: refusalOf(accountCount) };
  }

  async consumeAnonymous(address: string): Promise<DomainError | null> {
    const count = await this.#count('anonymous', address);
    return count && refusalOf(count);
  }

  async consumeForm(address: string): Promise<RateLimitResult> {
    const count = await this.#count('form', address);
    return { headers: {}, refusal: count && refusalOf(count) };
  }

  async forgiveForm(address: string): Promise<void> {
    await this.#limiter('form', 1)?.reward(address);
  }

  async consumeAuthFailure(address: string): Promise<void> {
    throwRefusal(await this.#count('auth_failures', address), 'too_many_auth_failures');
  }

  async countSignIn(attempt: SignInAttempt): Promise<void> {
    for (const [bucket, who] of signInBuckets(attempt)) {
      throwRefusal(await this.#count(bucket, who), 'too_many_auth_failures');
    }
  }

  async forgiveSignIn(attempt: SignInAttempt): Promise<void> {
    for (const [bucket, who] of signInBuckets(attempt)) await this.#limiter(bucket, 1)?.reward(who);
  }

  async countSignUp(address: string): Promise<void> {
    throwRefusal(await this.#count('sign_up', address));
  }

  async forgiveSignUp(address: string): Promise<void> {
    await this.#limiter('sign_up', 1)?.reward(address);
  }

  async countRegistration(address: string): Promise<void> {
    throwRefusal(await this.#count('registration', address));
    throwRefusal(await this.#count('registration', networkOf(address), NETWORK_FACTOR));
  }

  async countPassword(userId: string): Promise<void> {
    throwRefusal(await this.#count('sign_in_email_address', `user ${userId}`), 'too_many_auth_failures');
  }

  async forgivePassword(userId: string): Promise<void> {
    await this.#limiter('sign_in_email_address', 1)?.reward(`user ${userId}`);
  }

  async countReset(address: string): Promise<void> {
    throwRefusal(await this.#count('password_reset', address));
  }

  async mayMailReset(email: string): Promise<boolean> {
    const count = await this.#count('password_reset_email', email.toLowerCase());
    return count === null || refusalOf(count) === null;
  }

  /** Null if nothing is counted. */
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

  #limiter(bucket: BucketName, factor: number): RateLimiterAbstract | null {
    if (this.#limits === 'off') return null;
    const name = `${bucket}:${factor}`;
    const known = this.#limiters.get(name);
    if (known) return known;
    const { points, windowSec } = this.#limits[bucket];
    const limiter = this.#open({ keyPrefix: name, points: points * factor, duration: windowSec });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

/** The /24 of IPv4, the /48 of IPv6: one site may have all addresses in it. */
const networkOf = (address: string): string => address.split(/[.:]/, 3).join('.');

/** In this order: a request refused for its address is not counted against the e-mail. */
function signInBuckets({ address, email, browser }: SignInAttempt): [BucketName, string][] {
  if (email !== null && browser !== null) return [['sign_in_email_address', `browser ${browser} ${email}`]];
  const here: [BucketName, string] = ['sign_in_address', address];
  if (email === null) return [here];
  return [here, ['sign_in_email_address', `${address} ${email}`], ['sign_in_email', email]];
}

/** Formats the rest and the policy as the structured fields of the IETF's draft on rate-limit headers. */
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
  return tooManyRequests({ what: bucket.replaceAll('_', ' '), points, windowSec }, retryAfterSec, code);
}

function throwRefusal(count: Count | null, code?: RefusalCode): void {
  const refusal = count && refusalOf(count, code);
  if (refusal) throw refusal;
}

const secondsOf = (left: RateLimiterRes): number => Math.ceil(Math.max(0, left.msBeforeNext) / 1000);
