import { expect, test } from 'vitest';
import { fullestOf } from '../../../engine/risk/purse.ts';

const purse = (currency: string, available: string, quote_currency = 'USD') => ({
  currency,
  available,
  quote_currency,
});

test('52: of separate balances the largest counts, not the sum: an order is paid from one', () => {
  expect(fullestOf([purse('USD', '4'), purse('USD', '9'), purse('USD', '6')])?.available).toBe('9');
  expect(fullestOf([purse('USD', '10'), purse('USD', '9')])?.available).toBe('10');
});

test('an order is paid in its quote currency, and in another dollar only without a balance in it', () => {
  expect(fullestOf([purse('USDC', '90', 'USDT'), purse('USDT', '5', 'USDT')])?.available).toBe('5');
  expect(fullestOf([purse('pUSD', '7', 'USDC'), purse('MATIC', '90', 'USDC')])?.available).toBe('7');
  for (const dollar of ['USD', 'pUSD', 'USDC', 'USDT'])
    expect(fullestOf([purse(dollar, '1', 'EUR')])?.currency).toBe(dollar);
});

test('nothing is known if no balance is in dollars', () => {
  expect(fullestOf([purse('BTC', '3')])).toBeNull();
  expect(fullestOf([])).toBeNull();
});
