import { DomainError } from '../engine/platform/errors.ts';
import type { Services } from './context.ts';

/** A restarted runner is back by then. */
const RETRY_AFTER_SEC = 10;

/**
 * Refuses requests that need an order to be sent: without a runner the order would wait until it expires.
 *
 * @throws DomainError `no_runner`
 */
export function refuseWithoutRunner({ isRunnerMissing }: Pick<Services, 'isRunnerMissing'>): void {
  if (isRunnerMissing()) throw DomainError.of('no_runner', { retryAfterSec: RETRY_AFTER_SEC });
}
