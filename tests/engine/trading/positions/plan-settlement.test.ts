import { describe, expect, test } from 'vitest';
import type { PositionRow } from '../../../../engine/books/accounting/booking.ts';
import { exact, ZERO } from '../../../../engine/platform/decimal.ts';
import type { InstrumentRow, OrderRow } from '../../../../engine/trading/orders/row.ts';
import {
  planSettlement,
  type SettledHoldings,
} from '../../../../engine/trading/positions/plan-settlement.ts';
import { position } from '../orders/answer.ts';
import { INSTRUMENT, NOW } from '../orders/market.ts';
import { at, order } from '../orders/order.ts';

const PAID = { ...INSTRUMENT, settlement_value: '1.000000000000' };
const settled = (holdings: Partial<SettledHoldings> = {}, instrument: InstrumentRow = PAID) =>
  planSettlement(instrument, { orders: [], positions: [], ...holdings }, { actor: 'venue', now: NOW });
const paidOf = (positions: readonly PositionRow[]) =>
  settled({ positions })?.payout?.fills.map(({ draws: [draw] }) => draw.positionId);
const withOrder = (terms: Partial<OrderRow>) =>
  settled({ orders: [order(terms)], positions: [position('p-1', '10')] });

describe('a settled instrument', () => {
  test('pays nothing and ends nothing until its venue has stated the value', () => {
    const positions = [position('p-1', '10')];
    expect(settled({ orders: [order()], positions }, { ...PAID, settlement_value: null })).toBeNull();
  });

  test('pays out all of a holding at the value, as a sell without a trade and without a fee', () => {
    const payout = settled({ positions: [position('p-1', '10', { fill_count: 3 })] })?.payout;
    expect(payout).toEqual({
      fills: [
        {
          fill: {
            kind: 'settlement',
            orderId: null,
            tokenId: 'KXTEST:yes',
            venue: 'venue-a',
            venueTradeId: 'settlement:p-1:3',
            side: 'sell',
            amount: exact(10),
            price: exact(1),
            fee: ZERO,
            connectionId: null,
            at: NOW,
          },
          draws: [{ positionId: 'p-1', amount: exact(10), totalCost: exact(4), draw: exact(10) }],
          realizedPnl: exact(6),
        },
      ],
      audits: [
        {
          action: 'position.settled',
          subjectId: 'p-1',
          before: { amount: '10' },
          after: { amount: '0', value: '1', realizedPnl: '6' },
          at: NOW,
        },
      ],
      events: [
        { type: 'position.changed', payload: { tokenId: 'KXTEST:yes', blueprintId: 'b-1', settled: '1' } },
      ],
    });
  });

  test('that pays nothing loses the cost of the holding', () => {
    const lost = settled({ positions: [position('p-1', '10')] }, { ...PAID, settlement_value: '0' });
    expect(lost?.payout?.fills[0]?.realizedPnl.toFixed()).toBe('-4');
  });

  test('pays every blueprint its own, and does not touch empty positions or those of another instrument', () => {
    const other = position('p-3', '7', { token_id: 'KXTEST:no' });
    expect(
      paidOf([
        position('p-1', '10'),
        position('p-2', '0'),
        other,
        position('p-4', '1', { blueprint_id: 'b-2' }),
      ]),
    ).toEqual(['p-1', 'p-4']);
  });

  test('names the venue account that holds it', () => {
    const payout = settled({ positions: [position('p-1', '10')], connectionId: 'c-1' })?.payout;
    expect(payout?.fills[0]?.fill.connectionId).toBe('c-1');
  });
});

describe('an order in a settled instrument', () => {
  test.each(['pending', 'queued'] as const)(
    'that is %s is canceled, and the holding is paid at once',
    (status) => {
      const outcome = withOrder({ status });
      expect(outcome?.orders.changes).toMatchObject([
        {
          before: { id: 'o-1' },
          set: { status: 'canceled', reason_code: 'canceled', reason: 'Its market is settled.' },
          step: { to: 'canceled', actor: 'venue' },
        },
      ]);
      expect(outcome?.payout?.fills).toHaveLength(1);
    },
  );

  test.each(['submitted', 'unknown', 'open'] as const)(
    'that is %s is asked back, and nothing is paid before its venue has confirmed the end',
    (status) => {
      const outcome = withOrder({ status });
      expect(outcome?.orders.changes).toMatchObject([
        { step: null, set: { cancel_requested_at: NOW.toISOString(), reason: 'Its market is settled.' } },
      ]);
      expect(outcome?.payout).toBeNull();
    },
  );

  test('with an earlier cancel request gets no second one, and is waited for', () => {
    const outcome = withOrder({ status: 'open', cancel_requested_at: at(-5) });
    expect(outcome).toEqual({ orders: { changes: [], audits: [], events: [] }, payout: null });
  });

  test('holds up the payment even if another one ends at once', () => {
    const orders = [
      order({ id: 'o-2', status: 'pending' }),
      order({ status: 'open', cancel_requested_at: at(-5) }),
    ];
    const outcome = settled({ orders, positions: [position('p-1', '10')] });
    expect(outcome?.orders.changes.map(({ before }) => before.id)).toEqual(['o-2']);
    expect(outcome?.payout).toBeNull();
    const both = [order({ id: 'o-2', status: 'pending' }), order({ status: 'open' })];
    expect(settled({ orders: both })?.payout).toBeNull();
  });

  test.each<[string, Partial<OrderRow>]>([
    ['has ended', { status: 'filled' }],
    ['was asked back, and has ended', { status: 'canceled', cancel_requested_at: at(-5) }],
    ['is of another instrument', { token_id: 'KXTEST:no' }],
    ['was not approved in time', { status: 'pending', expires_at: at(-1) }],
  ])('that %s is left as it is, and the holding is paid', (_what, terms) => {
    const outcome = withOrder(terms);
    expect(outcome?.orders.changes).toEqual([]);
    expect(outcome?.payout?.fills).toHaveLength(1);
  });
});
