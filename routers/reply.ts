import { DomainError } from '../engine/platform/errors.ts';

/** The extras that the answers of a route may carry. */
export type Promised = { etag: boolean; pages: boolean };

/** One answer's extras beyond its body, in values. Each transport writes them in its own way. */
export type ReplyExtras = {
  /** The version of what is answered: sent back, a change is refused where the version is another by then. */
  version?: number;
  /** Where the list continues. */
  nextCursor?: string;
  /** This is the answer of an earlier request with the same key. */
  replayed?: true;
};

/** The replies of a request, each by the place of its call. */
type Replies = { replies: Reply[] };

const ENTITY_TAG = /^"v(\d{1,9})"$/;

export const etagOf = (version: number): string => `"v${version}"`;

/**
 * The extras of one call's answer. A route that sends what it has not promised is a fault of the route, so it throws: the
 * description is made from the promise.
 */
export class Reply {
  readonly #promised: Promised;
  readonly #extras: ReplyExtras = {};
  #next: string | null = null;

  /** Files itself in the request, under the place of its call in a batch. */
  constructor({ replies }: Replies, promised: Promised, place: number) {
    this.#promised = promised;
    replies[place] = this;
  }

  get extras(): Readonly<ReplyExtras> {
    return this.#extras;
  }

  /** Answers the version, over REST as a strong `ETag`. */
  version(version: number): void {
    if (!this.#promised.etag) throw new Error(`This route promises no version, and answers ${version}.`);
    this.#extras.version = version;
  }

  /** Answers an `ETag` as it was answered before. */
  etagAgain(etag: string): void {
    const version = ENTITY_TAG.exec(etag)?.[1];
    if (version === undefined) throw new Error(`${etag} was kept as an ETag.`);
    this.version(Number(version));
  }

  /** The `ETag` of this call, to be kept with its answer. */
  get sentEtag(): string | null {
    return this.#extras.version === undefined ? null : etagOf(this.#extras.version);
  }

  /** Says where further rows are. */
  next(path: string, query: URLSearchParams, cursor: string): void {
    if (!this.#promised.pages) throw new Error('This route promises no pages, and answers a cursor.');
    query.set('cursor', cursor);
    this.#extras.nextCursor = cursor;
    this.#next = `${path}?${query}`;
  }

  /** Says that this is the answer of an earlier request. */
  replayed(): void {
    this.#extras.replayed = true;
  }

  /** The same as HTTP says it; `Link` (RFC 8288) is relative to the API's own origin. */
  get headers(): Record<string, string> {
    const etag = this.sentEtag;
    return {
      ...(this.#extras.replayed && { 'Idempotent-Replayed': 'true' }),
      ...(etag !== null && { ETag: etag }),
      ...(this.#next !== null && { Link: `<${this.#next}>; rel="next"` }),
    };
  }
}

/** The headers of a request with one call: what is left of its limits, and its reply. */
export const headersOf = ({
  replyHeaders,
  replies,
}: Replies & { replyHeaders: Record<string, string> }): Record<string, string> => ({
  ...replyHeaders,
  ...replies[0]?.headers,
});

/** One call of a route, in values, with what its answer may carry besides the body. */
export type Call<Ctx, Input> = { ctx: Ctx; input: Input; reply: Reply };

/** A call as a route gets it. */
export type ReviewedCall<Ctx, Input> = Call<Ctx, Input> & {
  /** The version the caller reviewed, where the route reads `If-Match` and there was one (and not `*`). */
  reviewedVersion: number | undefined;
};

/**
 * The version the caller reviewed, from `If-Match`, or undefined where it sent none (or `*`).
 *
 * @throws DomainError `precondition_failed` for a tag that cannot be one of ours: it matches nothing.
 */
export function reviewedVersion({ ifMatch }: { ifMatch: string | null }): number | undefined {
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
