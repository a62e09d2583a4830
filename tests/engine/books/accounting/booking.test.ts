import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Draw } from '../../../../engine/books/accounting/apply-fill.ts';
import {
  type AccountDayRow,
  emptyPosition,
  type FillToBook,
  holdingOf,
  moveAccount,
  moveDay,
  movePosition,
  type PositionRow,
  planBooking,
  type TradingAccountRow,
} from '../../../../engine/books/accounting/booking.ts';
import { exact, sumOf, ZERO } from '../../../../engine/platform/decimal.ts';

const AT = new Date('2026-11-20T12:00:00.000Z');
const BEFORE = new Date('2026-11-20T11:00:00.000Z');

const draw = (positionId: string, amount: string, totalCost: string, drawn: string): Draw => ({
  positionId,
  amount: exact(amount),
  totalCost: exact(totalCost),
  draw: exact(drawn),
});
const book = (terms: Partial<FillToBook>, ...draws: Draw[]) => {
  let ids = 0;
  return planBooking(
    {
      kind: 'trade',
      orderId: 'o-1',
      tokenId: 'T:yes',
      venue: 'venue-a',
      venueTradeId: 't-1',
      side: 'buy',
      amount: exact(10),
      price: exact('0.5'),
      fee: exact('0.1'),
      at: BEFORE,
      ...terms,
    },
    draws,
    { accountId: 'a', mode: 'paper', at: AT, newId: () => `id-${++ids}` },
  );
};
const PLACE = { token_id: 'T:yes', venue: 'venue-a', blueprint_id: 'b-1' } as const;
const EMPTY: PositionRow = emptyPosition({ accountId: 'a', mode: 'paper', ...PLACE }, 'p', BEFORE);

describe('an execution as it is booked', () => {
  test('stores the time of the venue and the time of booking; its fee is in USD and it is final unless specified otherwise', () => {
    expect(book({}, draw('p', '0', '0', '10')).fill).toEqual({
      account_id: 'a',
      id: 'id-1',
      order_id: 'o-1',
      mode: 'paper',
      kind: 'trade',
      token_id: 'T:yes',
      venue: 'venue-a',
      venue_trade_id: 't-1',
      side: 'buy',
      amount: '10',
      price: '0.5',
      fee: '0.1',
      fee_asset: 'USD',
      fee_amount: '0.1',
      liquidity: null,
      state: 'final',
      connection_id: null,
      at: BEFORE.toISOString(),
      applied_at: AT.toISOString(),
    });
  });

  test('stores the asset that the venue charged the fee in', () => {
    const terms = {
      feeAsset: 'ETH',
      feeAmount: exact('0.0001'),
      liquidity: 'maker',
      state: 'provisional',
      connectionId: 'c-1',
    } as const;
    expect(book(terms, draw('p', '0', '0', '10')).fill).toMatchObject({
      fee: '0.1',
      fee_asset: 'ETH',
      fee_amount: '0.0001',
      liquidity: 'maker',
      state: 'provisional',
      connection_id: 'c-1',
    });
  });

  test('of a buy takes cash and adds to its position, which it opens only where that was empty', () => {
    const { cash, account, parts, positions, at } = book({}, draw('p', '0', '0', '10'));
    const row = {
      account_id: 'a',
      mode: 'paper',
      fill_id: 'id-1',
      connection_id: null,
      seq: null,
      at: AT.toISOString(),
    };
    expect(cash).toEqual([
      { ...row, id: 'id-2', kind: 'trade', amount: '-5' },
      { ...row, id: 'id-3', kind: 'fee', amount: '-0.1' },
    ]);
    expect(account).toEqual({ cash: exact('-5.1'), realizedPnl: exact('-0.1'), isLoss: false });
    expect(positions).toEqual([
      {
        positionId: 'p',
        amount: exact(10),
        totalCost: exact(5),
        realizedPnl: exact('-0.1'),
        fees: exact('0.1'),
        opens: true,
      },
    ]);
    expect(parts).toEqual([
      {
        account_id: 'a',
        fill_id: 'id-1',
        position_id: 'p',
        number: 1,
        amount: '10',
        cost: '5',
        fee: '0.1',
        realized_pnl: '-0.1',
      },
    ]);
    expect(at).toBe(AT);
    expect(book({}, draw('p', '0.000000000001', '0', '10')).positions[0]?.opens).toBe(false);
  });

  test('of a sell brings cash, takes from each position its share and opens none', () => {
    const sold = book({ side: 'sell' }, draw('p', '4', '4', '4'), draw('q', '0', '0', '6'));
    expect(sold.positions).toMatchObject([
      { positionId: 'p', amount: exact(-4), totalCost: exact(-4), opens: false },
      { positionId: 'q', amount: exact(-6), opens: false },
    ]);
    expect(sold.parts.map(({ number, amount }) => [number, amount])).toEqual([
      [1, '4'],
      [2, '6'],
    ]);
    expect(sold.account.cash.toFixed()).toBe('4.9');
  });

  test('without a position has no part, and still moves cash', () => {
    const { positions, parts, account } = book({ side: 'sell', fee: ZERO });
    expect([positions, parts]).toEqual([[], []]);
    expect(account.cash.toFixed()).toBe('5');
  });
});

describe('a position after a move', () => {
  const move = {
    positionId: 'p',
    amount: exact(10),
    totalCost: exact(5),
    realizedPnl: exact('-0.1'),
    fees: exact('0.1'),
    opens: false,
  };
  const before = { ...EMPTY, amount: '1', total_cost: '2', realized_pnl: '3', fees: '4', fill_count: 5 };

  test('is what it was and what is added, one fill more', () => {
    expect(movePosition(before, move, AT)).toEqual({
      ...before,
      amount: '11',
      total_cost: '7',
      realized_pnl: '2.9',
      fees: '4.1',
      fill_count: 6,
      updated_at: AT.toISOString(),
    });
  });

  test('counts its age from a fill that opens it', () => {
    expect(movePosition(before, { ...move, opens: true }, AT).opened_at).toBe(AT.toISOString());
    expect(movePosition(before, move, AT).opened_at).toBe(BEFORE.toISOString());
  });
});

describe('the account after a move', () => {
  const before: TradingAccountRow = {
    account_id: 'a',
    mode: 'paper',
    cash: '100',
    realized_pnl: '7',
    last_loss_at: null,
    tripped_at: null,
    trip_reason: null,
    created_at: BEFORE.toISOString(),
  };
  const move = { cash: exact('-5.1'), realizedPnl: exact('-0.1'), isLoss: false };

  test('has what was moved; only a loss starts the cool-down', () => {
    expect(moveAccount(before, move, AT)).toEqual({ ...before, cash: '94.9', realized_pnl: '6.9' });
    expect(moveAccount(before, { ...move, isLoss: true }, AT).last_loss_at).toBe(AT.toISOString());
  });

  test('has the same realized in its day', () => {
    const day: AccountDayRow = {
      account_id: 'a',
      mode: 'paper',
      day: '2026-11-20',
      opening_unrealized_pnl: '2',
      realized_pnl: '1',
    };
    expect(moveDay(day, move)).toEqual({ ...day, realized_pnl: '0.9' });
  });
});

test('a position begins empty, at the moment it is made', () => {
  expect(EMPTY).toEqual({
    account_id: 'a',
    id: 'p',
    mode: 'paper',
    ...PLACE,
    amount: '0',
    total_cost: '0',
    realized_pnl: '0',
    fees: '0',
    fill_count: 0,
    opened_at: BEFORE.toISOString(),
    updated_at: BEFORE.toISOString(),
  });
  expect(holdingOf({ id: 'p', amount: '1.50', total_cost: '0.70' })).toEqual({
    positionId: 'p',
    amount: exact('1.5'),
    totalCost: exact('0.7'),
  });
});

test('cash and cost of all positions move by what is realized, whatever is bought and sold', () => {
  const Trade = fc.record({
    isBuy: fc.boolean(),
    amount: fc.integer({ min: 1, max: 10_000 }),
    price: fc.integer({ min: 1, max: 999 }),
    fee: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(fc.array(Trade, { maxLength: 8 }), (trades) => {
      let position = EMPTY;
      const booked = trades.flatMap(({ isBuy, amount, price, fee }) => {
        const wanted = exact(amount).div(100);
        const drawn = isBuy || wanted.lte(position.amount) ? wanted : exact(position.amount);
        if (drawn.isZero()) return [];
        const booking = book(
          {
            side: isBuy ? 'buy' : 'sell',
            amount: drawn,
            price: exact(price).div(1_000),
            fee: exact(fee).div(100),
          },
          { ...holdingOf(position), draw: drawn },
        );
        for (const move of booking.positions) position = movePosition(position, move, AT);
        return [booking];
      });
      const cash = sumOf(booked.map(({ account }) => account.cash));
      const realized = sumOf(booked.map(({ account }) => account.realizedPnl));
      expect(cash.plus(position.total_cost).toFixed()).toBe(realized.toFixed());
      expect(exact(position.realized_pnl).toFixed()).toBe(realized.toFixed());
      expect(position.fill_count).toBe(booked.length);
    }),
  );
});
