import { DomainError } from './errors.ts';

/** Refuses to act on a version other than the one the caller reviewed. Without `reviewed` there is no check. */
export function requireReviewedVersion(current: number, reviewed: number | undefined): void {
  if (reviewed !== undefined && reviewed !== current) throw otherVersion(current, reviewed);
}

export const otherVersion = (current: number, reviewed: number) =>
  new DomainError(
    'precondition_failed',
    `You reviewed version ${reviewed}, but it is at version ${current} now. Read it again, then decide.`,
  );
