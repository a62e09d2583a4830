import { describe, expect, test } from 'vitest';
import { type PositionRow, viewOf } from '../../../../engine/books/accounting/position-view.ts';
import { utcDay } from '../../../../engine/platform/clock/utc-day.ts';

const ROW: PositionRow = {
  token_id: 'KXTEST:yes',
  venue: 'venue-a',
  title: 'Test',
  amount: '3.000000000000',
  closing: '1.500000000000',
  total_cost: '1.000000000000',
  mark_price: '0.480000000000',
  realized_pnl: '-0.100000000000',
  blueprint_id: 'b-1',
  opened_at: '2026-11-20 12:00:00+00',
  updated_at: '2026-11-20 12:00:01.5+00',
  is_dust: false,
};

describe('a position', () => {
  test('is marked as dust if it is, and otherwise has no such field', () => {
    expect(viewOf({ ...ROW, is_dust: true })).toHaveProperty('isDust', true);
    expect(viewOf(ROW)).not.toHaveProperty('isDust');
  });

  test('"Amount and total cost are stored, average cost is derived", and so is its value at the bid', () => {
    expect(viewOf(ROW)).toEqual({
      tokenId: 'KXTEST:yes',
      venue: 'venue-a',
      title: 'Test',
      amount: '3',
      amountClosing: '1.5',
      averageCost: '0.333333333333',
      markPrice: '0.48',
      unrealizedPnl: '0.44',
      realizedPnl: '-0.1',
      blueprintId: 'b-1',
      openedAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:01.500Z',
    });
  });

  test('without a quote has no mark and no unrealized result', () => {
    expect(viewOf({ ...ROW, mark_price: null })).toMatchObject({ markPrice: null, unrealizedPnl: null });
  });

  test('is valued to the 12 decimals of the ledger', () => {
    const { unrealizedPnl } = viewOf({
      ...ROW,
      amount: '0.333333333333',
      total_cost: '0',
      mark_price: '0.5',
    });
    expect(unrealizedPnl).toBe('0.166666666666');
  });
});

test('a day begins at 00:00 UTC, for everyone', () => {
  expect(utcDay(new Date('2026-11-19T23:59:59.999Z'))).toBe('2026-11-19');
  expect(utcDay(new Date('2026-11-20T00:00:00.000Z'))).toBe('2026-11-20');
  expect(utcDay(new Date('2026-11-20T05:00:00+09:00'))).toBe('2026-11-19');
});
