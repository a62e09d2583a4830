import { expect, test } from 'vitest';
import { entryOf } from '../../web/src/format/trading/outcome-price.ts';
import {
  bestPriceOf,
  bookSpreadOf,
  boundOf,
  confirmWord,
  heldOf,
  sumForUnits,
  sumUnitOf,
  ticketAction,
  unitOf,
  unitsForSum,
} from '../../web/src/format/trading/ticket.ts';

const coin = { isOutcome: false, title: 'BTC/USDT' };
const outcome = { isOutcome: true, title: 'Fed cuts in December?' };
const book = { bids: [{ price: 0.56 }, { price: 0.55 }], asks: [{ price: 0.57 }] };

test('an order starts at the best ask if it buys and at the best bid if it sells, as the venue wrote them', () => {
  expect(bestPriceOf(book, 'buy')).toBe(0.57);
  expect(bestPriceOf(book, 'sell')).toBe(0.56);
  expect(bestPriceOf({ bids: [], asks: [] }, 'buy')).toBeNull();
  expect(entryOf(0.57, true)).toBe('57');
  expect(entryOf(0.283, true)).toBe('28.3');
  expect(bookSpreadOf(book)).toBe(0.01);
  expect(bookSpreadOf({ ...book, asks: [] })).toBeNull();
});

test('an amount has a unit: the coin of a pair, contracts of an outcome', () => {
  expect(unitOf(coin)).toBe('BTC');
  expect(unitOf(outcome)).toBe('contracts');
});

test('a sum of money is units rounded down to the step: they never cost more, to the last digit', () => {
  expect(unitsForSum('100', 81_117.36, 0.00001)).toBe('0.00123');
  expect(unitsForSum('0.3', 0.1, 0.1)).toBe('3');
  expect(unitsForSum('25', 0.577, 0.01)).toBe('43.32');
  expect(unitsForSum('1e9', 0.00001, 1)).toBe('100000000000000');
  expect(unitsForSum('0.000001', 2, 1)).toBe('0');
});

test('a sum that is no number above 0, or has no price or step, is no units', () => {
  for (const sum of ['', '0', '-5', 'NaN', '1e999', 'five']) expect(unitsForSum(sum, 10, 1)).toBe('');
  expect(unitsForSum('5', 0, 1)).toBe('');
  expect(unitsForSum('5', 10, 0)).toBe('');
});

test('units as money buy the same units again', () => {
  for (const [units, price, step] of [
    ['0.01', 81_117.36, 0.00001],
    ['5', 0.577, 0.01],
    ['0.12345', 0.03252, 0.00001],
  ] as const) {
    expect(Number(unitsForSum(sumForUnits(units, price), price, step))).toBe(Number(units));
  }
  expect(sumForUnits('', 10)).toBe('');
  expect(sumForUnits('1e999', 10)).toBe('');
});

test('money is dollars, or the currency of a pair that is quoted in another', () => {
  expect(sumUnitOf(coin)).toBe('USD');
  expect(sumUnitOf(outcome)).toBe('USD');
  expect(sumUnitOf({ isOutcome: false, title: 'ETH/BTC' })).toBe('BTC');
});

test('what an account holds is the exact sum over its strategies', () => {
  const held = [
    { tokenId: 'BTCUSDT', amount: 0.1 },
    { tokenId: 'BTCUSDT', amount: 0.2 },
    { tokenId: 'ETHUSDT', amount: 5 },
  ];
  expect(heldOf(held, 'BTCUSDT')).toBe(0.3);
  expect(heldOf(held, 'SOLUSDT')).toBe(0);
});

test('the button says what is traded, its bound with the fee, and that an order first waits for approval', () => {
  const cost = { amount: 0.0002, limitPrice: 81_243.93, size: 16.248786 };
  const decided = (side: 'buy' | 'sell') => ({
    verdict: 'queued',
    amount: cost.amount,
    bound: boundOf(side, cost, 0.02),
  });
  expect(ticketAction('buy', coin, undefined, true)).toBe('Buy BTC/USDT');
  expect(ticketAction('buy', coin, decided('buy'), true)).toBe('Buy 0.0002 BTC for at most $16.27');
  expect(ticketAction('sell', coin, decided('sell'), true)).toBe('Sell 0.0002 BTC for at least $16.23');
  expect(ticketAction('buy', coin, decided('buy'), false)).toBe('Buy 0.0002 BTC for about $16.27');
  expect(ticketAction('sell', coin, decided('sell'), false)).toBe('Sell 0.0002 BTC for about $16.23');
  const waits = { ...decided('buy'), verdict: 'pending', amount: 1 };
  expect(ticketAction('buy', outcome, waits, true)).toBe('Request approval to buy 1 contract');
  expect(ticketAction('sell', outcome, { ...waits, amount: 5 }, true)).toBe(
    'Request approval to sell 5 contracts',
  );
});

test('a live buy at a limit is confirmed by its maximum cost, any other live order by its side', () => {
  expect(confirmWord('buy', true, 0.59)).toBe('0.59');
  expect(confirmWord('buy', false, 0.59)).toBe('buy');
  expect(confirmWord('sell', true, 0.59)).toBe('sell');
});
