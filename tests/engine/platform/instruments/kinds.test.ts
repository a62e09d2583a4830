import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { KIND_RULES } from '../../../../engine/platform/instruments/kinds.ts';

const LADDER = { tickSize: '0.01', priceRanges: [] };
const { outcome, spot } = KIND_RULES;

describe('prices that an order may name', () => {
  test.each(['0', '1', '1.5', '-0.1', 'NaN'])('an outcome has no price of %s', (price) => {
    expect(outcome.isPrice(exact(price))).toBe(false);
  });
  test.each(['0', '-1', 'NaN'])('a coin has no price of %s', (price) => {
    expect(spot.isPrice(exact(price))).toBe(false);
  });
  test('between 0 and 1 for an outcome, above 0 for a coin', () => {
    expect(outcome.isPrice(exact('0.001'))).toBe(true);
    expect(outcome.isPrice(exact('0.999'))).toBe(true);
    expect(spot.isPrice(exact('86398.01'))).toBe(true);
  });
  test('the nearest one to a price beyond them', () => {
    expect(outcome.nearestPrice(exact('1.02'), LADDER).toFixed()).toBe('0.99');
    expect(outcome.nearestPrice(exact('-0.02'), LADDER).toFixed()).toBe('0.01');
    expect(spot.nearestPrice(exact('-3'), LADDER).toFixed()).toBe('0.01');
    expect(spot.nearestPrice(exact('86398'), LADDER).toFixed()).toBe('86398');
  });
});

test('slippage is USD per contract of an outcome, and a fraction of the price of a coin', () => {
  expect(outcome.slippageDistance(exact('0.5'), exact('0.02')).toFixed()).toBe('0.02');
  expect(spot.slippageDistance(exact('200'), exact('0.02')).toFixed()).toBe('4');
});

test('a paper order for an outcome meets the book, one for a coin the top of book and the trades of its candles', () => {
  expect([outcome.paperOffers, outcome.hasCandles]).toEqual(['book', false]);
  expect([spot.paperOffers, spot.hasCandles]).toEqual(['quote', true]);
});
