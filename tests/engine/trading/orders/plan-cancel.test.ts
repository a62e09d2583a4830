import { describe, expect, test } from 'vitest';
import {
  type BuysToCancel,
  planBuyCancels,
  planCancel,
  planDeploymentCancels,
} from '../../../../engine/trading/orders/lifecycle/plan-cancel.ts';
import type { OrderRow } from '../../../../engine/trading/orders/row.ts';
import { NOW } from './market.ts';
import { at, changedTo, order } from './order.ts';

const BY = { actor: 'me', now: NOW };
const WHY = { reasonCode: 'rule_changed', reason: 'Because.' } as const;
const SAID = { reason_code: 'rule_changed', reason: 'Because.' };
const NOTHING = { changes: [], audits: [], events: [] };

const ENDED = ['filled', 'canceled', 'expired', 'declined', 'rejected', 'denied'] as const;
const AT_VENUE = ['submitted', 'unknown', 'open', 'partially_filled'] as const;
const WAITING = ['pending', 'queued'] as const;

describe('a canceled order', () => {
  test.each(WAITING)('is canceled while it is %s, before any venue has it', (status) => {
    expect(planCancel(order({ status, expires_at: at(1) }), WHY, BY)).toMatchObject({
      set: { ...SAID, status: 'canceled', ended_at: at(0) },
      step: { to: 'canceled', actor: 'me', reason: 'Because.' },
    });
  });

  test.each(WAITING)('does not change if it was %s and its time is over', (status) => {
    expect(planCancel(order({ status, expires_at: at(0) }), WHY, BY)).toBeNull();
  });

  test.each(AT_VENUE)('gets a cancel request at its venue while it is %s', (status) => {
    const before = order({ status });
    expect(planCancel(before, WHY, BY)).toEqual({
      before,
      set: { ...SAID, cancel_requested_at: at(0), updated_at: at(0) },
      step: null,
      released: [],
    });
  });

  test.each(ENDED)('does not change once it is %s', (status) => {
    expect(planCancel(order({ status }), WHY, BY)).toBeNull();
  });
});

describe('canceled buys', () => {
  const taken = (terms: Partial<OrderRow>, which: Partial<BuysToCancel> = {}) =>
    planBuyCancels([order(terms)], { ...WHY, ...which }, BY);

  test('have an event each with their new state, in their order', () => {
    const orders = [
      order({ id: 'o-1', status: 'queued' }),
      order({ id: 'o-2', side: 'sell' }),
      order({ id: 'o-3' }),
    ];
    const outcome = planBuyCancels(orders, WHY, BY);
    expect(outcome.changes.map(({ set }) => set)).toEqual([
      { ...SAID, status: 'canceled', ended_at: at(0), updated_at: at(0) },
      { ...SAID, cancel_requested_at: at(0), updated_at: at(0) },
    ]);
    expect(outcome.events).toEqual([changedTo('canceled'), changedTo('open', { id: 'o-3' })]);
    expect(outcome.audits).toEqual([]);
  });

  test('exclude those already requested, ended, or past their time', () => {
    expect(taken({ cancel_requested_at: at(-1) })).toEqual(NOTHING);
    expect(taken({ status: 'filled' })).toEqual(NOTHING);
    expect(taken({ status: 'queued', expires_at: at(0) })).toEqual(NOTHING);
    expect(taken({ status: 'pending', expires_at: at(0) }, { declinePending: true })).toEqual(NOTHING);
  });

  test('are those larger than a limit, if one is given', () => {
    expect(taken({ size: '5.000000000001' }, { largerThan: '5' }).changes).toHaveLength(1);
    expect(taken({ size: '5.000' }, { largerThan: '5' })).toEqual(NOTHING);
  });

  test('that are pending are checked again then, unless they are to be declined', () => {
    expect(taken({ status: 'pending' })).toEqual(NOTHING);
    expect(taken({ status: 'pending' }, { declinePending: true })).toMatchObject({
      changes: [
        { set: { ...SAID, status: 'declined' }, step: { to: 'declined', actor: 'me', reason: 'Because.' } },
      ],
      events: [changedTo('declined')],
    });
  });

  test('are canceled if queued, even if pending ones are declined', () => {
    expect(taken({ status: 'queued' }, { declinePending: true }).events).toEqual([changedTo('canceled')]);
  });
});

describe('canceled orders of a deployment', () => {
  const taken = (terms: Partial<OrderRow>, onlyBuys?: boolean) =>
    planDeploymentCancels(
      [order(terms)],
      'd-1',
      { now: NOW, reason: 'It ended.', ...(onlyBuys !== undefined && { onlyBuys }) },
      'me',
    );

  test('are canceled, for the reason given', () => {
    expect(taken({ status: 'pending' })).toMatchObject({
      changes: [
        {
          set: { status: 'canceled', reason_code: 'canceled', reason: 'It ended.' },
          step: { actor: 'me', reason: 'It ended.' },
        },
      ],
    });
  });

  test('are buys and sells, unless its exits continue to guard', () => {
    expect(taken({}).changes).toHaveLength(1);
    expect(taken({ side: 'sell' }).changes).toHaveLength(1);
    expect(taken({}, true).changes).toHaveLength(1);
    expect(taken({ side: 'sell' }, true)).toEqual(NOTHING);
    expect(taken({ side: 'sell' }, false).changes).toHaveLength(1);
  });

  test('exclude those of another deployment or of a person, already requested, or ended', () => {
    expect(taken({ deployment_id: 'd-2' })).toEqual(NOTHING);
    expect(taken({ deployment_id: null })).toEqual(NOTHING);
    expect(taken({ cancel_requested_at: at(-1) })).toEqual(NOTHING);
    expect(taken({ status: 'canceled' })).toEqual(NOTHING);
  });
});
