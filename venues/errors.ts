/**
 * Why a venue's answer is not there. The caller maps `kind` to a status: `not_found` 404, `bad_request` 400,
 * `unavailable` 503 with `Retry-After`. Messages are ours: they never repeat what a venue sent.
 */
export type VenueErrorKind = 'not_found' | 'bad_request' | 'unavailable';

/** What a venue refuses whatever is asked: this rate of requests, this key, or signs of life while others give them too. */
export type VenueRefusal = 'rate' | 'key' | 'heartbeat';

/** Seconds a caller should wait where the venue named no time of its own. */
export const DEFAULT_RETRY_AFTER_SEC = 5;

type Facts = {
  readonly retryAfterSec?: number | null;
  readonly cause?: unknown;
  readonly refusal?: VenueRefusal | null;
  readonly isUnreadable?: boolean;
};

const wholeSec = (sec: number): number => Math.max(1, Math.ceil(sec));

export class VenueError extends Error {
  override readonly name = 'VenueError';
  readonly kind: VenueErrorKind;
  /** Whole seconds, at least 1; only an `unavailable` error has it. */
  readonly retryAfterSec: number | null;
  /** Null where it is about this one request, or where nobody knows. */
  readonly refusal: VenueRefusal | null;
  /** The venue answered, and nobody here can read what. */
  readonly isUnreadable: boolean;

  private constructor(
    kind: VenueErrorKind,
    message: string,
    { retryAfterSec = null, cause, refusal = null, isUnreadable = false }: Facts = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.retryAfterSec = retryAfterSec;
    this.refusal = refusal;
    this.isUnreadable = isUnreadable;
  }

  /** The venue has no such ticker, slug, token or symbol. */
  static notFound(message: string): VenueError {
    return new VenueError('not_found', message);
  }

  /** A parameter cannot be right, so no venue was asked. */
  static badRequest(message: string): VenueError {
    return new VenueError('bad_request', message);
  }

  /** The venue answered, but about something else than the `wanted` it was asked for. */
  static mismatched(venue: string, wanted: string): VenueError {
    return VenueError.unreadable(`${venue} was asked about ${wanted} and answered about something else`);
  }

  /** The venue answered, in another shape than is known of it. */
  static unreadable(message: string, cause?: unknown): VenueError {
    return new VenueError('unavailable', message, {
      retryAfterSec: DEFAULT_RETRY_AFTER_SEC,
      cause,
      isUnreadable: true,
    });
  }

  /** The venue refuses what it is asked for by its status: 401 and 403 are about the key, 418 and 429 about the rate. */
  static refused(status: number, message: string): VenueError {
    const refusal = REFUSALS.get(status) ?? null;
    return new VenueError('unavailable', message, { retryAfterSec: DEFAULT_RETRY_AFTER_SEC, refusal });
  }

  /** The venue wants fewer requests, and nothing was sent. */
  static limited(message: string, retryAfterSec: number, cause?: unknown): VenueError {
    return new VenueError('unavailable', message, {
      retryAfterSec: wholeSec(retryAfterSec),
      cause,
      refusal: 'rate',
    });
  }

  /** Somebody else gives signs of life with the same key. */
  static contested(message: string): VenueError {
    return new VenueError('unavailable', message, {
      retryAfterSec: DEFAULT_RETRY_AFTER_SEC,
      refusal: 'heartbeat',
    });
  }

  /** The venue is unreachable, slow, refusing or sending what cannot be read. */
  static unavailable(message: string, retryAfterSec = DEFAULT_RETRY_AFTER_SEC, cause?: unknown): VenueError {
    return new VenueError('unavailable', message, { retryAfterSec: wholeSec(retryAfterSec), cause });
  }
}

const REFUSALS: ReadonlyMap<number, VenueRefusal> = new Map([
  [401, 'key'],
  [403, 'key'],
  [418, 'rate'],
  [429, 'rate'],
]);
