import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import {
  type AllocatedSell,
  planUncoveredCancels,
} from '../../../../engine/trading/orders/lifecycle/uncovered-sells.ts';
import type { OrderRow } from '../../../../engine/trading/orders/row.ts';
import { NOW } from './market.ts';
import { at, order } from './order.ts';

const DOING = { actor: 'system', now: NOW };

const sell = (id: string, rest: string, more: Partial<OrderRow> = {}, positionId = 'p'): AllocatedSell => ({
  order: order({ id, side: 'sell', status: 'open', ...more }),
  allocations: [{ position_id: positionId, amount: exact(rest).plus(2).toFixed(), filled_amount: '2' }],
});

const takenOf = (sells: readonly AllocatedSell[], held: Record<string, string>) =>
  planUncoveredCancels(
    sells,
    new Map(Object.entries(held).map(([id, amount]) => [id, exact(amount)])),
    DOING,
  ).changes.map(({ before }) => before.id);

describe('sells of an amount that a venue reversed', () => {
  test('are none while the rest of each is held, to the last unit', () => {
    expect(takenOf([sell('a', '4'), sell('b', '6')], { p: '10' })).toEqual([]);
    expect(takenOf([sell('a', '4'), sell('b', '6.01')], { p: '10' })).toEqual(['b']);
  });

  test('are the youngest first, whatever their order; one that fits stays', () => {
    expect(takenOf([sell('b', '6'), sell('a', '6'), sell('c', '4')], { p: '10' })).toEqual(['b']);
    expect(takenOf([sell('a', '1')], {})).toEqual(['a']);
  });

  test('are those that draw on a position with too little, not those on others', () => {
    expect(takenOf([sell('a', '4'), sell('b', '4', {}, 'q')], { p: '1', q: '4' })).toEqual(['a']);
    const both = {
      ...sell('a', '4'),
      allocations: [...sell('a', '1').allocations, ...sell('a', '9', {}, 'q').allocations],
    };
    expect(takenOf([both, sell('b', '1')], { p: '1', q: '8' })).toEqual(['a']);
  });

  test('are no buys, nor orders that have ended, are pending, or are past their time', () => {
    const spared = [
      sell('a', '4', { side: 'buy' }),
      sell('b', '4', { status: 'filled' }),
      sell('c', '4', { status: 'pending' }),
      sell('d', '4', { status: 'queued', expires_at: at(0) }),
    ];
    expect(takenOf(spared, {})).toEqual([]);
  });

  test('are requested to cancel once, and one with such a request does not affect the others', () => {
    const requested = sell('a', '10', { cancel_requested_at: at(-1) });
    expect(takenOf([requested, sell('b', '4')], { p: '4' })).toEqual([]);
  });

  test('are canceled if the venue does not have them, else requested to cancel, with the reason', () => {
    const { changes } = planUncoveredCancels(
      [sell('a', '1'), sell('b', '1', { status: 'queued' })],
      new Map(),
      DOING,
    );
    const why = {
      reason_code: 'trade_reversed',
      reason: 'The venue reversed the trade that had bought this holding.',
    };
    expect(changes.map(({ set }) => set)).toMatchObject([
      { cancel_requested_at: NOW.toISOString(), ...why },
      { status: 'canceled', ...why },
    ]);
  });
});
