import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { isTooBusy, isUnavailable } from '../db/failures.ts';
import { DomainError, type ErrorCode, type FieldIssue } from '../engine/errors.ts';
import { VenueError } from '../venues/port.ts';

/**
 * The only place where a refusal becomes a status. `satisfies` makes a new code a compile error here.
 * State conflicts are 403, "cannot perform the action"; 409, 412 and 422 need a header of the client's.
 */
export const TRPC_CODE = {
  validation_failed: 'BAD_REQUEST',
  malformed_json: 'BAD_REQUEST',
  payload_too_large: 'BAD_REQUEST',
  unsupported_media_type: 'BAD_REQUEST',
  cursor_invalid: 'BAD_REQUEST',
  idempotency_key_invalid: 'BAD_REQUEST',
  blueprint_invalid: 'BAD_REQUEST',
  credentials_missing: 'UNAUTHORIZED',
  credentials_invalid: 'UNAUTHORIZED',
  insufficient_scope: 'FORBIDDEN',
  session_required: 'FORBIDDEN',
  csrf_rejected: 'FORBIDDEN',
  blueprint_running: 'FORBIDDEN',
  blueprint_holds_positions: 'FORBIDDEN',
  invalid_state: 'FORBIDDEN',
  intent_not_pending: 'FORBIDDEN',
  intent_expired: 'FORBIDDEN',
  price_moved: 'FORBIDDEN',
  risk_rule_violated: 'FORBIDDEN',
  no_liquidity: 'FORBIDDEN',
  market_not_open: 'FORBIDDEN',
  quota_exceeded: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  route_not_found: 'NOT_FOUND',
  idempotency_key_in_use: 'CONFLICT',
  idempotency_key_reused: 'UNPROCESSABLE_CONTENT',
  idempotency_replay_unavailable: 'UNPROCESSABLE_CONTENT',
  precondition_failed: 'PRECONDITION_FAILED',
  rate_limited: 'TOO_MANY_REQUESTS',
  too_many_auth_failures: 'TOO_MANY_REQUESTS',
  internal: 'INTERNAL_SERVER_ERROR',
  database_unavailable: 'SERVICE_UNAVAILABLE',
  quote_unavailable: 'SERVICE_UNAVAILABLE',
  upstream_unavailable: 'SERVICE_UNAVAILABLE',
  overloaded: 'SERVICE_UNAVAILABLE',
  shutting_down: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<ErrorCode, TRPCError['code']>;

const HTTP_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  UNPROCESSABLE_CONTENT: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<(typeof TRPC_CODE)[ErrorCode], number>;

export const statusOf = (error: DomainError): number => HTTP_STATUS[TRPC_CODE[error.code]];

/** What a client sees of an error, on REST as the whole body and on tRPC under `data.error`. */
export type ErrorView = {
  message: string;
  code: ErrorCode;
  issues?: readonly FieldIssue[];
  requestId: string;
};

export const viewError = (error: DomainError, requestId: string): ErrorView => ({
  message: error.message,
  code: error.code,
  ...(error.issues && { issues: error.issues }),
  requestId,
});

/** The contract's error body: the same text in both places, so that a client may read either. */
export const errorBody = (error: DomainError, requestId: string) => ({
  error: viewError(error, requestId),
  message: error.message,
});

/** Any thrown value as a refusal in our words. What nobody foresaw is `internal`, with its cause for the log. */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof VenueError) return venueRefusal(thrown);
  if (thrown instanceof z.ZodError) return validationFailed(thrown);
  if (thrown instanceof TRPCError) return fromTrpc(thrown);
  return fromDatabase(thrown) ?? internal(thrown);
}

function fromTrpc(error: TRPCError): DomainError {
  const { cause } = error;
  if (cause instanceof DomainError) return cause;
  if (error.code === 'BAD_REQUEST' && cause instanceof z.ZodError) return validationFailed(cause);
  if (cause instanceof Error && error.code === 'INTERNAL_SERVER_ERROR') return toDomainError(cause);
  if (error.code === 'NOT_FOUND' || error.code === 'METHOD_NOT_SUPPORTED') return routeNotFound();
  if (error.code === 'PARSE_ERROR' || error.code === 'BAD_REQUEST') {
    return new DomainError('malformed_json', 'The request is not valid JSON of the shape tRPC expects.');
  }
  return internal(error);
}

const internal = (cause: unknown) => new DomainError('internal', 'Unexpected server error.', { cause });

export const routeNotFound = () =>
  new DomainError('route_not_found', 'There is no such route. See /openapi.json for every method and path.');

function venueRefusal(error: VenueError): DomainError {
  switch (error.kind) {
    case 'not_found':
      return new DomainError('not_found', error.message);
    case 'bad_request':
      return new DomainError('validation_failed', error.message);
    case 'unavailable':
      return new DomainError('upstream_unavailable', error.message, {
        retryAfterSec: error.retryAfterSec ?? 5,
        cause: error,
      });
  }
}

/** The most issues one answer lists. */
export const ISSUES_MAX = 100;

/** Zod's findings as our issues, and a first sentence that names the first of them. */
export function validationFailed(error: z.ZodError): DomainError {
  const issues = error.issues.slice(0, ISSUES_MAX).flatMap(fieldIssues).slice(0, ISSUES_MAX);
  const first = issues[0];
  const where = first && first.path !== '' ? ` at ${first.path}` : '';
  return new DomainError(
    'validation_failed',
    first ? `Request validation failed${where}: ${first.message}` : 'Request validation failed.',
    { issues },
  );
}

function fieldIssues(issue: z.core.$ZodIssue): FieldIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, ISSUES_MAX).map((key) => ({
      path: pointer([...issue.path, key]),
      code: issue.code,
      message: 'unknown field; see /openapi.json for the ones this request takes',
    }));
  }
  return [{ path: pointer(issue.path), code: issue.code, message: issue.message }];
}

/** RFC 6901. A name of the caller's is not given back at any length. */
export const pointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${shortened(String(part)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const PART_LENGTH_MAX = 120;
const shortened = (part: string): string =>
  part.length > PART_LENGTH_MAX ? `${part.slice(0, PART_LENGTH_MAX)}…` : part;

/** What passes by itself is worth another try; null for everything else. */
function fromDatabase(thrown: unknown): DomainError | null {
  if (isUnavailable(thrown)) {
    return new DomainError('database_unavailable', 'The database does not answer. Try again in a moment.', {
      retryAfterSec: 2,
      cause: thrown,
    });
  }
  if (!isTooBusy(thrown)) return null;
  return new DomainError('overloaded', 'The service is busy. Try again in a moment.', {
    retryAfterSec: 1,
    cause: thrown,
  });
}
