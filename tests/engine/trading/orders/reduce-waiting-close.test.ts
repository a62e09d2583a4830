import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { reduceWaitingClose } from '../../../../engine/trading/orders/terms/reduce-waiting-close.ts';
import { VENUE_A_FEE } from '../../../support/fees.ts';

const FEES = VENUE_A_FEE;
const INSTRUMENT = {
  token_id: 'KXTEST:yes',
  fee_schedule: FEES,
  step_size: '1',
  min_size: '5',
  min_notional: '0',
};
const ORDER = {
  amount: '15',
  limit_price: '0.46',
  worst_fee: '0.3',
  decided_quote: { bid: '0.48', ask: '0.5', last: null, asOf: '' },
};
const drawn = (blueprintId: string, amount: number) => ({
  positionId: `of ${blueprintId}`,
  blueprintId,
  amount: exact(amount),
});
const DRAWN = [drawn('a', 5), drawn('b', 10)];

describe('the rest of a pending close', () => {
  test('is the amount of the others, at its decision price', () => {
    expect(reduceWaitingClose(ORDER, DRAWN, 'a', INSTRUMENT)).toEqual({
      amount: '10',
      size: '4.8',
      maxFee: '0.175',
    });
  });

  test('uses its limit if that is higher, or if there was no bid', () => {
    const size = (order: object) => reduceWaitingClose({ ...ORDER, ...order }, DRAWN, 'a', INSTRUMENT)?.size;
    expect(size({ limit_price: '0.6' })).toBe('6');
    expect(size({ decided_quote: null })).toBe('4.6');
    expect(size({ decided_quote: { bid: null } })).toBe('4.6');
  });

  test('never has a larger maximum fee than the whole had', () => {
    expect(reduceWaitingClose({ ...ORDER, worst_fee: '0.1' }, DRAWN, 'a', INSTRUMENT)?.maxFee).toBe('0.1');
  });

  test("is nothing if nothing is left, or less than the venue's minimum", () => {
    expect(reduceWaitingClose(ORDER, DRAWN, 'b', INSTRUMENT)?.amount).toBe('5');
    expect(reduceWaitingClose({ ...ORDER, amount: '14' }, DRAWN, 'b', INSTRUMENT)).toBeNull();
    expect(reduceWaitingClose(ORDER, [drawn('a', 15)], 'a', INSTRUMENT)).toBeNull();
    const byNotional = { ...INSTRUMENT, min_notional: '4.85' };
    expect(reduceWaitingClose(ORDER, DRAWN, 'a', byNotional)).toBeNull();
  });
});
