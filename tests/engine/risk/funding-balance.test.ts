import { expect, test } from 'vitest';
import { largestFundingBalance } from '../../../engine/risk/funding-balance.ts';

const balance = (currency: string, available: string, quote_currency = 'USD') => ({
  currency,
  available,
  quote_currency,
});

test('52: of separate balances the largest counts, not the sum: an order is paid from one', () => {
  expect(
    largestFundingBalance([balance('USD', '4'), balance('USD', '9'), balance('USD', '6')])?.available,
  ).toBe('9');
  expect(largestFundingBalance([balance('USD', '10'), balance('USD', '9')])?.available).toBe('10');
});

test('an order is paid in its quote currency, and in another dollar only without a balance in it', () => {
  expect(
    largestFundingBalance([balance('USDC', '90', 'USDT'), balance('USDT', '5', 'USDT')])?.available,
  ).toBe('5');
  expect(
    largestFundingBalance([balance('pUSD', '7', 'USDC'), balance('MATIC', '90', 'USDC')])?.available,
  ).toBe('7');
  for (const dollar of ['USD', 'pUSD', 'USDC', 'USDT'])
    expect(largestFundingBalance([balance(dollar, '1', 'EUR')])?.currency).toBe(dollar);
});

test('nothing is known if no balance is in dollars', () => {
  expect(largestFundingBalance([balance('BTC', '3')])).toBeNull();
  expect(largestFundingBalance([])).toBeNull();
});
