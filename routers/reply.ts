import { DomainError } from '../engine/platform/errors.ts';

/** The extras that the answers of a route may have. */
export type Promised = { etag: boolean; pages: boolean };

/** The extras of one answer in addition to its body, as values. Each transport writes them in its own format. */
export type ReplyExtras = {
  /** The version of the answered resource. Sent back, it refuses a change if the version has changed meanwhile. */
  version?: number;
  /** Where the list continues. */
  nextCursor?: string;
  /** This is the answer of an earlier request with the same key. */
  replayed?: true;
};

/** The replies of a request, each at the index of its call. */
type Replies = { replies: Reply[] };

const ENTITY_TAG = /^"v(\d{1,9})"$/;

export const etagOf = (version: number): string => `"v${version}"`;

/**
 * The extras of one call's answer. It throws for an extra that the route has not promised, which is a defect of the route: the
 * description is made from the promise.
 */
export class Reply {
  readonly #promised: Promised;
  readonly #extras: ReplyExtras = {};
  #next: string | null = null;

  /** Adds itself to the request, at the index of its call in a batch. */
  constructor({ replies }: Replies, promised: Promised, index: number) {
    this.#promised = promised;
    replies[index] = this;
  }

  get extras(): Readonly<ReplyExtras> {
    return this.#extras;
  }

  /** Sets the version, over REST as a strong `ETag`. */
  version(version: number): void {
    if (!this.#promised.etag) throw new Error(`This route promises no version, and returns ${version}.`);
    this.#extras.version = version;
  }

  /** Sets an `ETag` again, as it was sent before. */
  etagAgain(etag: string): void {
    const version = ENTITY_TAG.exec(etag)?.[1];
    if (version === undefined) throw new Error(`${etag} was kept as an ETag.`);
    this.version(Number(version));
  }

  /** The `ETag` of this call, to be stored with its answer. */
  get sentEtag(): string | null {
    return this.#extras.version === undefined ? null : etagOf(this.#extras.version);
  }

  /** Sets the link to further rows. */
  next(path: string, query: URLSearchParams, cursor: string): void {
    if (!this.#promised.pages) throw new Error('This route promises no pages, and returns a cursor.');
    query.set('cursor', cursor);
    this.#extras.nextCursor = cursor;
    this.#next = `${path}?${query}`;
  }

  /** Marks this as the answer of an earlier request. */
  replayed(): void {
    this.#extras.replayed = true;
  }

  /** The same as HTTP headers; `Link` (RFC 8288) is relative to the API's own origin. */
  get headers(): Record<string, string> {
    const etag = this.sentEtag;
    return {
      ...(this.#extras.replayed && { 'Idempotent-Replayed': 'true' }),
      ...(etag !== null && { ETag: etag }),
      ...(this.#next !== null && { Link: `<${this.#next}>; rel="next"` }),
    };
  }
}

/** The headers of a request with one call: the rest of its limits, and its reply. */
export const headersOf = ({
  replyHeaders,
  replies,
}: Replies & { replyHeaders: Record<string, string> }): Record<string, string> => ({
  ...replyHeaders,
  ...replies[0]?.headers,
});

/** One call of a route, as values, with the extras of its answer. */
export type Call<Ctx, Input> = { ctx: Ctx; input: Input; reply: Reply };

/** A call as a route gets it. */
export type ReviewedCall<Ctx, Input> = Call<Ctx, Input> & {
  /** The version the caller reviewed, if the route reads `If-Match` and the caller sent one (and not `*`). */
  reviewedVersion: number | undefined;
};

/**
 * The version the caller reviewed, from `If-Match`, or undefined if it sent none (or `*`).
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
