import { DomainError } from '../engine/errors.ts';
import type { Context } from './trpc.ts';

/** Which headers the answers of a route may carry. */
export type Promised = { etag: boolean; pages: boolean };

/**
 * The headers of one call's answer. A route that sends what it has not promised is a fault of the route, so it throws: the
 * description is made from the promise.
 */
export class Reply {
  readonly #headers: Record<string, string>;
  readonly #promised: Promised;
  #etag: string | null = null;

  constructor({ replyHeaders }: Context, promised: Promised) {
    this.#headers = replyHeaders;
    this.#promised = promised;
  }

  /** Answers the strong `ETag` of a version. */
  etag(version: number): void {
    this.etagAgain(`"v${version}"`);
  }

  /** Answers an `ETag` as it was answered before. */
  etagAgain(etag: string): void {
    if (!this.#promised.etag) throw new Error(`This route promises no ETag, and answers ${etag}.`);
    this.#etag = etag;
    this.#headers['ETag'] = etag;
  }

  /** The `ETag` of this call: in a tRPC batch the header may be that of another. */
  get sentEtag(): string | null {
    return this.#etag;
  }

  /** Says where further rows are (RFC 8288), relative to the API's own origin. */
  next(target: string): void {
    if (!this.#promised.pages) throw new Error('This route promises no pages, and answers a Link.');
    this.#headers['Link'] = `<${target}>; rel="next"`;
  }

  /** Says that this is the answer of an earlier request. */
  replayed(): void {
    this.#headers['Idempotent-Replayed'] = 'true';
  }
}

/** One call of a route, in values, with what its answer may carry besides the body. */
export type Call<Ctx, Input> = { ctx: Ctx; input: Input; reply: Reply };

/** A call as a route gets it. */
export type ReviewedCall<Ctx, Input> = Call<Ctx, Input> & {
  /** The version the caller reviewed, where the route reads `If-Match` and there was one (and not `*`). */
  reviewedVersion: number | undefined;
};

const ENTITY_TAG = /^"v(\d{1,9})"$/;

/**
 * The version the caller reviewed, from `If-Match`, or undefined where it sent none (or `*`).
 *
 * @throws DomainError `precondition_failed` for a tag that cannot be one of ours: it matches nothing.
 */
export function reviewedVersion({ ifMatch }: Context): number | undefined {
  if (ifMatch === null || ifMatch === '*') return undefined;
  const version = ENTITY_TAG.exec(ifMatch)?.[1];
  if (version === undefined) {
    throw new DomainError(
      'precondition_failed',
      `If-Match is ${JSON.stringify(ifMatch.slice(0, 40))}, which is no ETag of this resource.`,
    );
  }
  return Number(version);
}
