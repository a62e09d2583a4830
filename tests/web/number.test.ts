import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amount,
  cents,
  counted,
  fineShare,
  share,
  sharesOf,
  shortToken,
  signedFineShare,
  signedShare,
  signedUsd,
  usd,
  usdCompact,
} from '../../web/src/format/number.ts';
import { tokenName } from '../../web/src/format/token-name.ts';
import { estimateFill, type Level } from '../../web/src/format/trading/estimate-fill.ts';
import { priceAt } from '../../web/src/format/trading/venue.ts';

describe('numbers', () => {
  test('an unknown number is a dash, never 0', () => {
    for (const write of [usd, signedUsd, usdCompact, amount, share, signedShare, cents]) {
      for (const unknown of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY])
        expect(write(unknown)).toBe('—');
    }
    expect(usd(0)).toBe('$0.00');
  });

  test('a loss has a minus sign, a gain a plus, and zero has neither', () => {
    expect(signedUsd(-3)).toBe('−$3.00');
    expect(signedUsd(1_284.37)).toBe('+$1,284.37');
    expect(signedUsd(0)).toBe('$0.00');
    expect(signedShare(-0.125)).toBe('−12.5%');
  });

  test('an amount under a cent is not shown as zero, and keeps its sign; zero is zero', () => {
    for (const value of [0.004, 1e-9]) {
      expect([value, -value].map(signedUsd)).toEqual(['+<$0.01', '−<$0.01']);
      expect([value, -value].map(usd)).toEqual(['<$0.01', '−<$0.01']);
    }
    for (const nothing of [0, -0]) expect(signedUsd(nothing)).toBe('$0.00');
    expect([0.005, -0.01].map(signedUsd)).toEqual(['+$0.01', '−$0.01']);
  });

  test('displayed shares of a whole add up to 100%, and each is next to its own', () => {
    expect(sharesOf([1, 1, 1]).map(share)).toEqual(['33.3%', '33.4%', '33.3%']);
    const worths = fc.array(fc.double({ min: 0.01, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(worths, (values) => {
        const total = values.reduce((sum, value) => sum + value, 0);
        const tenths = sharesOf(values).map((part) => Math.round(part * 1_000));
        expect(tenths.reduce((sum, part) => sum + part, 0)).toBe(1_000);
        tenths.forEach((part, index) => {
          expect(Math.abs(part - ((values[index] ?? 0) / total) * 1_000)).toBeLessThanOrEqual(1 + 1e-6);
        });
      }),
    );
  });

  test('shares below one percent have the same precision, and zero is zero', () => {
    expect([-0.0002, -0.00048, -0.002, -0.00999].map(fineShare)).toEqual([
      '−0.020%',
      '−0.048%',
      '−0.20%',
      '−1.0%',
    ]);
    expect([0.00008, 0.0012, -0.0123, 0].map(signedFineShare)).toEqual([
      '+0.0080%',
      '+0.12%',
      '−1.23%',
      '0%',
    ]);
    expect(fineShare(0.139)).toBe('13.9%');
    expect([-0.000006, 0.00004, 1e-12].map(fineShare)).toEqual(['−<0.01%', '<0.01%', '<0.01%']);
    expect([-0.000006, 0.00004].map(signedFineShare)).toEqual(['−<0.01%', '+<0.01%']);
  });

  test('quantities keep all their digits', () => {
    expect(amount(0.00000001)).toBe('0.00000001');
    expect(amount(1_234.5)).toBe('1,234.5');
    expect(counted(1, 'order')).toBe('1 order');
    expect(counted(1_200, 'order')).toBe('1,200 orders');
  });

  test('prices have the format of their venue', () => {
    expect(priceAt('venue-a', 0.425)).toBe('42.5¢');
    expect(priceAt('venue-b', 0.42, 0.01)).toBe('42¢');
    expect(priceAt('venue-a', 0.4, 0.001)).toBe('40.0¢');
    expect(priceAt('crypto', 86_398.01)).toBe('$86,398.01');
    expect(priceAt('crypto', 0.0000123456789)).toBe('$0.0000123457');
  });

  test('a token fits into a table', () => {
    expect(shortToken('1'.repeat(77))).toBe('111111…1111');
    expect(shortToken('BTCUSDT')).toBe('BTCUSDT');
  });

  test('a pair has one name, also where only its symbol is known; other ids are shortened', () => {
    const named = { BTCUSDT: 'BTC/USDT', BTCUSDC: 'BTC/USDC', ETHBTC: 'ETH/BTC', BTCEUR: 'BTC/EUR' };
    for (const [tokenId, name] of Object.entries(named)) expect(tokenName(tokenId)).toBe(name);
    expect(tokenName('USDTTRY')).toBe('USDT/TRY');
    for (const other of ['KXFED-26DEC:yes', 'last', 'ask', 'btcusdt', '7'.repeat(20), 'BTC', 'USDT'])
      expect(tokenName(other)).toBe(other);
    expect(tokenName('1'.repeat(77))).toBe('111111…1111');
  });
});

describe('an estimated fill from a book', () => {
  const levels: Level[] = [
    { price: 0.5, size: 10 },
    { price: 0.6, size: 10 },
    { price: 0.7, size: 10 },
  ];

  test('the best prices go first, and none beyond the limit', () => {
    expect(estimateFill(levels, 15, null)).toEqual({
      filled: 15,
      averagePrice: (10 * 0.5 + 5 * 0.6) / 15,
      worstPrice: 0.6,
    });
    expect(estimateFill(levels, 25, { price: 0.6, side: 'buy' })).toMatchObject({
      filled: 20,
      worstPrice: 0.6,
    });
    expect(estimateFill(levels.toReversed(), 25, { price: 0.6, side: 'sell' })).toMatchObject({ filled: 20 });
    expect(estimateFill([], 1, null)).toEqual({ filled: 0, averagePrice: null, worstPrice: null });
  });

  test('never more than wanted or available, at an average between the best and the worst price', () => {
    const side = fc.array(
      fc.record({ price: fc.integer({ min: 1, max: 99 }), size: fc.integer({ min: 1, max: 1_000 }) }),
    );
    fc.assert(
      fc.property(
        side,
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 99 }),
        (rows, wanted, limit) => {
          const asks = rows.toSorted((one, other) => one.price - other.price);
          const { filled, averagePrice, worstPrice } = estimateFill(asks, wanted, {
            price: limit,
            side: 'buy',
          });
          const there = asks.filter(({ price }) => price <= limit).reduce((sum, { size }) => sum + size, 0);
          expect(filled).toBe(Math.min(wanted, there));
          if (averagePrice === null || worstPrice === null) {
            expect(filled).toBe(0);
            return;
          }
          expect(worstPrice).toBeLessThanOrEqual(limit);
          expect(averagePrice).toBeGreaterThanOrEqual((asks[0]?.price ?? 0) - 1e-9);
          expect(averagePrice).toBeLessThanOrEqual(worstPrice + 1e-9);
        },
      ),
    );
  });
});
