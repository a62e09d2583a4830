/** Every refusal the domain can state. HTTP is decided once, in `routers/errors.ts`. */
export const ERROR_CODES = [
  'validation_failed',
  'malformed_json',
  'payload_too_large',
  'unsupported_media_type',
  'cursor_invalid',
  'idempotency_key_invalid',
  'blueprint_invalid',
  'credentials_missing',
  'credentials_invalid',
  'insufficient_scope',
  'session_required',
  'csrf_rejected',
  'blueprint_running',
  'blueprint_holds_positions',
  'invalid_state',
  'intent_not_pending',
  'intent_expired',
  'price_moved',
  'risk_rule_violated',
  'no_liquidity',
  'market_not_open',
  'quota_exceeded',
  'not_found',
  'route_not_found',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'idempotency_replay_unavailable',
  'precondition_failed',
  'rate_limited',
  'too_many_auth_failures',
  'internal',
  'database_unavailable',
  'quote_unavailable',
  'upstream_unavailable',
  'overloaded',
  'shutting_down',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** One thing wrong with one part of a request. `path` is a JSON Pointer into what was sent. */
export type FieldIssue = { path: string; code: string; message: string };

export type DomainErrorDetails = {
  issues?: readonly FieldIssue[];
  /** Seconds after which asking again makes sense: becomes `Retry-After`. */
  retryAfterSec?: number;
  /** For the log only, never for the client. */
  cause?: unknown;
};

/** A refusal in words for the person who asked: what is wrong, with which value, what to do. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly issues: readonly FieldIssue[] | undefined;
  readonly retryAfterSec: number | undefined;

  constructor(code: ErrorCode, message: string, details: DomainErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.issues = details.issues;
    this.retryAfterSec = details.retryAfterSec;
  }
}

/** The one answer for what is missing and for what belongs to somebody else. */
export const notFound = () =>
  new DomainError('not_found', 'There is no such resource, or it belongs to another account.');
