import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import {
  refuseDenied,
  refuseUnlessQueued,
  ruleViolatedError,
} from '../../../../engine/trading/orders/entry/refusals.ts';
import {
  abandonedSince,
  arrivesByOurClock,
} from '../../../../engine/trading/orders/execution/send-deadlines.ts';
import { paperRefusalOf as paperRefusal } from '../../../../engine/trading/orders/paper/paper-refusal.ts';
import type { BrokerOrder } from '../../../../venues/broker.ts';
import { INSTRUMENT, NOW, refusalOf } from './market.ts';

const DENIAL = {
  rule: 'maxOrderSize' as const,
  code: 'maxOrderSize' as const,
  limit: '1',
  actual: '2',
  message: 'Too much.',
};

describe('"403 `risk_rule_violated` with rule, limit, value and order id"', () => {
  test('a denial names its rule and the order that has the receipt', () => {
    expect(ruleViolatedError(DENIAL, 'o-1')).toMatchObject({
      code: 'risk_rule_violated',
      message: 'Too much. Order o-1 has the whole receipt.',
      issues: [{ path: '', code: 'maxOrderSize', message: 'Too much.' }],
    });
  });

  test('a denied order is refused with its stored message', () => {
    const order = { id: 'o-1', status: 'denied' as const, reason: 'Too much.', reason_code: 'maxOrderSize' };
    expect(refusalOf(() => refuseDenied(order))).toMatchObject({
      code: 'risk_rule_violated',
      message: 'Too much. Order o-1 was denied and has the whole receipt.',
      issues: [{ path: '', code: 'maxOrderSize', message: 'Too much.' }],
    });
    expect(refusalOf(() => refuseDenied({ ...order, reason: null, reason_code: null }))).toMatchObject({
      message: 'A risk rule denied the order. Order o-1 was denied and has the whole receipt.',
      issues: [{ path: '', code: 'denied', message: 'A risk rule denied the order.' }],
    });
    expect(() => refuseDenied({ ...order, status: 'pending' })).not.toThrow();
  });

  test('an approval passes only if every rule does', () => {
    const decision = { verdict: 'queued' as const, receipt: [], denial: null };
    expect(() => refuseUnlessQueued(decision, 'o-1')).not.toThrow();
    expect(
      refusalOf(() => refuseUnlessQueued({ ...decision, verdict: 'denied', denial: DENIAL }, 'o-1')).message,
    ).toBe('Too much. Order o-1 has the whole receipt.');
    expect(() => refuseUnlessQueued({ ...decision, verdict: 'pending' }, 'o-1')).toThrow(
      'Order o-1 was approved and still waits for approval.',
    );
  });
});

describe('refusals of the paper venue', () => {
  const offers = { levels: [{ price: exact('0.5'), size: exact(1) }], isWhole: true, asOf: NOW };
  const order: BrokerOrder = {
    accountId: 'a',
    mode: 'paper',
    id: 'o-1',
    tokenId: 'KXTEST:yes',
    venue: 'venue-a',
    side: 'buy',
    timeInForce: 'ioc',
    amount: '1',
    limitPrice: '0.5',
    validUntil: NOW,
    goodTill: null,
  };
  const refused = (terms: Partial<BrokerOrder>, seen: typeof offers | null = offers, row = INSTRUMENT) =>
    paperRefusal({ ...order, ...terms }, row, seen, NOW);

  test('are none for an order that arrives in time, on the tick, at the minimum, in an open market with a known book', () => {
    expect(refused({})).toBeNull();
  });

  test('cover an order that arrives after its time', () => {
    expect(refused({ validUntil: new Date(NOW.getTime() - 1) })).toEqual({
      reasonCode: 'arrived_late',
      reason: 'It arrived after 2026-11-20T11:59:59.999Z.',
    });
  });

  test('cover an order in a market that is not open', () => {
    expect(refused({}, offers, { ...INSTRUMENT, status: 'closed' })).toEqual({
      reasonCode: 'market_not_open',
      reason: 'The market is closed.',
    });
  });

  test('cover a price off the tick, an amount below the minimum', () => {
    expect(refused({ limitPrice: '0.505' }, offers, { ...INSTRUMENT, tick_size: '0.010000' })).toEqual({
      reasonCode: 'off_tick',
      reason: 'The price is not a multiple of the tick size of 0.01.',
    });
    expect(refused({ amount: '0.99' }, offers, { ...INSTRUMENT, min_size: '1.000' })).toEqual({
      reasonCode: 'too_small',
      reason: 'The amount is below the minimum of 1.',
    });
  });

  test('while the market is unknown cover only an order that may not rest', () => {
    expect(refused({}, null)).toEqual({
      reasonCode: 'venue_unavailable',
      reason: 'There is no market data.',
    });
    expect(refused({ timeInForce: 'gtc' }, null)).toBeNull();
  });
});

test('an order may arrive for 10 s after it was sent; its absence is believed 5 s later, and not before', () => {
  const sentAt = '2026-11-20 12:00:00+00';
  const lastMs = Date.parse('2026-11-20T12:00:15.000Z');
  expect(arrivesByOurClock(new Date(sentAt)).getTime()).toBe(lastMs);
  expect(abandonedSince(new Date(lastMs)).toISOString()).toBe('2026-11-20T12:00:00.000Z');
});
