import { describe, expect, test } from 'vitest';
import { lookWithinMs, withAbsence } from '../../../../engine/trading/orders/execution/absence.ts';
import {
  depart,
  loseAnswer,
  neverArrived,
  type Passage,
  UNLEASED,
} from '../../../../engine/trading/orders/execution/departure.ts';
import { ARRIVE_WITHIN_MS } from '../../../../engine/trading/orders/settings.ts';
import type { BrokerOrder, Preparation } from '../../../../venues/broker.ts';
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
const asked: BrokerOrder[] = [];
const prepare = (toSend: BrokerOrder): Preparation => {
  asked.push(toSend);
  return { kind: 'prepared', prepared: PREPARED };
};
const statusOf = (departure: ReturnType<typeof depart>) => departure?.outcome.changes[0]?.set.status;
const reasonOf = (departure: ReturnType<typeof depart>) => departure?.outcome.changes[0]?.set.reason_code;

describe('a queued order', () => {
  test('leaves as it was cleared, to arrive in time, by the lease of its way', () => {
    const way: Passage = { kind: 'open', leaseEpoch: '7' };
    const departure = depart(queued(), running, way, prepare, doing);
    expect(departure).toMatchObject({ kind: 'leaves', leaseEpoch: '7', prepared: PREPARED });
    expect(departure?.outcome.changes[0]?.set).toMatchObject({ status: 'submitted', submitted_at: at(0) });
    expect(asked.at(-1)).toEqual({
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

  test('with an end of its own arrives before it, and tells the venue', () => {
    depart(queued({ good_till: at(2_000) }), running, UNLEASED, prepare, doing);
    expect(asked.at(-1)).toMatchObject({ goodTill: new Date(at(2_000)), validUntil: new Date(at(2_000)) });
  });

  test('is left alone in every other status, past its time, and while its way is not open yet', () => {
    for (const status of ['pending', 'submitted', 'unknown', 'open', 'filled', 'canceled'] as const)
      expect(depart(queued({ status }), running, UNLEASED, prepare, doing), status).toBeNull();
    expect(depart(queued({ expires_at: at(-1) }), running, UNLEASED, prepare, doing)).toBeNull();
    expect(depart(queued(), running, { kind: 'later' }, prepare, doing)).toBeNull();
  });

  test('is canceled where its deployment ended or is gone, and a buy where entries are halted', () => {
    for (const fence of [undefined, null, { ended_at: at(-1), halted: null }] as const) {
      const departure = depart(queued(), fence, UNLEASED, prepare, doing);
      expect([departure?.kind, statusOf(departure), reasonOf(departure)]).toEqual([
        'stays',
        'canceled',
        'deployment_ended',
      ]);
      expect(departure?.outcome.changes[0]?.set.reason).toBe('Its deployment ended before it was sent.');
    }
    const halted = { ended_at: null, halted: true };
    expect(depart(queued(), halted, UNLEASED, prepare, doing)?.kind).toBe('stays');
    expect(depart(queued({ side: 'sell' }), halted, UNLEASED, prepare, doing)?.kind).toBe('leaves');
    expect(depart(queued(), { ended_at: null, halted: null }, UNLEASED, prepare, doing)?.kind).toBe('leaves');
  });

  test('of no deployment asks for none', () => {
    const byHand = queued({ deployment_id: null });
    expect(depart(byHand, null, UNLEASED, prepare, doing)).toMatchObject({
      kind: 'leaves',
      leaseEpoch: null,
    });
  });

  test('is canceled, with the reason, where its way has closed, a bound of real money is broken, or no request can be made', () => {
    const closed: Passage = { kind: 'closed', why: { reasonCode: 'connection_halted', reason: 'Halted.' } };
    expect(reasonOf(depart(queued(), running, closed, prepare, doing))).toBe('connection_halted');
    const refuse = (): Preparation => ({ kind: 'refused', code: 'tick_changed', reason: 'The grid moved.' });
    const refused = depart(queued(), running, UNLEASED, refuse, doing);
    expect([statusOf(refused), reasonOf(refused)]).toEqual(['canceled', 'tick_changed']);
    const live = { service: { maxOrder: '4' }, spentToday: '0' };
    const bounded = depart(queued(), running, UNLEASED, prepare, doing, live);
    expect([bounded?.kind, statusOf(bounded)]).toEqual(['stays', 'canceled']);
    expect(reasonOf(bounded)).not.toBeNull();
    const enough = { service: { maxOrder: '6' }, spentToday: '0' };
    expect(depart(queued(), running, UNLEASED, prepare, doing, enough)?.kind).toBe('leaves');
  });
});

describe('an order that was sent', () => {
  const what = { actor: 'system', now: NOW } as const;

  test('without an answer becomes one that only the venue can tell about, and no other does', () => {
    const lost = loseAnswer(order({ status: 'submitted' }), 'The answer of the venue was lost.', what);
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
      loseAnswer(order({ status: 'submitted', ...askedBack }), 'Lost.', what)?.changes[0]?.set,
    ).toMatchObject({ reason_code: 'canceled', reason: 'Canceled on request.' });
    for (const status of ['queued', 'unknown', 'open', 'rejected'] as const)
      expect(loseAnswer(order({ status }), 'x', what), status).toBeNull();
  });

  test('that was never received is rejected, and only while nobody knows of it', () => {
    expect(neverArrived(order({ status: 'unknown' }), what)?.changes[0]?.set).toMatchObject({
      status: 'rejected',
      reason_code: 'never_arrived',
      reason: 'The venue never received it.',
    });
    for (const status of ['submitted', 'open', 'filled'] as const)
      expect(neverArrived(order({ status }), what), status).toBeNull();
  });
});

describe('looks that found nothing', () => {
  const arrivesBy = NOW;
  const proof = { times: 3, apartMs: 10_000 };
  const look = (before: { count: number; asOf: Date | null }, ms: number) =>
    withAbsence(before, { asOf: new Date(at(ms)), arrivesBy }, proof);
  const none = { count: 0, asOf: null };

  test('prove nothing while the order may still arrive, and undo what was counted', () => {
    expect(look(none, 0)).toBe(none);
    expect(look({ count: 2, asOf: new Date(at(30_000)) }, -1)).toEqual(none);
    expect(look(none, 1)).toEqual({ count: 1, asOf: new Date(at(1)) });
  });

  test('count once they are far enough apart, and not before', () => {
    const first = look(none, 1);
    expect(look(first, 10_000)).toBe(first);
    expect(look(first, 10_001)).toEqual({ count: 2, asOf: new Date(at(10_001)) });
  });

  test('are counted anew from where the venue’s clock went back, unless it went back by less than the distance', () => {
    const second = { count: 2, asOf: new Date(at(40_000)) };
    expect(look(second, 30_000)).toBe(second);
    expect(look(second, 29_999)).toEqual({ count: 1, asOf: new Date(at(29_999)) });
  });
});

describe('an order whose absence is being proven is looked for again', () => {
  const arrivesBy = new Date('2026-11-20T12:02:00Z');
  const proof = { times: 3, apartMs: 10_000 };
  const within = (ms: number, asOfMs: number | null = null) =>
    lookWithinMs(
      { count: 0, asOf: asOfMs === null ? null : new Date(arrivesBy.getTime() + asOfMs) },
      { now: new Date(arrivesBy.getTime() + ms), arrivesBy },
      proof,
    );

  test('as soon as it cannot arrive any more', () => {
    expect(within(-60_000)).toBe(60_250);
    expect(within(-1)).toBe(251);
  });

  test('every second where a look did not count, and no more often than always half a minute later', () => {
    expect([within(0), within(29_999), within(30_000)]).toEqual([1_000, 1_000, null]);
  });

  test('as soon as the next look counts', () => {
    expect([within(2_000, 1_000), within(10_999, 1_000), within(11_000, 1_000)]).toEqual([9_250, 251, 1_000]);
  });
});
