import { describe, expect, test } from 'vitest';
import { ORDER_STATUSES, type OrderStatus } from '../../../../db/entities/order.ts';
import {
  AT_VENUE_STATUSES,
  canCancel,
  isAllowedTransition,
  isAtVenue,
  isFinal,
  isLive,
  isPastItsTime,
  LIVE_STATUSES,
  RESERVING_STATUSES,
  statusAt,
} from '../../../../engine/platform/order-states.ts';
import { statusList } from '../../../../engine/platform/sql-fragments.ts';

/** The table of the contract, column "Next", and the transition of a late fill. */
const NEXT: Record<OrderStatus, OrderStatus[]> = {
  denied: [],
  pending: ['queued', 'declined', 'expired', 'canceled'],
  queued: ['submitted', 'canceled', 'expired'],
  submitted: ['open', 'partially_filled', 'filled', 'rejected', 'canceled', 'expired', 'unknown'],
  unknown: ['open', 'partially_filled', 'filled', 'rejected', 'canceled', 'expired'],
  open: ['partially_filled', 'filled', 'canceled', 'expired'],
  partially_filled: ['partially_filled', 'filled', 'canceled', 'expired'],
  filled: [],
  canceled: ['filled'],
  expired: ['filled'],
  declined: [],
  rejected: ['filled'],
};

const PAIRS = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as const));

test.each<[OrderStatus, string]>([
  ['denied', 'a risk rule or free cash refused it here; never sent'],
  ['pending', 'waits for approval'],
  ['queued', 'cleared, not sent yet'],
  ['submitted', 'sent or being sent'],
  ['unknown', "the venue's answer was lost: only asking the venue may resolve it, never a resend"],
  ['open', 'resting'],
  ['partially_filled', 'resting'],
])('`%s`, "%s": it may change as in the table, and never back to a sender', (status) => {
  expect(ORDER_STATUSES.filter((to) => isAllowedTransition(status, to)).sort()).toEqual(
    NEXT[status].toSorted(),
  );
  expect(isAllowedTransition(status, 'queued')).toBe(status === 'pending');
});

test.each(PAIRS)('%s to %s is a step exactly if the table has it', (from, to) => {
  expect(isAllowedTransition(from, to)).toBe(NEXT[from].includes(to));
});

test.each(ORDER_STATUSES)('an order is created denied, pending or queued: %s', (to) => {
  expect(isAllowedTransition(null, to)).toBe(['denied', 'pending', 'queued'].includes(to));
});

test('live orders are those from `pending` to `partially_filled`', () => {
  expect(ORDER_STATUSES.filter(isLive)).toEqual([...LIVE_STATUSES]);
  expect(ORDER_STATUSES.filter(isFinal)).toEqual([
    'denied',
    'filled',
    'canceled',
    'expired',
    'declined',
    'rejected',
  ]);
  expect(ORDER_STATUSES.filter(isAtVenue)).toEqual([...AT_VENUE_STATUSES]);
});

test('a cancel has an effect while the order lives; a pending one is declined instead', () => {
  const cancelable = ORDER_STATUSES.filter(canCancel);
  expect(cancelable).toEqual(LIVE_STATUSES.filter((status) => status !== 'pending'));
});

test('"Only live sells and approved ones reserve": a pending one does not', () => {
  expect(RESERVING_STATUSES).toEqual(['queued', 'submitted', 'unknown', 'open', 'partially_filled']);
});

test('statuses stand in a statement as a literal list, which the partial indexes need', () => {
  expect(statusList(['pending', 'queued']).toOperationNode()).toMatchObject({
    kind: 'RawNode',
    sqlFragments: ["('pending', 'queued')"],
    parameters: [],
  });
});

describe('"Expired means `expiresAt <= now` in every read and count, whether or not a job has run"', () => {
  const END = '2026-11-20 12:00:00+00';
  const at = (ms: number) => new Date(Date.parse(END) + ms);
  test.each(['pending', 'queued'] as const)('%s', (status) => {
    expect(statusAt({ status, expires_at: END }, at(-1))).toBe(status);
    expect(statusAt({ status, expires_at: END }, at(0))).toBe('expired');
    expect(statusAt({ status, expires_at: END }, at(1))).toBe('expired');
    expect(isPastItsTime({ status, expires_at: null }, at(1))).toBe(false);
  });
  test.each(['open', 'submitted', 'filled', 'canceled', 'denied'] as const)(
    '%s has no such time',
    (status) => {
      expect(statusAt({ status, expires_at: END }, at(1))).toBe(status);
    },
  );
});
