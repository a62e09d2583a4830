import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exact, ZERO } from '../../../../engine/platform/decimal.ts';
import {
  allocate,
  type FreeHolding,
  totalFree,
  totalHeld,
} from '../../../../engine/trading/orders/terms/allocate.ts';

const holding = (positionId: string, held: string, free: string): FreeHolding => ({
  positionId,
  blueprintId: `b-${positionId}`,
  held: exact(held),
  free: exact(free),
});
const plainParts = (parts: ReturnType<typeof allocate>) =>
  parts?.map(({ positionId, amount }) => [positionId, amount.toFixed()]);

test('"It draws on the account\'s positions in that instrument, oldest first, reserving on each"', () => {
  const holdings = [holding('old', '4', '4'), holding('young', '10', '10')];
  expect(plainParts(allocate(holdings, exact(3)))).toEqual([['old', '3']]);
  expect(plainParts(allocate(holdings, exact(4)))).toEqual([['old', '4']]);
  expect(plainParts(allocate(holdings, exact(6)))).toEqual([
    ['old', '4'],
    ['young', '2'],
  ]);
});

test('skips reserved amounts', () => {
  const holdings = [holding('taken', '4', '0'), holding('over', '4', '-1'), holding('free', '10', '2.5')];
  expect(plainParts(allocate(holdings, exact('2.5')))).toEqual([['free', '2.5']]);
  expect(totalFree(holdings).toFixed()).toBe('2.5');
  expect(totalHeld(holdings).toFixed()).toBe('18');
});

test('more than the free amount is not allocated at all', () => {
  expect(allocate([holding('a', '4', '4')], exact('4.000000000001'))).toBeNull();
  expect(allocate([], exact(1))).toBeNull();
});

test('an allocation adds up to the amount and takes at most the free amount of any position', () => {
  const holdings = fc.array(
    fc
      .tuple(fc.nat(20), fc.nat(20))
      .map(([held, free]) => ({ held: exact(held), free: exact(Math.min(held, free)) })),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(holdings, fc.integer({ min: 1, max: 60 }), (sizes, wanted) => {
      const list = sizes.map((size, index) => ({ ...size, positionId: String(index), blueprintId: 'b' }));
      const parts = allocate(list, exact(wanted));
      if (parts === null) {
        expect(totalFree(list).lt(wanted)).toBe(true);
        return;
      }
      expect(parts.reduce((sum, { amount }) => sum.plus(amount), ZERO).toFixed()).toBe(String(wanted));
      for (const { positionId, amount } of parts) {
        expect(amount.gt(0)).toBe(true);
        expect(amount.lte(list[Number(positionId)]?.free ?? 0)).toBe(true);
      }
    }),
  );
});
