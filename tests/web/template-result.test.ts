import { expect, test } from 'vitest';
import { edgeOf, marketOf, ordersADay, resultOf } from '../../web/src/format/research/template-result.ts';

const GRID = {
  from: '2022-08-24T00:00:00.000Z',
  to: '2022-10-03T00:00:00.000Z',
  coins: ['BTCUSDT'],
  equity: [10_000, 9_996, 9_988],
  buyAndHold: -0.1,
  maxExposure: 0.008,
  filled: 400,
};

test('a template is compared with holding the money that it held, not the whole account', () => {
  // A tenth of $80, not of $10,000.
  expect(resultOf(GRID)).toEqual({ most: 80, profit: -12, holding: -8 });
  expect(edgeOf(GRID)).toBeCloseTo(-4 / 80);
  expect(ordersADay(GRID)).toBe(10);
});

test('a template that held nothing made nothing, beside nothing', () => {
  expect(resultOf({ ...GRID, equity: [10_000], maxExposure: 0 })).toEqual({
    most: 0,
    profit: 0,
    holding: -0,
  });
  expect(edgeOf({ ...GRID, maxExposure: 0 })).toBe(0);
});

test('the market of several backtests is their first and last day, and each coin that one of them held alone', () => {
  const both = { ...GRID, coins: ['BTCUSDT', 'ETHUSDT'], buyAndHold: -0.15, to: '2022-10-04T00:00:00.000Z' };
  const ether = { ...GRID, coins: ['ETHUSDT'], buyAndHold: 0.2, from: '2022-08-23T00:00:00.000Z' };
  expect(marketOf([GRID, both, ether])).toEqual({
    from: ether.from,
    to: both.to,
    moved: new Map([
      ['BTCUSDT', -0.1],
      ['ETHUSDT', 0.2],
    ]),
  });
  expect(marketOf([])).toBeNull();
});
