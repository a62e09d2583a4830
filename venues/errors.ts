/**
 * Why a venue's answer is missing. The caller maps `kind` to a status: `not_found` 404, `bad_request` 400, `unavailable` 503
 * with `Retry-After`. Messages are ours: they never repeat a venue's text.
 */
export type VenueErrorKind = 'not_found' | 'bad_request' | 'unavailable';

/** Refusals that do not depend on the request: this rate, this key, or heartbeats while another client sends them too. */
export type VenueRefusal = 'rate' | 'key' | 'heartbeat';

/** Seconds that a caller should wait if the venue stated no time. */
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
  /** Null if the refusal concerns this one request, or its cause is unknown. */
  readonly refusal: VenueRefusal | null;
  /** The venue answered, and the answer could not be parsed. */
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

  /** A parameter is invalid, so no request was sent. */
  static badRequest(message: string): VenueError {
    return new VenueError('bad_request', message);
  }

  /** The venue's answer is about something other than the requested `wanted`. */
  static mismatched(venue: string, wanted: string): VenueError {
    return VenueError.unreadable(`${venue} answered about something other than ${wanted}`);
  }

  /** The venue answered in an unknown shape. */
  static unreadable(message: string, cause?: unknown): VenueError {
    return new VenueError('unavailable', message, {
      retryAfterSec: DEFAULT_RETRY_AFTER_SEC,
      cause,
      isUnreadable: true,
    });
  }

  /** The venue refuses the request by its status: 401 and 403 concern the key, 418 and 429 the rate. */
  static refused(status: number, message: string): VenueError {
    const refusal = REFUSALS.get(status) ?? null;
    return new VenueError('unavailable', message, { retryAfterSec: DEFAULT_RETRY_AFTER_SEC, refusal });
  }

  /** The rate limit is reached, and nothing was sent. */
  static limited(message: string, retryAfterSec: number, cause?: unknown): VenueError {
    return new VenueError('unavailable', message, {
      retryAfterSec: wholeSec(retryAfterSec),
      cause,
      refusal: 'rate',
    });
  }

  /** Another client sends heartbeats with the same key. */
  static contested(message: string): VenueError {
    return new VenueError('unavailable', message, {
      retryAfterSec: DEFAULT_RETRY_AFTER_SEC,
      refusal: 'heartbeat',
    });
  }

  /** The venue is unreachable, slow or refusing, or its answer could not be parsed. */
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
