import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { isTooBusy, isUnavailable } from '../db/database-errors.ts';
import { WaitedTooLong } from '../db/fair-queue.ts';
import { ERRORS, type ErrorCode, type ErrorStatus } from '../engine/platform/error-table.ts';
import { DomainError, type FieldIssue, invalid, issueText } from '../engine/platform/errors.ts';
import { VenueError } from '../venues/port.ts';
import type { LiveScope, Scope } from './scopes.ts';

const TRPC_CODE = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<ErrorStatus, TRPCError['code']>;

export const statusOf = ({ code }: DomainError): ErrorStatus => ERRORS[code].status;

export const trpcCodeOf = (error: DomainError): TRPCError['code'] => TRPC_CODE[statusOf(error)];

/** An error for clients: on REST the whole body, on tRPC under `data.error`. */
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

/** The contract's error body: the same text in both fields, so that a client may read either. */
export const errorBody = (error: DomainError, requestId: string) => ({
  error: viewError(error, requestId),
  message: error.message,
});

/**
 * Converts any thrown value to a refusal. An unforeseen error is `internal`, with its cause for the log. So is an invalid value
 * outside the request, such as an answer of ours or a stored row.
 */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof VenueError) return venueRefusal(thrown);
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

const internal = (cause: unknown) => DomainError.of('internal', { cause });

export const routeNotFound = () => DomainError.of('route_not_found');

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

/** The most issues in one answer. */
export const ISSUES_MAX = 100;

/** Converts Zod's findings to our issues, and a first sentence that names the first of them. */
export function validationFailed(error: z.ZodError): DomainError {
  const issues = error.issues.slice(0, ISSUES_MAX).flatMap(fieldIssues).slice(0, ISSUES_MAX);
  return invalid(issues);
}

/** The same for an input that no schema has parsed yet. */
export const invalidRequest = (issues: readonly FieldIssue[]) => invalid(issues, `${issueText(issues)}.`);

function fieldIssues(issue: z.core.$ZodIssue): FieldIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, ISSUES_MAX).map((key) => ({
      path: pointer([...issue.path, key]),
      code: issue.code,
      message: 'unknown field; the description of this operation lists its fields',
    }));
  }
  return [{ path: pointer(issue.path), code: issue.code, message: issue.message }];
}

/** A JSON pointer (RFC 6901). Long names from the caller are shortened. */
export const pointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${shortened(String(part)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const PART_LENGTH_MAX = 120;
const shortened = (part: string): string =>
  part.length > PART_LENGTH_MAX ? `${part.slice(0, PART_LENGTH_MAX)}…` : part;

/** A temporary error is worth a retry; null for everything else. */
function fromDatabase(thrown: unknown): DomainError | null {
  if (thrown instanceof WaitedTooLong) return overloaded(thrown);
  if (isUnavailable(thrown)) {
    return DomainError.of('database_unavailable', { retryAfterSec: 2, cause: thrown });
  }
  return isTooBusy(thrown) ? overloaded(thrown) : null;
}

const overloaded = (cause: unknown) => DomainError.of('overloaded', { retryAfterSec: 1, cause });

/** The subject of a limit, and its numbers for the message. */
export type Limit = { what: string; points: number; windowSec: number };

export const tooManyRequests = (
  { what, points, windowSec }: Limit,
  retryAfterSec: number,
  code: 'rate_limited' | 'too_many_auth_failures' = 'rate_limited',
) =>
  new DomainError(
    code,
    `Too many requests (${what}): at most ${points} in ${windowSec} s. Wait ${retryAfterSec} s.`,
    { retryAfterSec },
  );

export const insufficientScope = (scopes: readonly (Scope | LiveScope)[], why = '') =>
  new DomainError('insufficient_scope', `This key lacks the scope ${scopes.join(', ')}${why}.`);
