import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { isInScopes } from '../../../../engine/trading/reconciliation/compare/difference.ts';
import {
  externalOrders,
  type OurOrder,
  orderDifferences,
  ordersToPoll,
  type PollResult,
} from '../../../../engine/trading/reconciliation/compare/orders.ts';
import type { OpenVenueOrder } from '../../../../venues/broker.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

/** A buy of ten that has rested for a minute, with three filled. */
const ours = (terms: Partial<OurOrder> = {}): OurOrder => ({
  id: 'o-1',
  tokenId: 'A:yes',
  status: 'open',
  clientOrderId: 'c-1',
  venueOrderId: 'v-1',
  limitPrice: exact('0.5'),
  amount: exact(10),
  filledAmount: exact(3),
  lacksFills: false,
  sentAt: ago(60_000),
  ...terms,
});
const listed = (terms: Partial<OpenVenueOrder> = {}): OpenVenueOrder => ({
  venueOrderId: 'v-1',
  clientOrderId: 'c-1',
  tokenId: 'A:yes',
  side: 'buy',
  amount: '10',
  limitPrice: '0.5',
  filledAmount: '3',
  placedAt: NOW,
  ...terms,
});
const isAsked = (order: Partial<OurOrder>, ...listedOrders: OpenVenueOrder[]) =>
  ordersToPoll([ours(order)], listedOrders, NOW).length === 1;

describe('an order of ours is polled individually', () => {
  test('if the venue does not list it, once the list cannot be older than the order', () => {
    expect(isAsked({})).toBe(true);
    expect(isAsked({ sentAt: ago(5_000) })).toBe(true);
    expect(isAsked({ sentAt: ago(4_999) })).toBe(false);
  });

  test('if the venue may have it, and not if it has ended or was never sent', () => {
    for (const status of ['submitted', 'unknown', 'open', 'partially_filled'] as const)
      expect(isAsked({ status }), status).toBe(true);
    for (const status of ['queued', 'filled', 'canceled', 'rejected', 'expired'] as const)
      expect(isAsked({ status }), status).toBe(false);
  });

  test('if the venue lists an order that has ended here, or was never known to be accepted', () => {
    for (const status of ['submitted', 'unknown', 'canceled', 'rejected'] as const)
      expect(isAsked({ status }, listed()), status).toBe(true);
    for (const status of ['open', 'partially_filled'] as const)
      expect(isAsked({ status }, listed()), status).toBe(false);
  });

  test('if the venue has filled more of it than is booked; less is an old list', () => {
    expect(isAsked({}, listed({ filledAmount: '3.1' }))).toBe(true);
    expect(isAsked({}, listed({ filledAmount: '2' }))).toBe(false);
  });

  test('as long as the venue has reported fills that it did not list', () => {
    expect(isAsked({ lacksFills: true }, listed())).toBe(true);
    expect(isAsked({ lacksFills: true, sentAt: NOW })).toBe(true);
  });

  test('but not if it is listed under either of its names', () => {
    expect(isAsked({}, listed({ clientOrderId: null }))).toBe(false);
    expect(isAsked({}, listed({ venueOrderId: 'another' }))).toBe(false);
    expect(isAsked({ venueOrderId: null }, listed())).toBe(false);
    expect(isAsked({ venueOrderId: null }, listed({ clientOrderId: null }))).toBe(true);
    expect(isAsked({}, listed({ venueOrderId: 'another', clientOrderId: 'another' }))).toBe(true);
  });
});

describe('a foreign order at the venue', () => {
  test('is reported with its rest and the cost of that', () => {
    const other = listed({ venueOrderId: 'v-x', clientOrderId: null });
    expect(externalOrders([ours()], [listed(), other])).toEqual([
      {
        subject: 'order:v-x',
        kind: 'external_order',
        ours: exact(0),
        theirs: exact(7),
        worth: exact('3.5'),
        about: { tokenId: 'A:yes', side: 'buy', price: '0.5', venueOrderId: 'v-x' },
      },
    ]);
  });

  test('is none of ours by any name', () => {
    expect(externalOrders([ours()], [listed({ venueOrderId: 'v-x' })])).toEqual([]);
    expect(externalOrders([ours()], [listed({ clientOrderId: 'c-x' })])).toEqual([]);
    expect(externalOrders([], [listed()])).toHaveLength(1);
  });
});

describe('differences after the individual polls', () => {
  const leftOf = (order: Partial<OurOrder>, look?: PollResult) =>
    orderDifferences([ours(order)], new Map(look === undefined ? [] : [['o-1', look]]));
  const about = { orderId: 'o-1', tokenId: 'A:yes', venueOrderId: 'v-1' };

  test.each(['absent', 'unsure'] as const)(
    'include a resting order that was not found (%s): its whole rest, of unknown worth',
    (look) => {
      for (const status of ['open', 'partially_filled'] as const)
        expect(leftOf({ status }, look)).toEqual([
          { subject: 'order:v-1', kind: 'lag', ours: exact(7), theirs: exact(0), worth: null, about },
        ]);
      expect(leftOf({ status: 'unknown' }, look)).toEqual([]);
    },
  );

  test('exclude one that was found or did not have to be polled', () => {
    expect(leftOf({}, 'found')).toEqual([]);
    expect(leftOf({})).toEqual([]);
  });

  test('include one whose fills the venue does not list, even if it was found', () => {
    expect(leftOf({ lacksFills: true }, 'found')).toEqual([
      { subject: 'order:v-1', kind: 'lag', ours: exact(3), theirs: null, worth: null, about },
    ]);
  });

  test('use our own name if the venue stated none', () => {
    expect(leftOf({ venueOrderId: null }, 'absent')).toMatchObject([
      { subject: 'order:o-1', about: { orderId: 'o-1', tokenId: 'A:yes' } },
    ]);
    expect(leftOf({ venueOrderId: null }, 'absent')[0]?.about).not.toHaveProperty('venueOrderId');
  });
});

test('a comparison reports only subjects of its own kinds', () => {
  expect(isInScopes(['order', 'cash'], 'cash:USD')).toBe(true);
  expect(isInScopes(['order', 'cash'], 'order:v-1')).toBe(true);
  expect(isInScopes(['order', 'cash'], 'fill:order:1')).toBe(false);
  expect(isInScopes([], 'cash:USD')).toBe(false);
});
