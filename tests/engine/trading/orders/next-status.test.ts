import { describe, expect, test } from 'vitest';
import type { OrderStatus } from '../../../../db/entities/order.ts';
import {
  expiredIfTimeOver,
  reportEventsOf,
  statusAfter,
  statusReasonAfter,
} from '../../../../engine/trading/orders/execution/next-status.ts';
import type { VenueOrder } from '../../../../venues/broker.ts';

const nextOf = (
  status: OrderStatus,
  answer: VenueOrder['status'],
  {
    filled = '0',
    hasNewFills = false,
    filledAmount = null,
  }: { filled?: string; hasNewFills?: boolean; filledAmount?: string | null } = {},
) =>
  statusAfter(
    { status, amount: '10.000000000000', filled_amount: filled },
    { status: answer, filledAmount },
    hasNewFills,
  );

describe('the status after a response', () => {
  test('a resting one is open, and partly filled as soon as it has a fill', () => {
    expect(nextOf('submitted', 'open')).toBe('open');
    expect(nextOf('submitted', 'open', { filled: '0.000000000001', hasNewFills: true })).toBe(
      'partially_filled',
    );
  });

  test("our own fills decide when it is full, whatever the venue's status", () => {
    for (const answer of ['open', 'filled', 'canceled', 'expired'] as const) {
      expect(nextOf('open', answer, { filled: '10', hasNewFills: true })).toBe('filled');
    }
  });

  test('a response with an end, but without all fills, waits until they arrive', () => {
    expect(nextOf('submitted', 'filled')).toBe('open');
    expect(nextOf('open', 'filled', { filled: '4', hasNewFills: true })).toBe('partially_filled');
    expect(nextOf('partially_filled', 'filled', { filled: '4' })).toBeNull();
  });

  test.each(['canceled', 'expired', 'rejected'] as const)(
    '%s with fills that are not reported yet waits for them, and keeps its reserve until then',
    (end) => {
      expect(nextOf('unknown', end, { filledAmount: '6' })).toBe('open');
      expect(nextOf('open', end, { filledAmount: '6', filled: '4', hasNewFills: true })).toBe(
        'partially_filled',
      );
      expect(nextOf('partially_filled', end, { filledAmount: '6', filled: '4' })).toBeNull();
      if (end !== 'rejected')
        expect(nextOf('partially_filled', end, { filledAmount: '6', filled: '6', hasNewFills: true })).toBe(
          end,
        );
    },
  );

  test('more than the amount ordered, where a venue gave it, is filled', () => {
    expect(nextOf('open', 'filled', { filled: '12', hasNewFills: true })).toBe('filled');
  });

  test('row 62: all but a rounding rest, if the venue states filled and all its fills are booked, is filled', () => {
    const dust = { filledAmount: '9.995', hasNewFills: true };
    expect(nextOf('open', 'filled', { ...dust, filled: '9.995' })).toBe('filled');
    expect(nextOf('open', 'filled', { ...dust, filled: '9.99' })).toBe('partially_filled');
    expect(nextOf('open', 'open', { ...dust, filled: '9.995' })).toBe('partially_filled');
    expect(nextOf('submitted', 'filled', { filledAmount: '0' })).toBe('open');
  });

  test.each(['rejected', 'canceled', 'expired'] as const)('%s is believed', (end) => {
    expect(nextOf('submitted', end)).toBe(end);
    expect(nextOf('unknown', end)).toBe(end);
  });

  test('the same response again changes nothing; new fills are a step even to the same status', () => {
    expect(nextOf('open', 'open')).toBeNull();
    expect(nextOf('partially_filled', 'open', { filled: '4' })).toBeNull();
    expect(nextOf('partially_filled', 'open', { filled: '6', hasNewFills: true })).toBe('partially_filled');
  });

  test('a response older than the known state moves nothing back', () => {
    expect(nextOf('canceled', 'open')).toBeNull();
    expect(nextOf('filled', 'open', { filled: '10' })).toBeNull();
    expect(nextOf('partially_filled', 'rejected', { filled: '4' })).toBeNull();
  });

  test('"the status becomes `filled` only when complete": a late fill in part leaves the end as it was', () => {
    expect(nextOf('canceled', 'canceled', { filled: '4', hasNewFills: true })).toBeNull();
    expect(nextOf('canceled', 'canceled', { filled: '10', hasNewFills: true })).toBe('filled');
  });
});

describe('an order with a good-till time', () => {
  const good_till = '2026-11-20 12:00:00+00';
  const canceled = { status: 'canceled', reasonCode: 'canceled', reason: 'Canceled on request.' } as const;
  const endOf = (
    order: object,
    now: string,
    answer: Pick<VenueOrder, 'status' | 'reasonCode' | 'reason'> = canceled,
  ) => expiredIfTimeOver({ cancel_requested_at: null, good_till, ...order }, answer, new Date(now));

  test('has expired if it was canceled from then on', () => {
    expect(endOf({}, '2026-11-20T12:00:00Z')).toEqual({
      status: 'expired',
      reasonCode: 'good_till_passed',
      reason: 'It was good till 2026-11-20T12:00:00.000Z.',
    });
  });

  test('is canceled if it ended earlier, by a cancel request, or without such a time', () => {
    expect(endOf({}, '2026-11-20T11:59:59.999Z')).toBe(canceled);
    expect(endOf({ cancel_requested_at: good_till }, '2026-11-20T12:00:01Z')).toBe(canceled);
    expect(endOf({ good_till: null }, '2026-11-20T12:00:01Z')).toBe(canceled);
  });

  test('continues if the venue reports anything else', () => {
    for (const status of ['open', 'filled', 'rejected', 'expired'] as const) {
      const answer = { status, reasonCode: null, reason: null };
      expect(endOf({}, '2026-11-20T13:00:00Z', answer)).toBe(answer);
    }
  });
});

describe('the reason of a status', () => {
  const canceling = {
    cancel_requested_at: '2026-11-20 12:00:00+00',
    reason_code: 'deployment_ended',
    reason: 'Its deployment ended.',
  };
  const ours = { reasonCode: 'deployment_ended', reason: 'Its deployment ended.' };
  const theirs = { reasonCode: 'no_match', reason: 'Nothing was offered.' };

  test('is that of the cancel request, until and after the cancel', () => {
    for (const to of ['open', 'partially_filled', 'unknown', 'canceled'] as const)
      expect(statusReasonAfter(canceling, theirs, to), to).toEqual(ours);
  });

  test("is the venue's if the order ended otherwise, or without a cancel request", () => {
    for (const to of ['filled', 'rejected', 'expired'] as const)
      expect(statusReasonAfter(canceling, theirs, to), to).toEqual(theirs);
    expect(statusReasonAfter({ ...canceling, cancel_requested_at: null }, theirs, 'canceled')).toEqual(
      theirs,
    );
  });

  test('stays as it was without a new reason', () => {
    const unrequested = { ...canceling, cancel_requested_at: null };
    expect(statusReasonAfter(unrequested, { reasonCode: null, reason: null }, 'open')).toEqual({});
    expect(statusReasonAfter(unrequested, { reasonCode: null, reason: 'Late.' }, 'open')).toEqual({
      reason: 'Late.',
    });
    expect(statusReasonAfter(unrequested, { reasonCode: 'late', reason: null }, 'open')).toEqual({
      reasonCode: 'late',
    });
  });
});

test('a response with fills is an event of the order, of the fills and of the position; one without, of the order', () => {
  const order = {
    id: 'o-1',
    blueprint_id: 'b-1',
    token_id: 'KXTEST:yes',
    side: 'buy' as const,
    status: 'open' as const,
  };
  const changed = {
    type: 'order.changed',
    payload: { id: 'o-1', blueprintId: 'b-1', tokenId: 'KXTEST:yes', side: 'buy', status: 'open' },
  };
  const position = { orderId: 'o-1', tokenId: 'KXTEST:yes', blueprintId: 'b-1' };
  expect(reportEventsOf(order, 0)).toEqual([changed]);
  expect(reportEventsOf(order, 2)).toEqual([
    changed,
    { type: 'fill.applied', payload: { ...position, fills: 2 } },
    { type: 'position.changed', payload: position },
  ]);
});
