import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { averageCostOf, unrealizedAt, valueAt } from '../../../../engine/platform/valuation.ts';

test('a value has the 12 decimals of the ledger, half-even', () => {
  expect(valueAt(exact(3), exact('0.48')).toFixed()).toBe('1.44');
  expect(valueAt(exact('0.000000000001'), exact('0.5')).toFixed()).toBe('0');
  expect(valueAt(exact('0.000000000003'), exact('0.5')).toFixed()).toBe('0.000000000002');
});

test('the average cost is not rounded to the decimals of the ledger', () => {
  expect(averageCostOf({ amount: exact(3), totalCost: exact('1.44') }).toFixed()).toBe('0.48');
  expect(averageCostOf({ amount: exact(3), totalCost: exact(1) }).toFixed().length).toBeGreaterThan(20);
});

test('the unrealized result is the value less the cost, whatever the price', () => {
  const decimal = fc.integer({ min: 0, max: 1_000_000 }).map((cents) => exact(cents).div(100));
  fc.assert(
    fc.property(decimal, decimal, decimal, (amount, totalCost, price) => {
      const gain = unrealizedAt({ amount, totalCost }, price);
      expect(gain.plus(totalCost).toFixed()).toBe(valueAt(amount, price).toFixed());
    }),
  );
  expect(unrealizedAt({ amount: exact(10), totalCost: exact(5) }, exact(0)).toFixed()).toBe('-5');
});
