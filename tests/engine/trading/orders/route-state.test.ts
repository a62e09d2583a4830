import { describe, expect, test } from 'vitest';
import type { HeldConnections } from '../../../../engine/trading/orders/execution/brokers.ts';
import { NO_LEASE_NEEDED } from '../../../../engine/trading/orders/execution/plan-submission.ts';
import { isStillHeld, routeStateOf } from '../../../../engine/trading/orders/execution/route-state.ts';

const OPENED = new Date('2026-11-20T12:00:00.000Z');
const ready = { state: 'ready', reconciled_at: OPENED.toISOString() } as const;
const held = (more: Partial<HeldConnections> = {}): HeldConnections => ({
  isLiveOn: true,
  ids: () => ['c-1'],
  epochOf: (id) => (id === 'c-1' ? '7' : null),
  comparedFrom: () => OPENED,
  isPaused: () => false,
  ...more,
});
const buy = { connection_id: 'c-1', side: 'buy' } as const;
const sell = { connection_id: 'c-1', side: 'sell' } as const;
const by = { leaseEpoch: '7', leased: ready };

describe('the route of an order to its venue', () => {
  test('needs no lease on paper, nor if no other process could have it', () => {
    expect(routeStateOf({ ...buy, connection_id: null }, held(), { leaseEpoch: null, leased: null })).toBe(
      NO_LEASE_NEEDED,
    );
    expect(routeStateOf(buy, undefined, { leaseEpoch: null, leased: null })).toBe(NO_LEASE_NEEDED);
    expect(NO_LEASE_NEEDED).toEqual({ kind: 'open', leaseEpoch: null });
  });

  test('is open under the lease it is held by', () => {
    expect(routeStateOf(buy, held(), by)).toEqual({ kind: 'open', leaseEpoch: '7' });
    expect(routeStateOf(sell, held(), by)).toEqual({ kind: 'open', leaseEpoch: '7' });
  });

  test('is waited for if this process does not hold it, or the row has another lease by now', () => {
    expect(routeStateOf(buy, held(), { ...by, leaseEpoch: null })).toEqual({ kind: 'unavailable' });
    expect(routeStateOf(buy, held(), { ...by, leased: null })).toEqual({ kind: 'unavailable' });
  });

  test('blocks buys before the venue was compared since it was opened, but not sells', () => {
    const before = new Date(OPENED.getTime() - 1).toISOString();
    for (const reconciled_at of [before, null]) {
      const leased = { ...ready, reconciled_at };
      expect(routeStateOf(buy, held(), { ...by, leased })).toEqual({ kind: 'unavailable' });
      expect(routeStateOf(sell, held(), { ...by, leased })).toEqual({ kind: 'open', leaseEpoch: '7' });
    }
    expect(routeStateOf(buy, held({ comparedFrom: () => null }), by)).toEqual({ kind: 'unavailable' });
  });

  test('is blocked with its reason: entries while it is reduce-only, everything while it is halted', () => {
    const reduceOnly = { ...by, leased: { ...ready, state: 'reduce_only' as const } };
    expect(routeStateOf(buy, held(), reduceOnly)).toMatchObject({
      kind: 'closed',
      why: { reasonCode: 'connection_reduce_only', reason: expect.stringContaining('no entries') },
    });
    expect(routeStateOf(sell, held(), reduceOnly)).toMatchObject({ kind: 'open' });
    const halted = { ...by, leased: { ...ready, state: 'halted' as const } };
    expect(routeStateOf(sell, held(), halted)).toMatchObject({
      kind: 'closed',
      why: { reasonCode: 'connection_halted' },
    });
  });

  test('rows 54 and 58: is waited for while the venue accepts nothing, and blocked for orders that may not be sent at all', () => {
    const paused = held({ isPaused: (id) => id === 'c-1' });
    expect(routeStateOf(sell, paused, by)).toEqual({ kind: 'unavailable' });
    expect(routeStateOf(buy, paused, by)).toEqual({ kind: 'unavailable' });
    const leased = { ...ready, state: 'reduce_only' as const };
    expect(routeStateOf(sell, paused, { ...by, leased })).toEqual({ kind: 'unavailable' });
    expect(routeStateOf(buy, paused, { ...by, leased })).toMatchObject({ kind: 'closed' });
    const halted = { ...by, leased: { ...ready, state: 'halted' as const } };
    expect(routeStateOf(sell, paused, halted)).toMatchObject({ kind: 'closed' });
    expect(
      routeStateOf({ ...sell, connection_id: 'c-2' }, held({ ...paused, epochOf: () => '7' }), by),
    ).toEqual({
      kind: 'open',
      leaseEpoch: '7',
    });
  });

  test('row 103: is blocked for buys while live trading is off', () => {
    const off = held({ isLiveOn: false });
    expect(routeStateOf(buy, off, by)).toMatchObject({
      kind: 'closed',
      why: { reasonCode: 'live_trading_off' },
    });
    expect(routeStateOf(sell, off, by)).toMatchObject({ kind: 'open' });
  });
});

describe('a queued order', () => {
  test('row 85: is sent only under the lease it was queued under', () => {
    expect(isStillHeld('c-1', held(), '7')).toBe(true);
    expect(isStillHeld('c-1', held(), '6')).toBe(false);
    expect(isStillHeld('c-1', held({ epochOf: () => null }), '7')).toBe(false);
  });

  test('is sent without one on paper, and if there are no leases', () => {
    expect(isStillHeld(null, held(), null)).toBe(true);
    expect(isStillHeld(null, held({ epochOf: () => '7' }), null)).toBe(true);
    expect(isStillHeld('c-1', undefined, null)).toBe(true);
  });
});
