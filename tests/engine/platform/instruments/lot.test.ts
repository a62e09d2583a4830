import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact, ZERO } from '../../../../engine/platform/decimal.ts';
import {
  isDust,
  isOnStep,
  type Lot,
  shortfallOf,
  toStep,
} from '../../../../engine/platform/instruments/lot.ts';

const LOT = { stepSize: '0.01', minSize: '5', minNotional: '1' };

describe('the minimum that an amount misses', () => {
  test.each([
    ['0', '0.5', 'step'],
    ['-1', '0.5', 'step'],
    ['NaN', '0.5', 'step'],
    ['4.99', '0.5', 'size'],
    ['5', '0.1', 'notional'],
    ['5', '0.2', undefined],
    ['10', '0.1', undefined],
  ])('%s at %s', (amount, price, missed) => {
    expect(shortfallOf(exact(amount), exact(price), LOT)?.of).toBe(missed);
  });

  test('its value does not matter without a price, or without a minimum', () => {
    expect(shortfallOf(exact(5), null, LOT)).toBeNull();
    expect(shortfallOf(exact(5), ZERO, { ...LOT, minNotional: null })).toBeNull();
  });

  test('a missed minimum notional is returned with the value', () => {
    const shortfall = shortfallOf(exact('6'), exact('0.125'), LOT);
    expect(shortfall).toEqual({ of: 'notional', notional: exact('0.75'), minNotional: exact(1) });
  });
});

test('an amount on the step is the largest multiple that is not above it', () => {
  const decimal = fc.integer({ min: 0, max: 1e9 }).map((units) => exact(units).div(1e4));
  const steps = fc.constantFrom('1', '0.5', '0.01', '0.003', '0.0001');
  fc.assert(
    fc.property(decimal, steps, (amount, stepSize) => {
      const rounded = toStep(amount, { stepSize });
      expect(isOnStep(rounded, { stepSize })).toBe(true);
      expect(rounded.lte(amount) && amount.minus(rounded).lt(stepSize)).toBe(true);
    }),
  );
});

test('isOnStep knows the multiples of a step', () => {
  expect(isOnStep(exact('1.25'), { stepSize: '0.25' })).toBe(true);
  expect(isOnStep(exact('1.3'), { stepSize: '0.25' })).toBe(false);
});

describe('dust', () => {
  const dust = (amount: string, cost: string, price: string | null, lot: Lot = LOT) =>
    isDust({ amount: exact(amount), cost: exact(cost) }, price === null ? null : exact(price), lot);
  const coin = { stepSize: '0.00001', minSize: '0.00001', minNotional: '5' };

  test('is a holding of less than the step or the least size, whatever its value', () => {
    expect(dust('4.99', '400', '100')).toBe(true);
    expect(dust('5', '400', '100')).toBe(false);
    expect(dust('0.009', '400', '100', { ...LOT, minSize: '0' })).toBe(true);
    expect(dust('0.01', '400', '100', { ...LOT, minSize: '0' })).toBe(false);
    expect(dust('0', '0', '1')).toBe(false);
  });

  test('row 75: is a holding whose cost and value are both below the least notional', () => {
    expect(dust('0.00009', '4.5', '50000', coin)).toBe(true);
    expect(dust('0.00009', '4.99', '60000', coin)).toBe(false);
    expect(dust('0.0001', '4.99', '50000', coin)).toBe(false);
  });

  test('is no position that only lost its price', () => {
    expect(dust('0.0001', '5', '10000', coin)).toBe(false);
    expect(dust('0.0001', '5', null, coin)).toBe(false);
    expect(dust('0.0001', '4.99', null, coin)).toBe(true);
    expect(dust('0.0001', '4.99', null, { ...coin, minNotional: null })).toBe(false);
  });
});
