/** Parsed answers of venue A: recorded bodies unchanged, and with each of their fields damaged. */
import { describe, expect, test } from 'vitest';
import type { PlaceResult, VenueOrder } from '../../venues/broker.ts';
import {
  canceledOf,
  hasPossibleMatch,
  orderOf,
  parseBody,
  placedOf,
  recordWithId,
} from '../../venues/kalshi/trading/answer.ts';
import * as wire from '../../venues/kalshi/trading/wire.ts';
import { DAMAGES, damaged } from './support/damage.ts';
import {
  type Body,
  eachDamage,
  FILL,
  ID,
  outcomeOf,
  RECORDED,
  REQUEST,
  TICKER,
  VENUE_ID,
  WANTED,
} from './support/kalshi-records.ts';

describe('an answer to a create', () => {
  const placed = (status: number, body: unknown) => placedOf({ status, body }, REQUEST);

  test('states the filled and the resting amount; the remainder has ended, with a reason', () => {
    const order = (
      status: string,
      filledAmount: string,
      why = { reasonCode: null, reason: null } as object,
    ) => ({
      kind: 'taken',
      order: { venueOrderId: VENUE_ID, status, filledAmount, fills: [], ...why },
    });
    const atVenue = { reasonCode: 'at_venue', reason: 'The order was canceled at the venue.' };
    const givenUp = {
      reasonCode: 'time_in_force',
      reason: 'The part that could not be filled at once was canceled.',
    };
    const created = (time_in_force: 'good_till_canceled' | 'immediate_or_cancel', body: unknown) =>
      placedOf({ status: 201, body }, { ...REQUEST, time_in_force });
    expect(placed(201, RECORDED.created.resting)).toEqual(order('open', '0'));
    expect(placed(201, RECORDED.created.filled)).toEqual(order('filled', '2'));
    const { killed } = RECORDED.created;
    expect(created('immediate_or_cancel', killed)).toEqual(order('canceled', '0', givenUp));
    const part = { ...killed, fill_count: '1.50' };
    expect(created('immediate_or_cancel', part)).toEqual(order('canceled', '1.5', givenUp));
    expect(created('good_till_canceled', part)).toEqual(order('canceled', '1.5', atVenue));
  });

  test.each([
    ['duplicate', { kind: 'exists' }],
    ['killed', { kind: 'refused', code: 'fill_or_kill_insufficient_resting_volume' }],
    ['money', { kind: 'refused', code: 'insufficient_balance' }],
    ['price', { kind: 'refused', code: 'invalid_price' }],
    ['crossing', { kind: 'refused', code: 'post_only_cross' }],
    ['mistyped', { kind: 'refused', code: 'bad_request' }],
    ['unsigned', { kind: 'refused', code: 'unauthorized' }],
    ['late', { kind: 'refused', code: 'arrived_late' }],
    ['unknown', { kind: 'refused', code: 'not_found' }],
    ['gone', { kind: 'refused', code: 'deprecated_v1_order_endpoint' }],
    ['often', { kind: 'refused', code: 'rate_limited' }],
    ['oftenFlat', { kind: 'refused', code: 'rate_limited' }],
  ] as const)('that fails as %s', (name, expected) => {
    const [status, body] = RECORDED.failures[name] ?? expect.unreachable();
    expect(placed(status, body)).toMatchObject(expected);
  });

  test.each([500, 502, 503, 504, 408, 409, 418, 302, 202, 0])(
    'with status %i leaves the outcome open, for any body',
    (status) => {
      const bodies = [{}, undefined, RECORDED.failures['money']?.[1], RECORDED.created.resting];
      for (const body of bodies) expect(outcomeOf(() => placed(status, body))).toBe('throws');
    },
  );

  test.each([400, 404, 410])('with status %i and no readable reason leaves the outcome open', (status) => {
    for (const body of [undefined, {}, [], '<html>', { error: null }, { error: { code: 7 } }])
      expect(outcomeOf(() => placed(status, body))).toBe('throws');
  });

  test('with more than the requested amount, or about another order, is refused', () => {
    const other = { ...RECORDED.created.resting, client_order_id: '00000000-0000-4000-8000-000000000000' };
    expect(outcomeOf(() => placed(201, other))).toBe('throws');
    expect(outcomeOf(() => placed(201, { ...RECORDED.created.filled, fill_count: '2.01' }))).toBe('throws');
  });

  test.each(['resting', 'filled', 'killed'] as const)(
    '%s, damaged in one field, is the same or refused',
    (name) => {
      const before = placed(201, RECORDED.created[name]);
      const unnamed = (answer: PlaceResult | 'throws') =>
        answer !== 'throws' && answer.kind === 'taken' ? { ...answer.order, venueOrderId: '' } : answer;
      eachDamage(RECORDED.created[name], (body, path, what) => {
        const now = outcomeOf(() => placed(201, body));
        if (now === 'throws') return;
        if (path[0] === 'order_id') expect(unnamed(now), what).toEqual(unnamed(before));
        else expect(now, what).toEqual(before);
      });
    },
  );

  test('of a failure, damaged in one field, never becomes an order, and a repeat never a refusal', () => {
    for (const [name, [status, body]] of Object.entries(RECORDED.failures)) {
      const inner = (body['error'] ?? body) as Body;
      if (typeof inner !== 'object') continue;
      eachDamage(inner, (part, _, what) => {
        const now = outcomeOf(() => placed(status, body['error'] === undefined ? part : { error: part }));
        const allowed = status === 409 ? [placed(status, body), 'throws'] : null;
        if (allowed !== null) expect(allowed, `${name} ${what}`).toContainEqual(now);
        else expect(now === 'throws' || now.kind === 'refused', `${name} ${what}`).toBe(true);
      });
    }
  });
});

describe('an answer to a cancel', () => {
  test('is about the named order, or refused', () => {
    expect(canceledOf({ status: 200, body: RECORDED.canceled }, VENUE_ID)).toEqual({ kind: 'asked' });
    expect(canceledOf({ status: 404, body: RECORDED.failures['unknown']?.[1] }, VENUE_ID)).toEqual({
      kind: 'gone',
    });
    for (const status of [400, 401, 403, 404, 409, 429, 500, 503])
      expect(outcomeOf(() => canceledOf({ status, body: {} }, VENUE_ID))).toBe('throws');
  });

  test('damaged in one field, is the same or refused', () => {
    eachDamage(RECORDED.canceled, (body, _, what) => {
      const now = outcomeOf(() => canceledOf({ status: 200, body }, VENUE_ID));
      expect([{ kind: 'asked' }, 'throws'], what).toContainEqual(now);
    });
  });
});

describe('a record of an order', () => {
  test('gives its state, with its fills in the prices of its side', () => {
    expect(orderOf(RECORDED.orders.resting, [], WANTED)).toMatchObject({
      status: 'open',
      filledAmount: '0',
      fills: [],
    });
    expect(orderOf(RECORDED.orders.executed, [FILL], WANTED)).toEqual({
      venueOrderId: VENUE_ID,
      status: 'filled',
      filledAmount: '2',
      fills: [
        {
          tradeId: 'c0ffee00-b500-57c6-efa2-c31d94d916c1',
          amount: '2',
          price: '0.52',
          fee: '0.035',
          feeAsset: 'USD',
          feeAmount: '0.035',
          liquidity: 'taker',
          state: 'final',
          at: new Date('2026-06-11T06:29:30.164Z'),
        },
      ],
      reasonCode: null,
      reason: null,
    });
    expect(orderOf(RECORDED.orders.expired, [], WANTED)).toMatchObject({
      status: 'expired',
      filledAmount: '1',
    });
    const no = { ...WANTED, tokenId: `${TICKER}:no` };
    expect(orderOf(RECORDED.orders.executed, [FILL], no).fills[0]?.price).toBe('0.48');
  });

  test('with an amount that the venue reduced is canceled, although it states executed', () => {
    const reduced = { ...RECORDED.orders.executed, initial_count_fp: '1.00', fill_count_fp: '1.00' };
    expect(orderOf(reduced, [], WANTED)).toMatchObject({ status: 'canceled', filledAmount: '1' });
  });

  test('states why it ended, in the venue’s word', () => {
    const contradiction = {
      ...RECORDED.orders.expired,
      expiration_time: null,
      last_update_reason: 'MarketPauseCancel',
    };
    expect(orderOf(contradiction, [], WANTED)).toMatchObject({
      status: 'canceled',
      reasonCode: 'market_pause_cancel',
      reason: 'The order was canceled at the venue.',
    });
    for (const last_update_reason of ['a <b>', '', null])
      expect(orderOf({ ...contradiction, last_update_reason }, [], WANTED)).toMatchObject({
        reasonCode: 'at_venue',
        reason: 'The order was canceled at the venue.',
      });
  });

  test.each([
    ['another market', { ticker: 'KXOTHER' }],
    ['the other side', { book_side: 'ask' }],
    ['another price', { yes_price_dollars: '0.5300', no_price_dollars: '0.4700' }],
    ['another id', { client_order_id: 'other' }],
    ['an unknown status', { status: 'dormant' }],
    ['more filled than wanted', { fill_count_fp: '2.00', remaining_count_fp: '0.01' }],
    ['resting, and all of it filled', { fill_count_fp: '2.00', remaining_count_fp: '0.00' }],
    ['canceled, and some of it resting', { status: 'canceled' }],
    ['prices that do not add up', { no_price_dollars: '0.4900' }],
  ])('of %s is none', (_, changes) => {
    expect(outcomeOf(() => orderOf({ ...RECORDED.orders.resting, ...changes }, [], WANTED))).toBe('throws');
  });

  test.each(['resting', 'executed', 'expired'] as const)(
    '%s, damaged in one field, is the same or refused',
    (name) => {
      const before = orderOf(RECORDED.orders[name], [FILL], WANTED);
      eachDamage(RECORDED.orders[name], (body, [field], what) => {
        const now = outcomeOf(() => orderOf(body, [FILL], WANTED));
        if (now === 'throws') return;
        // An end without its times is an end; a name only selects the fills that belong to the order.
        const isEnd = (order: VenueOrder) => ['canceled', 'expired'].includes(order.status);
        if (field === 'expiration_time' || field === 'last_update_time') {
          expect(now.filledAmount, what).toBe(before.filledAmount);
          expect(now.status === before.status || (isEnd(now) && isEnd(before)), what).toBe(true);
        } else if (field === 'order_id') {
          expect({ ...now, venueOrderId: '', fills: [] }, what).toEqual({
            ...before,
            venueOrderId: '',
            fills: [],
          });
        } else expect(now, what).toEqual(before);
      });
    },
  );

  test('of a fill, damaged in one field, is the same, another’s or none; how it traded may be wrong', () => {
    const [before] = orderOf(RECORDED.orders.executed, [FILL], WANTED).fills;
    eachDamage(RECORDED.fill, (body, [field], what) => {
      const now = outcomeOf(() => {
        const { fills } = parseBody(
          { status: 200, body: { fills: [body], cursor: '' } },
          wire.Fills,
          'fills',
        );
        return orderOf(RECORDED.orders.executed, fills, WANTED);
      });
      if (now === 'throws') return;
      // The order states the filled amount: missing fills are requested again.
      expect(now.filledAmount, what).toBe('2');
      if (field === 'order_id' || field === 'ticker') expect(now.fills, what).toEqual([]);
      else if (field === 'is_taker')
        expect({ ...now.fills[0], liquidity: null }).toEqual({ ...before, liquidity: null });
      else expect(now.fills, what).toEqual([before]);
    });
  });
});

describe('a list of orders', () => {
  const named = (changes: Body): wire.NamedOrder =>
    wire.NamedOrder.parse({ ...RECORDED.orders.resting, ...changes });
  const other = named({ client_order_id: '00000000-0000-4000-8000-000000000001' });

  test('contains the order by its id, once', () => {
    expect(recordWithId([other, named({})], ID)?.order_id).toBe(VENUE_ID);
    expect(recordWithId([named({}), named({})], ID)?.order_id).toBe(VENUE_ID);
    expect(recordWithId([other], ID)).toBeNull();
    expect(outcomeOf(() => recordWithId([named({}), named({ order_id: 'another' })], ID))).toBe('throws');
  });

  test('proves no absence while an order with the same terms has an id that is none of ours', () => {
    expect(hasPossibleMatch([other], WANTED)).toBe(false);
    expect(hasPossibleMatch([named({ client_order_id: '' })], WANTED)).toBe(true);
    expect(hasPossibleMatch([named({ client_order_id: 'by hand', book_side: 'ask' })], WANTED)).toBe(false);
    expect(hasPossibleMatch([named({ client_order_id: '', status: 'dormant' })], WANTED)).toBe(true);
  });

  test('in which the id of the order is damaged, proves no absence', () => {
    for (const [what, value] of DAMAGES) {
      const body = { orders: [damaged(RECORDED.orders.resting, ['client_order_id'], value)], cursor: '' };
      const now = outcomeOf(() => {
        const { orders } = parseBody({ status: 200, body }, wire.NamedOrders, 'orders');
        return recordWithId(orders, ID) === null && !hasPossibleMatch(orders, WANTED) ? 'absent' : 'unsure';
      });
      expect(now, what).not.toBe('absent');
    }
  });
});
