import { describe, expect, test } from 'vitest';
import {
  planCancelByActor,
  planDecline,
  planExpiry,
} from '../../../../engine/trading/orders/lifecycle/plan-endings.ts';
import { NOW, refusalOf } from './market.ts';
import { at, changedTo, order } from './order.ts';

const BY = { actor: 'key:k', now: NOW };

describe('a cancel', () => {
  test('of a pending order ends it, and records the caller in the audit trail', () => {
    expect(planCancelByActor(order({ status: 'queued' }), BY)).toMatchObject({
      changes: [
        {
          set: { status: 'canceled', reason_code: 'canceled', reason: 'Canceled by key:k.' },
          step: { to: 'canceled', actor: 'key:k' },
        },
      ],
      audits: [
        {
          action: 'order.cancel_requested',
          subjectId: 'o-1',
          before: { status: 'queued' },
          after: { status: 'canceled' },
          at: NOW,
        },
      ],
      events: [changedTo('canceled')],
    });
  });

  test('of an order at its venue is a request, and its status stays', () => {
    const outcome = planCancelByActor(order(), BY);
    expect(outcome?.changes).toMatchObject([{ set: { cancel_requested_at: at(0) }, step: null }]);
    expect(outcome?.audits).toMatchObject([{ before: { status: 'open' }, after: { status: 'open' } }]);
  });

  test('twice has one effect', () => {
    expect(planCancelByActor(order({ cancel_requested_at: at(-1) }), BY)).toBeNull();
    expect(planCancelByActor(order({ status: 'canceled' }), BY)).toBeNull();
  });

  test('of an order that has ended another way is refused, and the message states its status', () => {
    expect(refusalOf(() => planCancelByActor(order({ status: 'filled' }), BY))).toMatchObject({
      code: 'invalid_state',
      message: 'Order o-1 is filled: there is nothing left to cancel.',
    });
    expect(
      refusalOf(() => planCancelByActor(order({ status: 'queued', expires_at: at(0) }), BY)).message,
    ).toBe('Order o-1 is expired: there is nothing left to cancel.');
  });
});

describe('a decline', () => {
  test('ends a pending intent, and records the caller in the audit trail', () => {
    expect(planDecline(order({ status: 'pending', expires_at: at(1) }), BY)).toMatchObject({
      changes: [
        {
          set: { status: 'declined', reason_code: 'declined', reason: 'Declined by key:k.', ended_at: at(0) },
          step: { to: 'declined', actor: 'key:k', reason: 'Declined by key:k.' },
        },
      ],
      audits: [
        {
          action: 'order.declined',
          subjectId: 'o-1',
          before: { status: 'pending' },
          after: { status: 'declined' },
          at: NOW,
        },
      ],
      events: [changedTo('declined')],
    });
  });

  test('twice has one effect', () => expect(planDecline(order({ status: 'declined' }), BY)).toBeNull());

  test('of an intent past its time is refused', () => {
    expect(refusalOf(() => planDecline(order({ status: 'pending', expires_at: at(0) }), BY))).toMatchObject({
      code: 'intent_expired',
      message: 'Order o-1 waited for approval and has expired.',
    });
  });

  test('of an order that is no longer pending is refused, and the message states its status', () => {
    expect(refusalOf(() => planDecline(order({ status: 'open' }), BY))).toMatchObject({
      code: 'intent_not_pending',
      message: 'Order o-1 is open: only a pending one can be declined.',
    });
    const late = order({ status: 'queued', expires_at: at(0) });
    expect(refusalOf(() => planDecline(late, BY))).toMatchObject({
      code: 'intent_not_pending',
      message: 'Order o-1 is expired: only a pending one can be declined.',
    });
  });
});

describe('an order past its time expires', () => {
  const why = (terms: Parameters<typeof order>[0]) =>
    planExpiry(order({ expires_at: at(0), ...terms }), BY)?.changes.map(
      ({ set: { status, reason_code, reason } }) => ({ status, reason_code, reason }),
    );

  test('at that instant and not before; one without an end never', () => {
    expect(planExpiry(order({ status: 'pending', expires_at: at(0) }), BY)).toMatchObject({
      changes: [{ set: { ended_at: at(0) }, step: { to: 'expired', actor: 'key:k' } }],
      audits: [],
      events: [changedTo('expired')],
    });
    expect(why({ status: 'pending', expires_at: at(1) })).toBeUndefined();
    expect(why({ status: 'pending', expires_at: null })).toBeUndefined();
  });

  test('without an approval, or if it was not sent', () => {
    expect(why({ status: 'pending' })).toEqual([
      { status: 'expired', reason_code: 'not_approved', reason: 'It was not approved in time.' },
    ]);
    expect(why({ status: 'queued' })).toEqual([
      { status: 'expired', reason_code: 'not_sent', reason: 'It was not sent within 30 seconds.' },
    ]);
  });

  test('because of its own end, if that cut its wait short', () => {
    for (const status of ['pending', 'queued'] as const) {
      expect(why({ status, good_till: at(0) })).toEqual([
        { status: 'expired', reason_code: 'good_till_passed', reason: `It was good till ${at(0)}.` },
      ]);
    }
    expect(why({ status: 'queued', good_till: at(1) })).toMatchObject([{ reason_code: 'not_sent' }]);
  });
});
