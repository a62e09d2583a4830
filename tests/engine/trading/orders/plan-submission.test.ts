import { describe, expect, test } from 'vitest';
import { countAbsentPoll, pollWithinMs } from '../../../../engine/trading/orders/execution/order-absence.ts';
import {
  markSentUnknown,
  NO_LEASE_NEEDED,
  planSubmission,
  type RouteState,
  rejectUnreceivedOrder,
} from '../../../../engine/trading/orders/execution/plan-submission.ts';
import { ARRIVE_WITHIN_MS } from '../../../../engine/trading/orders/settings.ts';
import type { BrokerOrder, PrepareResult } from '../../../../venues/broker.ts';
import { NOW } from './market.ts';
import { at, order } from './order.ts';

const doing = { accountId: 'a', mode: 'paper', actor: 'system', now: NOW } as const;
const running = { ended_at: null, halted: false };
const queued = (terms: Parameters<typeof order>[0] = {}) =>
  order({ status: 'queued', queued_at: at(-1_000), expires_at: at(29_000), ...terms });
const PREPARED = {
  clientOrderId: 'o-1',
  venueOrderId: null,
  request: {},
  signedFor: NOW,
  arrivesBy: new Date(NOW.getTime() + 75_000),
};
const prepared: BrokerOrder[] = [];
const prepare = (toSend: BrokerOrder): PrepareResult => {
  prepared.push(toSend);
  return { kind: 'prepared', prepared: PREPARED };
};
const statusOf = (submission: ReturnType<typeof planSubmission>) =>
  submission?.outcome.changes[0]?.set.status;
const reasonOf = (submission: ReturnType<typeof planSubmission>) =>
  submission?.outcome.changes[0]?.set.reason_code;

describe('a queued order', () => {
  test('is sent as it was cleared, to arrive in time, under the lease of its route', () => {
    const way: RouteState = { kind: 'open', leaseEpoch: '7' };
    const submission = planSubmission(queued(), running, way, prepare, doing);
    expect(submission).toMatchObject({ kind: 'send', leaseEpoch: '7', prepared: PREPARED });
    expect(submission?.outcome.changes[0]?.set).toMatchObject({ status: 'submitted', submitted_at: at(0) });
    expect(prepared.at(-1)).toEqual({
      accountId: 'a',
      mode: 'paper',
      id: 'o-1',
      tokenId: 'KXTEST:yes',
      venue: 'venue-a',
      side: 'buy',
      timeInForce: 'gtc',
      amount: '10',
      limitPrice: '0.5',
      validUntil: new Date(NOW.getTime() + ARRIVE_WITHIN_MS),
      goodTill: null,
    });
  });

  test('with a good-till time arrives before it, and states it to the venue', () => {
    planSubmission(queued({ good_till: at(2_000) }), running, NO_LEASE_NEEDED, prepare, doing);
    expect(prepared.at(-1)).toMatchObject({ goodTill: new Date(at(2_000)), validUntil: new Date(at(2_000)) });
  });

  test('is not touched in every other status, past its time, and while its route is not open yet', () => {
    for (const status of ['pending', 'submitted', 'unknown', 'open', 'filled', 'canceled'] as const)
      expect(planSubmission(queued({ status }), running, NO_LEASE_NEEDED, prepare, doing), status).toBeNull();
    expect(
      planSubmission(queued({ expires_at: at(-1) }), running, NO_LEASE_NEEDED, prepare, doing),
    ).toBeNull();
    expect(planSubmission(queued(), running, { kind: 'unavailable' }, prepare, doing)).toBeNull();
  });

  test('is canceled if its deployment ended or is missing, and a buy if entries are halted', () => {
    for (const fence of [undefined, null, { ended_at: at(-1), halted: null }] as const) {
      const submission = planSubmission(queued(), fence, NO_LEASE_NEEDED, prepare, doing);
      expect([submission?.kind, statusOf(submission), reasonOf(submission)]).toEqual([
        'cancel',
        'canceled',
        'deployment_ended',
      ]);
      expect(submission?.outcome.changes[0]?.set.reason).toBe('Its deployment ended before it was sent.');
    }
    const halted = { ended_at: null, halted: true };
    expect(planSubmission(queued(), halted, NO_LEASE_NEEDED, prepare, doing)?.kind).toBe('cancel');
    expect(planSubmission(queued({ side: 'sell' }), halted, NO_LEASE_NEEDED, prepare, doing)?.kind).toBe(
      'send',
    );
    expect(
      planSubmission(queued(), { ended_at: null, halted: null }, NO_LEASE_NEEDED, prepare, doing)?.kind,
    ).toBe('send');
  });

  test('without a deployment requires none', () => {
    const byHand = queued({ deployment_id: null });
    expect(planSubmission(byHand, null, NO_LEASE_NEEDED, prepare, doing)).toMatchObject({
      kind: 'send',
      leaseEpoch: null,
    });
  });

  test('is canceled, with the reason, if its route is blocked, a live bound is broken, or no request can be built', () => {
    const closed: RouteState = {
      kind: 'closed',
      why: { reasonCode: 'connection_halted', reason: 'Halted.' },
    };
    expect(reasonOf(planSubmission(queued(), running, closed, prepare, doing))).toBe('connection_halted');
    const refuse = (): PrepareResult => ({
      kind: 'refused',
      code: 'tick_changed',
      reason: 'The grid moved.',
    });
    const refused = planSubmission(queued(), running, NO_LEASE_NEEDED, refuse, doing);
    expect([statusOf(refused), reasonOf(refused)]).toEqual(['canceled', 'tick_changed']);
    const live = { service: { maxOrder: '4' }, spentToday: '0' };
    const bounded = planSubmission(queued(), running, NO_LEASE_NEEDED, prepare, doing, live);
    expect([bounded?.kind, statusOf(bounded)]).toEqual(['cancel', 'canceled']);
    expect(reasonOf(bounded)).not.toBeNull();
    const enough = { service: { maxOrder: '6' }, spentToday: '0' };
    expect(planSubmission(queued(), running, NO_LEASE_NEEDED, prepare, doing, enough)?.kind).toBe('send');
  });
});

describe('an order that was sent', () => {
  const what = { actor: 'system', now: NOW } as const;

  test('without a response becomes unknown, which only the venue can resolve, and no other does', () => {
    const lost = markSentUnknown(order({ status: 'submitted' }), 'The answer of the venue was lost.', what);
    expect(lost?.changes[0]?.set).toMatchObject({
      status: 'unknown',
      reason_code: 'answer_lost',
      reason: 'The answer of the venue was lost.',
    });
    const askedBack = {
      cancel_requested_at: at(-1),
      reason_code: 'canceled',
      reason: 'Canceled on request.',
    };
    expect(
      markSentUnknown(order({ status: 'submitted', ...askedBack }), 'Lost.', what)?.changes[0]?.set,
    ).toMatchObject({ reason_code: 'canceled', reason: 'Canceled on request.' });
    for (const status of ['queued', 'unknown', 'open', 'rejected'] as const)
      expect(markSentUnknown(order({ status }), 'x', what), status).toBeNull();
  });

  test('that was never received is rejected, and only while it is unknown', () => {
    expect(rejectUnreceivedOrder(order({ status: 'unknown' }), what)?.changes[0]?.set).toMatchObject({
      status: 'rejected',
      reason_code: 'never_arrived',
      reason: 'The venue never received it.',
    });
    for (const status of ['submitted', 'open', 'filled'] as const)
      expect(rejectUnreceivedOrder(order({ status }), what), status).toBeNull();
  });
});

describe('polls that found nothing', () => {
  const arrivesBy = NOW;
  const proof = { times: 3, apartMs: 10_000 };
  const look = (before: { count: number; asOf: Date | null }, ms: number) =>
    countAbsentPoll(before, { asOf: new Date(at(ms)), arrivesBy }, proof);
  const none = { count: 0, asOf: null };

  test('prove nothing while the order may still arrive, and reset the count', () => {
    expect(look(none, 0)).toBe(none);
    expect(look({ count: 2, asOf: new Date(at(30_000)) }, -1)).toEqual(none);
    expect(look(none, 1)).toEqual({ count: 1, asOf: new Date(at(1)) });
  });

  test('count once they are far enough apart, and not before', () => {
    const first = look(none, 1);
    expect(look(first, 10_000)).toBe(first);
    expect(look(first, 10_001)).toEqual({ count: 2, asOf: new Date(at(10_001)) });
  });

  test('restart when the venue’s clock went back by more than the distance', () => {
    const second = { count: 2, asOf: new Date(at(40_000)) };
    expect(look(second, 30_000)).toBe(second);
    expect(look(second, 29_999)).toEqual({ count: 1, asOf: new Date(at(29_999)) });
  });
});

describe('an order whose absence is being proven is polled again', () => {
  const arrivesBy = new Date('2026-11-20T12:02:00Z');
  const proof = { times: 3, apartMs: 10_000 };
  const within = (ms: number, asOfMs: number | null = null) =>
    pollWithinMs(
      { count: 0, asOf: asOfMs === null ? null : new Date(arrivesBy.getTime() + asOfMs) },
      { now: new Date(arrivesBy.getTime() + ms), arrivesBy },
      proof,
    );

  test('as soon as it can no longer arrive', () => {
    expect(within(-60_000)).toBe(60_250);
    expect(within(-1)).toBe(251);
  });

  test('every second while a poll does not count, and half a minute later only at the usual interval', () => {
    expect([within(0), within(29_999), within(30_000)]).toEqual([1_000, 1_000, null]);
  });

  test('as soon as the next poll counts', () => {
    expect([within(2_000, 1_000), within(10_999, 1_000), within(11_000, 1_000)]).toEqual([9_250, 251, 1_000]);
  });
});
