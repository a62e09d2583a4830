import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Booking,
  type BookingContext,
  movePosition,
  type PositionRow,
  planBooking,
} from '../../../../engine/books/accounting/booking.ts';
import { exact, sumOf } from '../../../../engine/platform/decimal.ts';
import { reverseTrade, tradeToReverse } from '../../../../engine/trading/orders/execution/reverse-trade.ts';
import { fillOf } from '../../../support/scripted-broker.ts';

const AT = new Date('2026-11-20T12:00:00.000Z');

const Trade = fc.record({
  amount: fc.integer({ min: 1, max: 1_000_000 }).map((units) => exact(units).div(1_000)),
  price: fc.integer({ min: 1, max: 999 }).map((units) => exact(units).div(1_000)),
  fee: fc.integer({ min: 0, max: 10_000 }).map((units) => exact(units).div(10_000)),
});

let ids = 0;
const entry: BookingContext = { accountId: 'a', mode: 'live', at: AT, newId: () => `id-${++ids}` };
const START: PositionRow = {
  account_id: 'a',
  id: 'p-1',
  mode: 'live',
  token_id: 'T:yes',
  venue: 'venue-b',
  blueprint_id: 'b-1',
  amount: '5000000',
  total_cost: '1234567.891',
  realized_pnl: '0',
  fees: '0',
  fill_count: 1,
  opened_at: AT.toISOString(),
  updated_at: AT.toISOString(),
};

test.each(['buy', 'sell'] as const)(
  'trades of a %s taken back, in any order, leave the cash and the holding they found, and realized profit only as it is in the cost',
  (side) => {
    fc.assert(
      fc.property(fc.array(Trade, { minLength: 1, maxLength: 5 }), fc.nat(), (trades, turn) => {
        const order = {
          id: 'o-1',
          side,
          token_id: 'T:yes',
          venue: 'venue-b' as const,
          connection_id: null,
        };
        let position = START;
        const book = (booking: Booking): Booking => {
          for (const move of booking.positions) position = movePosition(position, move, AT);
          return booking;
        };
        const booked = trades.map(({ amount, price, fee }, index) =>
          book(
            planBooking(
              {
                kind: 'trade',
                orderId: order.id,
                tokenId: 'T:yes',
                venue: 'venue-b',
                venueTradeId: `t-${index}`,
                side,
                amount,
                price,
                fee,
                at: AT,
              },
              [
                {
                  positionId: 'p-1',
                  amount: exact(position.amount),
                  totalCost: exact(position.total_cost),
                  draw: amount,
                },
              ],
              entry,
            ),
          ),
        );
        const from = turn % booked.length;
        const undone = [...booked.slice(from), ...booked.slice(0, from)].map(({ fill, parts }) =>
          book(reverseTrade(order, fill, { parts, positions: [position] }, AT, entry)),
        );
        const all = [...booked, ...undone];
        expect(sumOf(all.map(({ account }) => account.cash)).toFixed()).toBe('0');
        expect(sumOf(all.map(({ fill }) => fill.fee)).toFixed()).toBe('0');
        expect(exact(position.amount).toFixed()).toBe(exact(START.amount).toFixed());
        const realized = sumOf(all.map(({ account }) => account.realizedPnl));
        expect(realized.toFixed()).toBe(exact(position.total_cost).minus(START.total_cost).toFixed());
      }),
    );
  },
);

test('a trade that is not booked is not reversed, and none is reversed twice', () => {
  const failed = fillOf('t-1', { amount: '1', state: 'failed' });
  expect(tradeToReverse(failed, [])).toBeNull();
  expect(tradeToReverse(failed, [{ venue_trade_id: 't-1' }])).toEqual({ venue_trade_id: 't-1' });
  expect(tradeToReverse(failed, [{ venue_trade_id: 't-1' }, { venue_trade_id: 'reversal:t-1' }])).toBeNull();
  expect(tradeToReverse(fillOf('t-1', { amount: '1' }), [{ venue_trade_id: 't-1' }])).toBeNull();
  expect(tradeToReverse(failed, [{ venue_trade_id: 't-0' }, { venue_trade_id: 't-1' }])).toEqual({
    venue_trade_id: 't-1',
  });
  expect(tradeToReverse(failed, [{ venue_trade_id: 't-0' }])).toBeNull();
});

test('a sale of two blueprints is returned to each as it was taken; other holdings do not change', () => {
  const positions = ['p-0', 'p-1', 'p-2'].map((id) => ({ ...START, id, blueprint_id: `of ${id}` }));
  const parts = [
    ['p-2', '1'],
    ['p-1', '3'],
  ].map(([position_id = '', amount = ''], index) => ({
    account_id: 'a',
    fill_id: 'f-1',
    position_id,
    number: index + 1,
    amount,
    cost: '0',
    fee: '0',
    realized_pnl: '0',
  }));
  const trade = {
    id: 'f-1',
    kind: 'trade' as const,
    venue_trade_id: 't-1',
    amount: '4',
    price: '0.5',
    fee: '0.1',
    fee_asset: 'USD',
    fee_amount: '0.1',
    liquidity: 'taker' as const,
  };
  const drawnFrom = (booking: Booking) =>
    booking.parts.map(({ position_id, amount }) => [position_id, amount]);
  const undone = (side: 'buy' | 'sell', of: typeof parts, held = positions) =>
    reverseTrade(
      { id: 'o-1', side, token_id: 'T:yes', venue: 'venue-b', connection_id: null },
      trade,
      { parts: of, positions: held },
      AT,
      entry,
    );
  expect(drawnFrom(undone('sell', parts))).toEqual([
    ['p-2', '1'],
    ['p-1', '3'],
  ]);
  // A reversal of a buy takes at most the holding that is left, and nothing of a missing position.
  const soldSince = positions.map((position) => ({
    ...position,
    amount: position.id === 'p-2' ? '0' : '10',
  }));
  expect(drawnFrom(undone('buy', parts, soldSince))).toEqual([['p-1', '4']]);
  const gone = positions.filter(({ id }) => id !== 'p-2');
  expect(drawnFrom(undone('sell', parts, gone))).toEqual([['p-1', '3']]);
  expect(undone('buy', parts.slice(1)).fill).toMatchObject({
    kind: 'reversal',
    side: 'sell',
    venue_trade_id: 'reversal:t-1',
    fee: '-0.1',
  });
});
