import { exact } from '../../../platform/decimal.ts';
import { DomainError, notFound } from '../../../platform/errors.ts';
import { type FreeHolding, totalFree, totalHeld } from './allocate.ts';

/**
 * Returns the position that a close draws on first: the oldest with a free amount. The intent belongs to its blueprint.
 *
 * @param holdings oldest first
 * @param amount a decimal string above 0
 * @throws DomainError `not_found` without a position, `validation_failed` for more than is held and free.
 */
export function firstHoldingToClose(holdings: readonly FreeHolding[], amount: string): FreeHolding {
  const [oldest] = holdings;
  if (oldest === undefined) throw notFound();
  const free = totalFree(holdings);
  if (exact(amount).gt(free)) {
    const message = `You asked to close ${amount}, but ${free.toFixed()} are held and free of ${totalHeld(holdings).toFixed()} held.`;
    throw new DomainError('validation_failed', message, {
      issues: [{ path: '/amount', code: 'too_big', message }],
    });
  }
  return holdings.find((holding) => holding.free.gt(0)) ?? oldest;
}
