import { DomainError } from '../engine/platform/errors.ts';
import type { Services } from './trpc.ts';

/** A runner that was restarted is there by then. */
const RETRY_AFTER_SEC = 10;

/**
 * For what asks for an order to be sent: it would lie there until it expires.
 *
 * @throws DomainError `no_runner`
 */
export function refuseWithoutRunner({ isRunnerMissing }: Pick<Services, 'isRunnerMissing'>): void {
  if (isRunnerMissing()) throw DomainError.of('no_runner', { retryAfterSec: RETRY_AFTER_SEC });
}
