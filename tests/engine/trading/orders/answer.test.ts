import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact, sumOf } from '../../../../engine/platform/decimal.ts';
import type { OrderRow } from '../../../../engine/trading/orders/row.ts';
import { answer, fill, NOTHING, position, reserved, trade } from './answer.ts';
import { NOW } from './market.ts';
import { at } from './order.ts';

describe('the venue order id', () => {
  test('is stored with its step, or alone if there is none', () => {
    const stepped = answer({ status: 'submitted' }, { venueOrderId: 'v-1' });
    expect(stepped.changes).toMatchObject([{ set: { status: 'open', venue_order_id: 'v-1' } }]);
    expect(stepped.venueOrderId).toBeNull();
    expect(answer({}, { venueOrderId: 'v-1' })).toEqual({ ...NOTHING, venueOrderId: 'v-1' });
  });

  test('is not stored again if it is known, or absent', () => {
    expect(answer({ venue_order_id: 'v-1' }, { venueOrderId: 'v-1' })).toEqual(NOTHING);
    expect(answer({ venue_order_id: 'v-1' }, {})).toEqual(NOTHING);
    const { changes } = answer({ status: 'submitted', venue_order_id: 'v-1' }, {});
    expect(changes[0]?.set).not.toHaveProperty('venue_order_id');
  });

  test('never changes: a response with another id is rejected whole', () => {
    expect(() => answer({ venue_order_id: 'v-1' }, { venueOrderId: 'v-2' })).toThrow(
      'The venue reports id v-2 for order o-1, whose venue id is v-1.',
    );
  });
});

describe('fills of a buy', () => {
  test('open a position where the blueprint has none, and add to it from then on', () => {
    const others = [position('other', '3', { blueprint_id: 'b-2' })];
    const { fills, changes, events, isLate } = answer(
      {},
      { fills: [fill('t-1', '4', { fee: '0.1' }), fill('t-2', '2')] },
      { positions: others },
    );
    const [first, second] = fills;
    expect(first?.opened).toMatchObject({
      blueprint_id: 'b-1',
      token_id: 'KXTEST:yes',
      amount: '0',
      opened_at: at(0),
    });
    expect(first?.booking.positions).toMatchObject([{ positionId: first?.opened?.id, opens: true }]);
    expect(second?.opened).toBeNull();
    expect(second?.booking.positions).toMatchObject([{ positionId: first?.opened?.id, opens: false }]);
    expect(fills.map(({ allocations }) => allocations)).toEqual([[], []]);
    expect(changes).toMatchObject([
      { set: { filled_amount: '6', filled_notional: '3', fees: '0.1' } },
      { set: { status: 'partially_filled' }, step: { actor: 'venue' } },
    ]);
    expect(events.map(({ type }) => type)).toEqual(['order.changed', 'fill.applied', 'position.changed']);
    expect(isLate).toBe(false);
  });

  test('add to the position the blueprint has', () => {
    const { fills } = answer({}, { fills: [fill('t-1', '4')] }, { positions: [position('p', '3')] });
    expect(fills).toMatchObject([
      { opened: null, allocations: [], booking: { positions: [{ positionId: 'p', opens: false }] } },
    ]);
  });

  test('do not change a reservation, which only sells have', () => {
    const { fills } = answer(
      {},
      { fills: [fill('t-1', '4')] },
      { positions: [position('p', '3')], allocations: [reserved('p', '9')] },
    );
    expect(fills[0]?.allocations).toEqual([]);
  });

  test('count once by their trade id, in one answer or in several', () => {
    const twice = answer({}, { fills: [fill('t-1', '4'), fill('t-1', '4')] });
    expect(twice.fills).toHaveLength(1);
    expect(
      answer({ status: 'partially_filled' }, { fills: [fill('t-1', '4')] }, { fills: [trade('t-1', '4')] }),
    ).toEqual(NOTHING);
  });

  test("keep the venue's fields of each", () => {
    const terms = {
      fee: '0.2',
      feeAsset: 'ETH',
      feeAmount: '0.0001',
      liquidity: 'taker',
      state: 'provisional',
    } as const;
    const { fills } = answer({ connection_id: 'c-1' }, { fills: [fill('t-1', '4', terms)] });
    expect(fills[0]?.booking.fill).toMatchObject({
      kind: 'trade',
      order_id: 'o-1',
      venue_trade_id: 't-1',
      side: 'buy',
      amount: '4',
      price: '0.5',
      fee: '0.2',
      fee_asset: 'ETH',
      fee_amount: '0.0001',
      liquidity: 'taker',
      state: 'provisional',
      connection_id: 'c-1',
      at: at(-5),
      applied_at: at(0),
    });
  });

  test('with a fee in kind add the amount that is left', () => {
    const { fills } = answer(
      { token_id: 'BTCUSDT', venue: 'crypto' },
      { fills: [fill('t-1', '2', { fee: '0.001', feeAsset: 'BTC', feeAmount: '0.002' })] },
    );
    const [moved] = fills[0]?.booking.positions ?? [];
    expect(moved?.amount.toFixed()).toBe('1.998');
    expect(fills[0]?.booking.fill.amount).toBe('2');
  });

  test('are a step each, also where the status stays, and none without', () => {
    const before = { status: 'partially_filled', filled_amount: '4', filled_notional: '2' } as const;
    const booked = { fills: [trade('t-1', '4')] };
    const { changes } = answer(before, { fills: [fill('t-1', '4'), fill('t-2', '2')] }, booked);
    expect(changes).toMatchObject([
      { set: { filled_amount: '6' } },
      { set: { status: 'partially_filled' }, step: { actor: 'venue' } },
    ]);
    expect(answer(before, { fills: [fill('t-1', '4')] }, booked)).toEqual(NOTHING);
  });

  test('sum up exactly, however the venue splits them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 4 }),
        (thousandths) => {
          const amounts = thousandths.map((each) => exact(each).div(1_000).toFixed());
          const { changes, fills } = answer(
            {},
            { fills: amounts.map((amount, n) => fill(`t-${n}`, amount)) },
          );
          const sum = sumOf(amounts);
          expect(changes[0]?.set).toMatchObject({
            filled_amount: sum.toFixed(),
            filled_notional: sum.div(2).toFixed(),
          });
          expect(sumOf(fills.map(({ booking }) => booking.account.cash)).toFixed()).toBe(
            sum.div(-2).toFixed(),
          );
        },
      ),
    );
  });
});

describe('fills of a sell', () => {
  const sell = { side: 'sell' } as const;
  const positions = [position('p-1', '4'), position('p-2', '6', { blueprint_id: 'b-2' })];
  const allocations = [reserved('p-1', '4'), reserved('p-2', '6')];

  test('draw on the reservation, in its order, each where the one before stopped', () => {
    const { fills, audits } = answer(
      sell,
      { fills: [fill('t-1', '3'), fill('t-2', '3')] },
      { positions, allocations },
    );
    expect(
      fills.map(({ booking }) => booking.parts.map(({ position_id, amount }) => [position_id, amount])),
    ).toEqual([
      [['p-1', '3']],
      [
        ['p-1', '1'],
        ['p-2', '2'],
      ],
    ]);
    expect(fills.map(({ allocations }) => allocations)).toEqual([
      [reserved('p-1', '4', '3')],
      [reserved('p-1', '4', '4'), reserved('p-2', '6', '2')],
    ]);
    expect(fills.map(({ opened }) => opened)).toEqual([null, null]);
    expect(audits).toEqual([]);
  });

  test('draw on the reservation, not on the first purchase', () => {
    const { fills } = answer(
      sell,
      { fills: [fill('t-1', '4')] },
      { positions, allocations: [reserved('p-2', '3'), reserved('p-1', '2')] },
    );
    const drawn = fills[0]?.booking.parts.map(({ position_id, amount }) => [position_id, amount]);
    expect(new Map(drawn as [string, string][])).toEqual(
      new Map([
        ['p-2', '3'],
        ['p-1', '1'],
      ]),
    );
  });

  test('draw beyond the reservation on the other holdings, whose reserve does not change', () => {
    const { fills, audits } = answer(
      sell,
      { fills: [fill('t-1', '3')] },
      { positions, allocations: [reserved('p-1', '3', '1')] },
    );
    expect(fills[0]?.allocations).toEqual([reserved('p-1', '3', '3')]);
    expect(fills[0]?.booking.parts.map(({ position_id, amount }) => [position_id, amount])).toEqual([
      ['p-1', '3'],
    ]);
    expect(audits).toEqual([]);
  });

  test('of more than the holding leave an audit row with the excess', () => {
    const { audits } = answer(sell, { fills: [fill('t-1', '9')] }, { positions: [position('p-1', '4')] });
    expect(audits).toEqual([
      {
        action: 'fill.unbacked',
        subjectId: 'o-1',
        before: null,
        after: { tradeId: 't-1', sold: '9', notHeld: '5' },
        at: NOW,
      },
    ]);
  });

  test('may cost more in fees than expected: only a buy sets its fee aside', () => {
    const { audits } = answer(sell, { fills: [fill('t-1', '3', { fee: '9' })] }, { positions, allocations });
    expect(audits).toEqual([]);
  });
});

describe('a fill after the end of its order', () => {
  test('is booked, and leaves an audit row; the final status changes only if the order is full', () => {
    const late = answer({ status: 'canceled' }, { status: 'canceled', fills: [fill('t-1', '4')] });
    expect(late.isLate).toBe(true);
    expect(late.audits).toEqual([
      {
        action: 'fill.late',
        subjectId: 'o-1',
        before: { status: 'canceled', filledAmount: '0.000000000000' },
        after: { status: 'canceled', filledAmount: '4.000000000000' },
        at: NOW,
      },
    ]);
    expect(late.changes).toHaveLength(1);
    expect(
      answer({ status: 'canceled' }, { status: 'canceled', fills: [fill('t-1', '10')] }).changes,
    ).toMatchObject([{}, { set: { status: 'filled' } }]);
  });

  test('does not exist without a new fill', () => {
    expect(answer({ status: 'canceled' }, { status: 'canceled' })).toEqual(NOTHING);
  });
});

describe('a fee above what a buy had set aside', () => {
  const charged = (fee: string, terms: Partial<OrderRow> = {}, before = '0') =>
    answer(
      { fees: before, ...terms },
      { fills: [fill('t-1', '4', { fee })] },
      { fills: [trade('t-0', '1', { fee: before })] },
    ).audits;

  test('is audited with both sums', () => {
    expect(charged('0.176')).toEqual([
      {
        action: 'fill.fee_above_reserve',
        subjectId: 'o-1',
        before: { reserved: '0.175' },
        after: { fees: '0.176' },
        at: NOW,
      },
    ]);
  });

  test('is audited once, and only from there on', () => {
    expect(charged('0.175')).toEqual([]);
    expect(charged('0.001', {}, '0.175')).toHaveLength(1);
    expect(charged('0.001', {}, '0.176')).toEqual([]);
  });
});

test('a response states why it ends an order, and whether fills are missing', () => {
  const why = { reasonCode: 'too_late', reason: 'Too late.' };
  expect(answer({ status: 'submitted' }, { status: 'rejected', ...why }).changes).toMatchObject([
    { set: { status: 'rejected', reason_code: 'too_late', reason: 'Too late.', ended_at: at(0) } },
  ]);
  expect(answer({}, { status: 'canceled', filledAmount: '1' })).toEqual({ ...NOTHING, lacksFills: true });
  expect(answer({ good_till: at(0) }, { status: 'canceled' }).changes).toMatchObject([
    { set: { status: 'expired', reason_code: 'good_till_passed' } },
  ]);
});
