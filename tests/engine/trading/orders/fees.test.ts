import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact, ZERO } from '../../../../engine/platform/decimal.ts';
import { feesOf, maxFee, nextFee, rawFee, roundFee } from '../../../../engine/trading/orders/terms/fees.ts';
import type { FeeSchedule } from '../../../../venues/port.ts';
import { NO_FEE, VENUE_A_FEE } from '../../../support/fees.ts';

const KALSHI: FeeSchedule = { ...VENUE_A_FEE, makerRate: '0.0175' };
const POLYMARKET: FeeSchedule = { ...NO_FEE, formula: 'probability', takerRate: '0.04', exponent: 2 };
const BINANCE: FeeSchedule = { ...NO_FEE, takerRate: '0.001', makerRate: '0.0005' };

const taker = (schedule: FeeSchedule, price: string, amount: string) =>
  roundFee(schedule, rawFee(schedule, 'taker', exact(price), exact(amount))).toFixed();

describe("the venues' formulas", () => {
  test('venue A: 0.07 × C × P × (1 − P), rounded up to 0.0001 USD', () => {
    expect(taker(KALSHI, '0.5', '100')).toBe('1.75');
    expect(taker(KALSHI, '0.53', '1')).toBe('0.0175');
    expect(taker(KALSHI, '0.01', '1')).toBe('0.0007');
    expect(taker(KALSHI, '0.99', '1')).toBe('0.0007');
  });
  test('a maker pays the maker rate', () => {
    expect(rawFee(KALSHI, 'maker', exact('0.5'), exact('100')).toFixed()).toBe('0.4375');
    expect(rawFee(POLYMARKET, 'maker', exact('0.5'), exact('100')).toFixed()).toBe('0');
  });
  test('venue B: the exponent of its schedule, rounded up to the 12 places of the ledger', () => {
    expect(taker(POLYMARKET, '0.5', '100')).toBe('0.25');
    expect(taker(POLYMARKET, '0.333333', '0.01')).toBe('0.000019753067');
  });
  test('crypto: a rate of the notional', () => {
    expect(taker(BINANCE, '86398.01', '0.0015')).toBe('0.129597015');
  });
});

describe('rounding is of the order, not of the piece', () => {
  test('two pieces whose fees round up apart pay what one piece pays', () => {
    const piece = rawFee(KALSHI, 'taker', exact('0.53'), exact(1));
    const first = nextFee(KALSHI, ZERO, piece);
    const second = nextFee(KALSHI, piece, piece);
    expect(first.toFixed()).toBe('0.0175');
    expect(first.plus(second).toFixed()).toBe('0.0349');
  });

  test('however an order is split and in whichever role it trades, its fees never exceed the reserved maximum', () => {
    const pieces = fc.array(
      fc.record({
        amount: fc.integer({ min: 1, max: 50 }),
        cents: fc.integer({ min: 1, max: 99 }),
        maker: fc.boolean(),
      }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(
        fc.constantFrom(KALSHI, POLYMARKET, BINANCE),
        fc.integer({ min: 1, max: 99 }),
        pieces,
        (schedule, limitCents, parts) => {
          const limitPrice = exact(limitCents).div(100);
          const amount = exact(parts.reduce((sum, part) => sum + part.amount, 0));
          let raw = ZERO;
          let fees = ZERO;
          for (const part of parts) {
            const price = exact(Math.min(part.cents, limitCents)).div(100);
            const added = rawFee(schedule, part.maker ? 'maker' : 'taker', price, exact(part.amount));
            const fee = nextFee(schedule, raw, added);
            expect(fee.gte(0)).toBe(true);
            fees = fees.plus(fee);
            raw = raw.plus(added);
          }
          expect(fees.lte(maxFee(schedule, { side: 'buy', limitPrice, amount }))).toBe(true);
        },
      ),
    );
  });
});

describe('the maximum fee', () => {
  test('is at a half, where a probability costs most, if the limit reaches it', () => {
    expect(maxFee(KALSHI, { side: 'buy', limitPrice: exact('0.9'), amount: exact(100) }).toFixed()).toBe(
      '1.75',
    );
    expect(maxFee(KALSHI, { side: 'buy', limitPrice: exact('0.1'), amount: exact(100) }).toFixed()).toBe(
      '0.63',
    );
    expect(maxFee(KALSHI, { side: 'sell', limitPrice: exact('0.1'), amount: exact(100) }).toFixed()).toBe(
      '1.75',
    );
    expect(maxFee(KALSHI, { side: 'sell', limitPrice: exact('0.9'), amount: exact(100) }).toFixed()).toBe(
      '0.63',
    );
  });
  test('takes the higher rate', () => {
    const inverted = { ...BINANCE, makerRate: '0.002' };
    expect(maxFee(inverted, { side: 'buy', limitPrice: exact(100), amount: exact(1) }).toFixed()).toBe('0.2');
    expect(maxFee(BINANCE, { side: 'buy', limitPrice: exact(100), amount: exact(1) }).toFixed()).toBe('0.1');
  });
});

test('executions in sequence pay one after the other, from the fees charged before', () => {
  const executions = [
    { price: exact('0.53'), amount: exact(1) },
    { price: exact('0.5'), amount: exact(2) },
  ];
  const fees = (rawBefore: string) =>
    feesOf(KALSHI, 'taker', exact(rawBefore), executions).map((fee) => fee.toFixed());
  // 0.017437 and 0.035 before rounding: up to 0.0175, then up to 0.0525 in all.
  expect(fees('0')).toEqual(['0.0175', '0.035']);
  // The last piece left 0.00006 of its rounding unused.
  expect(fees('0.00004')).toEqual(['0.0174', '0.035']);
});
