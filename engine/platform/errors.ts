import { ERRORS, type ErrorCode, type StatedErrorCode } from './error-table.ts';

export type { ErrorCode };

/** One thing wrong with one part of a request. `path` is a JSON Pointer into what was sent. */
export type FieldIssue = { path: string; code: string; message: string };

export type DomainErrorDetails = {
  issues?: readonly FieldIssue[];
  /** Seconds after which a retry makes sense: becomes `Retry-After`. */
  retryAfterSec?: number;
  /** For the log only, never for the client. */
  cause?: unknown;
};

/** A refusal with a message for the caller: what happened, the value, the remedy. */
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

  /** Creates a refusal with the message of the table. */
  static of(code: StatedErrorCode, details: DomainErrorDetails = {}): DomainError {
    return new DomainError(code, ERRORS[code].message, details);
  }
}

/** Answers the same for what is missing and for what belongs to another account. */
export const notFound = () => DomainError.of('not_found');

/**
 * Creates a refusal for invalid fields. Its message names the first of them.
 *
 * @param detail replaces the first issue in the message
 */
export const invalid = (issues: readonly FieldIssue[], detail: string = issueText(issues)): DomainError =>
  new DomainError(
    'validation_failed',
    `Request validation failed${detail}`,
    issues.length > 0 ? { issues } : {},
  );

/** Formats the first issue, its field and its problem, as the end of a sentence. */
export const issueText = ([first]: readonly FieldIssue[]): string =>
  first ? `${first.path === '' ? '' : ` at ${first.path}`}: ${first.message}` : '.';
