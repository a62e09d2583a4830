import { describe, expect, test } from 'vitest';
import {
  decisionOutcomeOf,
  planFieldChange,
  planStatusChange,
  withOrderChange,
} from '../../../../engine/trading/orders/lifecycle/order-change.ts';
import { NOW } from './market.ts';
import { at, changedTo, order } from './order.ts';

describe('a step of an order', () => {
  const said = { reason_code: 'before', reason: 'Before.', expires_at: at(1) };

  test('to its end has a time, and releases its expiry', () => {
    const before = order({ status: 'pending', ...said });
    expect(
      planStatusChange(before, 'declined', { at: NOW, actor: 'me', reasonCode: 'declined', reason: 'No.' }),
    ).toEqual({
      before,
      set: { ended_at: at(0), reason_code: 'declined', reason: 'No.', status: 'declined', updated_at: at(0) },
      step: { to: 'declined', actor: 'me', reason: 'No.' },
      released: [],
    });
  });

  test('before its end ends its wait, and removes the earlier reason', () => {
    expect(
      planStatusChange(order({ status: 'queued', ...said }), 'submitted', { at: NOW, actor: 'me' }),
    ).toMatchObject({
      set: { expires_at: null, reason_code: null, reason: null, status: 'submitted', updated_at: at(0) },
      step: { to: 'submitted', actor: 'me', reason: null },
    });
  });

  test('sets the requested fields beside it, but never another status or time', () => {
    const set = { expires_at: at(9), reason: 'Mine.', status: 'filled' as const, updated_at: at(9) };
    expect(
      planStatusChange(order({ status: 'pending' }), 'queued', { at: NOW, actor: 'me', set }).set,
    ).toEqual({
      expires_at: at(9),
      reason_code: null,
      reason: 'Mine.',
      status: 'queued',
      updated_at: at(0),
    });
  });

  test('that the table lacks is a bug, and is named', () => {
    expect(() => planStatusChange(order({ status: 'filled' }), 'canceled', { at: NOW, actor: 'me' })).toThrow(
      'Order o-1 is filled: there is no step from there to canceled.',
    );
  });
});

test('an amendment is a change without a step, which releases nothing unless requested', () => {
  const before = order();
  const change = { before, set: { amount: '4', updated_at: at(0) }, step: null };
  expect(planFieldChange(before, NOW, { amount: '4', updated_at: at(9) })).toEqual({
    ...change,
    released: [],
  });
  expect(planFieldChange(before, NOW, { amount: '4' }, ['p-1'])).toEqual({ ...change, released: ['p-1'] });
});

test('an order after a change is unchanged except for the set fields, at the next version', () => {
  expect(withOrderChange(planFieldChange(order(), NOW, { amount: '4' }))).toEqual(
    order({ amount: '4', updated_at: at(0), version: 5 }),
  );
});

test('an outcome has the event of each order after its change, and the given audit rows', () => {
  const changes = [
    planStatusChange(order({ id: 'o-1' }), 'filled', { at: NOW, actor: 'me' }),
    planFieldChange(order({ id: 'o-2' }), NOW, {}),
  ];
  const events = [changedTo('filled'), changedTo('open', { id: 'o-2' })];
  expect(decisionOutcomeOf(changes)).toEqual({ changes, audits: [], events });
  const audits = [{ action: 'order.canceled', subjectId: 'o-1', before: null, after: null, at: NOW }];
  expect(decisionOutcomeOf([], audits)).toEqual({ changes: [], audits, events: [] });
});
