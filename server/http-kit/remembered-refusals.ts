import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Limits, RateLimitResult } from '../../routers/context.ts';
import type { Bucket } from '../../routers/principal.ts';
import { bucketOf, type Callable } from '../../routers/trpc.ts';

/** How long a refusal holds for credentials and bucket without another statement, in ms: far less than any window. */
const HOLDS_MS = 200;
const REFUSALS_MAX = 10_000;

/**
 * Remembers calls past their limit, by credentials: the next one is refused before its key or session is looked up. A flood of
 * refused calls then costs the database a few statements a second. A revoked key may get the same refusal for that long.
 */
export class RememberedRefusals {
  readonly #known = new LRUCache<string, RateLimitResult>({ max: REFUSALS_MAX, ttl: HOLDS_MS });

  /** Returns the refusal that all of these calls would get; undefined if one of them may pass. */
  of(credentials: string, calls: readonly Callable[]): RateLimitResult | undefined {
    if (this.#known.size === 0) return undefined;
    const known = calls.map(({ access, type }) =>
      this.#known.get(nameOf(credentials, access.kind === 'open' ? 'open' : bucketOf(access, type))),
    );
    return known.every((each) => each !== undefined) ? known[0] : undefined;
  }

  /** Wraps limits so that their refusals are remembered, each for its empty bucket: a call may count in several. */
  noting(limits: Limits, credentials: string): Limits {
    return {
      consume: async (principal, bucket) => {
        const consumed = await limits.consume(principal, bucket);
        if (consumed.refusal !== null) this.#known.set(nameOf(credentials, bucket), consumed);
        return consumed;
      },
      consumeForm: (address) => limits.consumeForm(address),
      forgiveForm: (address) => limits.forgiveForm(address),
    };
  }
}

/** Uses a digest: a header may be long, and is a secret. */
const nameOf = (credentials: string, bucket: Bucket | 'open'): string =>
  `${bucket} ${hash('sha256', credentials, 'base64')}`;
