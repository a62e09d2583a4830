import { describe, expect, test } from 'vitest';
import {
  amend,
  changed,
  outcomeOf,
  stepTo,
} from '../../../../engine/trading/orders/lifecycle/order-change.ts';
import { NOW } from './market.ts';
import { at, changedTo, order } from './order.ts';

describe('a step of an order', () => {
  const said = { reason_code: 'before', reason: 'Before.', expires_at: at(1) };

  test('to its end has a time, and releases its expiry', () => {
    const before = order({ status: 'pending', ...said });
    expect(
      stepTo(before, 'declined', { at: NOW, actor: 'me', reasonCode: 'declined', reason: 'No.' }),
    ).toEqual({
      before,
      set: { ended_at: at(0), reason_code: 'declined', reason: 'No.', status: 'declined', updated_at: at(0) },
      step: { to: 'declined', actor: 'me', reason: 'No.' },
      released: [],
    });
  });

  test('before its end ends its wait, and removes the earlier reason', () => {
    expect(stepTo(order({ status: 'queued', ...said }), 'submitted', { at: NOW, actor: 'me' })).toMatchObject(
      {
        set: { expires_at: null, reason_code: null, reason: null, status: 'submitted', updated_at: at(0) },
        step: { to: 'submitted', actor: 'me', reason: null },
      },
    );
  });

  test('sets the requested fields beside it, but never another status or time', () => {
    const set = { expires_at: at(9), reason: 'Mine.', status: 'filled' as const, updated_at: at(9) };
    expect(stepTo(order({ status: 'pending' }), 'queued', { at: NOW, actor: 'me', set }).set).toEqual({
      expires_at: at(9),
      reason_code: null,
      reason: 'Mine.',
      status: 'queued',
      updated_at: at(0),
    });
  });

  test('that the table lacks is a bug, and is named', () => {
    expect(() => stepTo(order({ status: 'filled' }), 'canceled', { at: NOW, actor: 'me' })).toThrow(
      'Order o-1 is filled: there is no step from there to canceled.',
    );
  });
});

test('an amendment is a change without a step, which releases nothing unless requested', () => {
  const before = order();
  const change = { before, set: { amount: '4', updated_at: at(0) }, step: null };
  expect(amend(before, NOW, { amount: '4', updated_at: at(9) })).toEqual({ ...change, released: [] });
  expect(amend(before, NOW, { amount: '4' }, ['p-1'])).toEqual({ ...change, released: ['p-1'] });
});

test('an order after a change is unchanged except for the set fields, at the next version', () => {
  expect(changed(amend(order(), NOW, { amount: '4' }))).toEqual(
    order({ amount: '4', updated_at: at(0), version: 5 }),
  );
});

test('an outcome has the event of each order after its change, and the given audit rows', () => {
  const changes = [
    stepTo(order({ id: 'o-1' }), 'filled', { at: NOW, actor: 'me' }),
    amend(order({ id: 'o-2' }), NOW, {}),
  ];
  const events = [changedTo('filled'), changedTo('open', { id: 'o-2' })];
  expect(outcomeOf(changes)).toEqual({ changes, audits: [], events });
  const audits = [{ action: 'order.canceled', subjectId: 'o-1', before: null, after: null, at: NOW }];
  expect(outcomeOf([], audits)).toEqual({ changes: [], audits, events: [] });
});
