import { describe, expect, test } from 'vitest';
import type { AllocationRow, ReportPlan } from '../../../../engine/trading/orders/execution/plan-report.ts';
import { answer, fill, NOTHING, part, position, reserved, trade } from './answer.ts';
import { NOW } from './market.ts';
import { at } from './order.ts';

const allocationsOf = ({ fills }: ReportPlan) => fills.map(({ allocations }) => allocations);

describe('a trade that failed', () => {
  const failed = (id: string, amount: string) => fill(id, amount, { state: 'failed' });

  test('of a buy is booked in the other direction, and leaves an audit row for a person', () => {
    const { fills, audits, changes } = answer(
      { status: 'partially_filled' },
      { fills: [failed('t-1', '4')] },
      {
        fills: [trade('t-1', '4', { fee: '0.1' }), trade('t-2', '2', { fee: '0.05' })],
        parts: [part('t-1', 'p', '4'), part('t-2', 'p-2', '2')],
        positions: [position('p', '4'), position('p-2', '2', { blueprint_id: 'b-2' })],
        allocations: [reserved('p', '4', '4')],
      },
    );
    expect(fills).toMatchObject([
      {
        opened: null,
        allocations: [],
        booking: {
          fill: { kind: 'reversal', side: 'sell', amount: '4', venue_trade_id: 'reversal:t-1' },
          positions: [{ positionId: 'p' }],
        },
      },
    ]);
    expect(fills[0]?.allocations).toEqual([]);
    expect(changes[0]?.set).toMatchObject({ filled_amount: '2', filled_notional: '1', fees: '0.05' });
    expect(audits).toEqual([
      {
        action: 'fill.reversed',
        subjectId: 'o-1',
        before: null,
        after: { tradeId: 'reversal:t-1', amount: '4', realizedPnl: '0.5' },
        at: NOW,
      },
    ]);
  });

  test('of a sell restores its reservation, except for the part that standing trades have drawn', () => {
    const takenBack = (allocations: AllocationRow[]) =>
      allocationsOf(
        answer(
          { side: 'sell', status: 'partially_filled' },
          { fills: [failed('t-1', '3')] },
          {
            fills: [
              trade('t-1', '3'),
              trade('t-2', '4'),
              trade('x', '1'),
              trade('reversal:x', '1', { kind: 'reversal' }),
            ],
            parts: [
              part('t-1', 'p-1', '3'),
              part('t-2', 'p-1', '2'),
              part('t-2', 'p-2', '2'),
              part('x', 'p-1', '1'),
              part('reversal:x', 'p-1', '1'),
              part('of another order', 'p-1', '7'),
            ],
            positions: [position('p-1', '4'), position('p-2', '6', { blueprint_id: 'b-2' })],
            allocations,
          },
        ),
      );
    expect(takenBack([reserved('p-1', '9', '5'), reserved('p-2', '6', '2')])).toEqual([
      [reserved('p-1', '9', '2')],
    ]);
    expect(takenBack([reserved('p-1', '1', '1')])).toEqual([[reserved('p-1', '1', '1')]]);
    expect(takenBack([reserved('p-2', '6', '2')])).toEqual([[]]);
  });

  test('that was never booked, or is reversed already, moves nothing', () => {
    const back = trade('reversal:t-1', '4', { kind: 'reversal' });
    expect(answer({}, { fills: [failed('t-1', '4')] })).toEqual(NOTHING);
    expect(answer({}, { fills: [failed('t-1', '4')] }, { fills: [trade('t-1', '4'), back] })).toEqual(
      NOTHING,
    );
  });

  test('lets those after it be booked on the amount it returned', () => {
    const { fills, audits } = answer(
      { side: 'sell', status: 'partially_filled' },
      { fills: [failed('t-1', '3'), fill('t-2', '3')] },
      {
        fills: [trade('t-1', '3')],
        parts: [part('t-1', 'p', '3')],
        positions: [position('p', '0')],
        allocations: [reserved('p', '3', '3')],
      },
    );
    expect(fills.map(({ allocations }) => allocations)).toEqual([
      [reserved('p', '3', '0')],
      [reserved('p', '3', '3')],
    ]);
    expect(audits.map(({ action }) => action)).toEqual(['fill.reversed']);
  });
});

test('a reopened position is the youngest: the rest of a sell draws on the older one first', () => {
  const { fills } = answer(
    { side: 'sell', status: 'partially_filled' },
    { fills: [fill('t-1', '3', { state: 'failed' }), fill('t-2', '2')] },
    {
      fills: [trade('t-1', '3')],
      parts: [{ ...part('t-1', 'p-1', '3'), cost: '1' }],
      positions: [position('p-1', '0'), position('p-2', '6', { opened_at: at(-1), blueprint_id: 'b-2' })],
    },
  );
  expect(fills[0]?.booking.positions).toMatchObject([{ positionId: 'p-1', opens: true }]);
  expect(fills[1]?.booking.parts.map(({ position_id }) => position_id)).toEqual(['p-2']);
});
