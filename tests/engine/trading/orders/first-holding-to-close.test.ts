import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import type { FreeHolding } from '../../../../engine/trading/orders/terms/allocate.ts';
import { firstHoldingToClose } from '../../../../engine/trading/orders/terms/first-holding-to-close.ts';
import { refusalOf } from './market.ts';

const holding = (positionId: string, held: string, free: string): FreeHolding => ({
  positionId,
  blueprintId: `b-${positionId}`,
  held: exact(held),
  free: exact(free),
});

describe('a close belongs to "the first one\'s" blueprint', () => {
  test('that of the oldest position with anything free', () => {
    const holdings = [holding('old', '4', '0'), holding('next', '5', '1'), holding('young', '9', '9')];
    expect(firstHoldingToClose(holdings, '3').positionId).toBe('next');
  });

  test('"No such position: 404"', () => {
    expect(refusalOf(() => firstHoldingToClose([], '1')).code).toBe('not_found');
  });

  test('"More than is held and free: 400 with both numbers"', () => {
    const holdings = [holding('a', '4', '1.5'), holding('b', '2', '1')];
    expect(firstHoldingToClose(holdings, '2.5').positionId).toBe('a');
    const message = 'You asked to close 2.500000000001, but 2.5 are held and free of 6 held.';
    expect(refusalOf(() => firstHoldingToClose(holdings, '2.500000000001'))).toMatchObject({
      code: 'validation_failed',
      message,
      issues: [{ path: '/amount', code: 'too_big', message }],
    });
  });

  test('a close of nothing at all belongs to the oldest, whatever is free', () => {
    expect(firstHoldingToClose([holding('a', '4', '0'), holding('b', '2', '0')], '0').positionId).toBe('a');
  });
});
