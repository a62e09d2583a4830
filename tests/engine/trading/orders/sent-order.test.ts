import { describe, expect, test } from 'vitest';
import {
  absencesAfter,
  arrivesByOf,
  type DispatchRow,
  reportOfPlaced,
  sentOrderOf,
  storedAbsencesOf,
} from '../../../../engine/trading/orders/execution/sent-order.ts';
import { ARRIVE_WITHIN_MS } from '../../../../engine/trading/orders/settings.ts';
import type { VenueOrder } from '../../../../venues/broker.ts';
import { NOW } from './market.ts';
import { at, order } from './order.ts';

const dispatch = (more: Partial<DispatchRow> = {}): DispatchRow => ({
  account_id: 'a',
  order_id: 'o-1',
  connection_id: 'c-1',
  lease_epoch: '7',
  client_order_id: 'o-1',
  venue_order_id: '0xhash',
  request: { price: '0.5' },
  signed_for: at(-100),
  arrives_by: at(75_000),
  sent_at: at(0),
  absences: 0,
  absent_as_of: null,
  fills_missing_since: null,
  ...more,
});
const books = { accountId: 'a', mode: 'live' } as const;
const proof = { times: 2, apartMs: 5_000 };

describe('an order that was sent', () => {
  test('is named by its books and its id, and is queried with its own request', () => {
    const sent = sentOrderOf(books, order({ venue_order_id: null }), dispatch());
    expect(sent.ref).toEqual({
      accountId: 'a',
      mode: 'live',
      id: 'o-1',
      tokenId: 'KXTEST:yes',
      prepared: {
        clientOrderId: 'o-1',
        venueOrderId: '0xhash',
        request: { price: '0.5' },
        signedFor: new Date(at(-100)),
        arrivesBy: new Date(at(75_000)),
      },
      // An id derived from the request is not one that the venue stated.
      venueOrderId: null,
    });
    expect(sent.order.id).toBe('o-1');
    expect(sent.dispatch?.arrives_by).toBe(at(75_000));
  });

  test('is queried by the venue order id, even without a stored request', () => {
    const { ref, dispatch: none } = sentOrderOf(books, order({ venue_order_id: 'v-1' }), null);
    expect(ref).toMatchObject({ venueOrderId: 'v-1', prepared: null });
    expect(none).toBeNull();
  });

  test("can arrive until its request's limit, else until our own, and never if it was not sent", () => {
    const sent = order({ submitted_at: at(0) });
    expect(arrivesByOf({ order: sent, dispatch: dispatch() })).toEqual(new Date(at(75_000)));
    expect(arrivesByOf({ order: sent, dispatch: null })).toEqual(new Date(at(ARRIVE_WITHIN_MS + 5_000)));
    expect(arrivesByOf({ order: order({ submitted_at: null }), dispatch: null })).toBeNull();
  });
});

describe('its absence', () => {
  const seen = dispatch({ absences: 1, absent_as_of: at(80_000) });

  test('is the stored count; zero without a stored request', () => {
    expect(storedAbsencesOf(seen)).toEqual({ count: 1, asOf: new Date(at(80_000)) });
    expect(storedAbsencesOf(dispatch())).toEqual({ count: 0, asOf: null });
    expect(storedAbsencesOf(null)).toEqual({ count: 0, asOf: null });
  });

  test('grows by a poll after its last arrival, and by none before', () => {
    const sent = { order: order(), dispatch: seen };
    const before = storedAbsencesOf(seen);
    const look = (ms: number) => absencesAfter(sent, before, new Date(at(ms)), proof);
    expect(look(85_000)).toEqual({ count: 2, asOf: new Date(at(85_000)) });
    expect(look(84_999)).toBe(before);
    expect(look(75_000)).toEqual({ count: 0, asOf: null });
  });

  test('of an order that was not sent is zero', () => {
    const before = storedAbsencesOf(null);
    const never = { order: order({ submitted_at: null }), dispatch: null };
    expect(absencesAfter(never, before, NOW, proof)).toBe(before);
  });
});

describe('a response to a create', () => {
  const open: VenueOrder = {
    venueOrderId: 'v-1',
    status: 'open',
    filledAmount: '0',
    fills: [],
    reasonCode: null,
    reason: null,
  };

  test('that accepted the order reports it', () => {
    expect(reportOfPlaced({ kind: 'taken', order: open })).toBe(open);
  });

  test("that refused it has rejected it, with the venue's message", () => {
    expect(reportOfPlaced({ kind: 'refused', code: 'insufficient_balance', reason: 'Too little.' })).toEqual({
      venueOrderId: null,
      status: 'rejected',
      filledAmount: '0',
      fills: [],
      reasonCode: 'insufficient_balance',
      reason: 'Too little.',
    });
  });

  test('row 15: "already there" or "never arrived" leaves it open: it is polled, not sent again', () => {
    expect(reportOfPlaced({ kind: 'exists' })).toBeNull();
    expect(reportOfPlaced(null)).toBeNull();
  });
});
