import { ERRORS, type ErrorCode, type StatedErrorCode } from './error-table.ts';

export type { ErrorCode };

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

  /** A refusal in the sentence of the table. */
  static of(code: StatedErrorCode, details: DomainErrorDetails = {}): DomainError {
    return new DomainError(code, ERRORS[code].message, details);
  }
}

/** The one answer for what is missing and for what belongs to somebody else. */
export const notFound = () => DomainError.of('not_found');

/**
 * A request that is wrong in these places. Its sentence names the first of them.
 *
 * @param told What is told instead of the first issue.
 */
export const invalid = (issues: readonly FieldIssue[], told: string = toldOf(issues)): DomainError =>
  new DomainError(
    'validation_failed',
    `Request validation failed${told}`,
    issues.length > 0 ? { issues } : {},
  );

/** Where and what is wrong first, as the end of a sentence. */
export const toldOf = ([first]: readonly FieldIssue[]): string =>
  first ? `${first.path === '' ? '' : ` at ${first.path}`}: ${first.message}` : '.';
