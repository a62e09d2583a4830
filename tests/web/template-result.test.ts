import { expect, test } from 'vitest';
import { edgeOf, marketOf, ordersADay, resultOf } from '../../web/src/format/research/template-result.ts';

const GRID = {
  from: '2022-08-24T00:00:00.000Z',
  to: '2022-10-03T00:00:00.000Z',
  markets: ['BTC/USDT'],
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

test('a template of contracts has no result of holding, and is not compared', () => {
  const contracts = { ...GRID, markets: ['Do Kwon extradited'], buyAndHold: null };
  expect(resultOf(contracts)).toEqual({ most: 80, profit: -12, holding: null });
  expect(edgeOf(contracts)).toBeNull();
});

test('the market of several backtests is that of the days of the first: each coin that one of them held alone', () => {
  const both = { ...GRID, markets: ['BTC/USDT', 'ETH/USDT'], buyAndHold: -0.15 };
  const ether = { ...GRID, markets: ['ETH/USDT'], buyAndHold: 0.2 };
  const later = { ...GRID, markets: ['SOL/USDT'], to: '2022-10-04T00:00:00.000Z' };
  const contracts = { ...GRID, markets: ['Do Kwon extradited'], buyAndHold: null };
  expect(marketOf([GRID, both, ether, later, contracts])).toEqual({
    from: GRID.from,
    to: GRID.to,
    moved: new Map([
      ['BTC/USDT', -0.1],
      ['ETH/USDT', 0.2],
    ]),
  });
  expect(marketOf([])).toBeNull();
});
