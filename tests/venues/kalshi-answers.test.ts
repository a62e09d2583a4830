/** What is read of venue A's answers: recorded shapes whole, and with each of their fields damaged. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccountFill, Placed, VenueEvent, VenueOrder } from '../../venues/broker.ts';
import {
  accountFillOf,
  balancesOf,
  canceledOf,
  eventOf,
  hasLookalike,
  inWordsOf,
  orderOf,
  ownOf,
  permissionsOf,
  placedOf,
  positionOf,
  read,
  type Wanted,
} from '../../venues/kalshi/trading/answer.ts';
import type { CreateRequest } from '../../venues/kalshi/trading/request.ts';
import * as wire from '../../venues/kalshi/trading/wire.ts';
import { DAMAGES, damaged, type Path } from './support/damage.ts';
import { fixture } from './support/replay.ts';

type Body = Record<string, unknown>;
const RECORDED = fixture<{
  created: Record<'resting' | 'filled' | 'killed', Body>;
  canceled: Body;
  failures: Record<string, [number, Body]>;
  orders: Record<'resting' | 'executed' | 'expired', Body>;
  fill: Body;
  positions: { market_positions: Body[] };
  balance: Body;
  asOf: Body;
  exchange: Body;
  frames: Record<'order' | 'fill', { type: string; msg: Body }>;
}>('kalshi-trading.json');

const ID = '5b0c5f06-9b62-4bb5-8d6c-0a4f5a1c2d3e';
const VENUE_ID = 'a1f0c9d2-3b4e-4c5d-8e6f-708192a3b4c5';
const TICKER = 'KXWTACHALLENGERMATCH-26JUN11AAABBB-AAA';
const REQUEST: CreateRequest = {
  ticker: TICKER,
  client_order_id: ID,
  side: 'bid',
  count: '2.00',
  price: '0.5200',
  time_in_force: 'good_till_canceled',
  self_trade_prevention_type: 'taker_at_cross',
  cancel_order_on_pause: true,
  reduce_only: false,
};
const AT = new Date('2026-06-11T06:29:20Z');
const WANTED: Wanted = {
  id: ID,
  tokenId: `${TICKER}:yes`,
  prepared: { clientOrderId: ID, venueOrderId: null, request: REQUEST, signedFor: AT, arrivesBy: AT },
};
const FILL = wire.WireFill.parse(RECORDED.fill);

/** What reading gives, or that it throws an error of the venue's. */
function outcomeOf<T>(reading: () => T): T | 'throws' {
  try {
    return reading();
  } catch (error) {
    expect(String(error)).toContain('venue A');
    return 'throws';
  }
}

/** Every field of a body in every way of being damaged. */
function eachDamage(body: Body, judge: (damagedBody: Body, path: Path, what: string) => void): void {
  for (const name of Object.keys(body))
    for (const [what, value] of DAMAGES)
      judge(
        damaged(body, [name], value === '@@1e400@@' ? Number.POSITIVE_INFINITY : value),
        [name],
        `${name}: ${what}`,
      );
}

describe('an answer to a create', () => {
  const placed = (status: number, body: unknown) => placedOf({ status, body }, REQUEST);

  test('says what is filled and what rests; what is neither has ended', () => {
    const order = (status: string, filledAmount: string) => ({
      kind: 'taken',
      order: { venueOrderId: VENUE_ID, status, filledAmount, fills: [], reasonCode: null, reason: null },
    });
    expect(placed(201, RECORDED.created.resting)).toEqual(order('open', '0'));
    expect(placed(201, RECORDED.created.filled)).toEqual(order('filled', '2'));
    expect(placed(201, RECORDED.created.killed)).toEqual(order('canceled', '0'));
    expect(placed(201, { ...RECORDED.created.killed, fill_count: '1.50' })).toEqual(order('canceled', '1.5'));
  });

  test.each([
    ['duplicate', { kind: 'exists' }],
    ['killed', { kind: 'refused', code: 'fill_or_kill_insufficient_resting_volume' }],
    ['money', { kind: 'refused', code: 'insufficient_balance' }],
    ['price', { kind: 'refused', code: 'invalid_price' }],
    ['crossing', { kind: 'refused', code: 'invalid_order' }],
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
    'with status %i leaves it open, whatever is in it',
    (status) => {
      const bodies = [{}, undefined, RECORDED.failures['money']?.[1], RECORDED.created.resting];
      for (const body of bodies) expect(outcomeOf(() => placed(status, body))).toBe('throws');
    },
  );

  test.each([400, 404, 410])('with status %i and no readable reason leaves it open', (status) => {
    for (const body of [undefined, {}, [], '<html>', { error: null }, { error: { code: 7 } }])
      expect(outcomeOf(() => placed(status, body))).toBe('throws');
  });

  test('with more than was asked for, or about another order, is none', () => {
    const other = { ...RECORDED.created.resting, client_order_id: '00000000-0000-4000-8000-000000000000' };
    expect(outcomeOf(() => placed(201, other))).toBe('throws');
    expect(outcomeOf(() => placed(201, { ...RECORDED.created.filled, fill_count: '2.01' }))).toBe('throws');
  });

  test.each(['resting', 'filled', 'killed'] as const)(
    '%s, damaged in one field, is the same or none',
    (name) => {
      const before = placed(201, RECORDED.created[name]);
      const unnamed = (answer: Placed | 'throws') =>
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
  test('is about the order that was named, or none', () => {
    expect(canceledOf({ status: 200, body: RECORDED.canceled }, VENUE_ID)).toEqual({ kind: 'asked' });
    expect(canceledOf({ status: 404, body: RECORDED.failures['unknown']?.[1] }, VENUE_ID)).toEqual({
      kind: 'gone',
    });
    for (const status of [400, 401, 403, 404, 409, 429, 500, 503])
      expect(outcomeOf(() => canceledOf({ status, body: {} }, VENUE_ID))).toBe('throws');
  });

  test('damaged in one field, is the same or none', () => {
    eachDamage(RECORDED.canceled, (body, _, what) => {
      const now = outcomeOf(() => canceledOf({ status: 200, body }, VENUE_ID));
      expect([{ kind: 'asked' }, 'throws'], what).toContainEqual(now);
    });
  });
});

describe('a record of an order', () => {
  test('is what became of it, with its fills in the prices of its side', () => {
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

  test('that the venue made smaller is canceled, though it says executed', () => {
    const reduced = { ...RECORDED.orders.executed, initial_count_fp: '1.00', fill_count_fp: '1.00' };
    expect(orderOf(reduced, [], WANTED)).toMatchObject({ status: 'canceled', filledAmount: '1' });
  });

  test('says why it ended, in the venue’s word', () => {
    const told = {
      ...RECORDED.orders.expired,
      expiration_time: null,
      last_update_reason: 'MarketPauseCancel',
    };
    expect(orderOf(told, [], WANTED)).toMatchObject({
      status: 'canceled',
      reasonCode: 'market_pause_cancel',
    });
    expect(orderOf({ ...told, last_update_reason: 'a <b>' }, [], WANTED).reasonCode).toBeNull();
  });

  test.each([
    ['another market', { ticker: 'KXOTHER' }],
    ['the other side', { book_side: 'ask' }],
    ['another price', { yes_price_dollars: '0.5300', no_price_dollars: '0.4700' }],
    ['another id', { client_order_id: 'other' }],
    ['a status nobody knows', { status: 'dormant' }],
    ['more filled than wanted', { fill_count_fp: '2.00', remaining_count_fp: '0.01' }],
    ['resting, and all of it filled', { fill_count_fp: '2.00', remaining_count_fp: '0.00' }],
    ['canceled, and some of it resting', { status: 'canceled' }],
    ['prices that do not add up', { no_price_dollars: '0.4900' }],
  ])('of %s is none', (_, changes) => {
    expect(outcomeOf(() => orderOf({ ...RECORDED.orders.resting, ...changes }, [], WANTED))).toBe('throws');
  });

  test.each(['resting', 'executed', 'expired'] as const)(
    '%s, damaged in one field, is the same or none',
    (name) => {
      const before = orderOf(RECORDED.orders[name], [FILL], WANTED);
      eachDamage(RECORDED.orders[name], (body, [field], what) => {
        const now = outcomeOf(() => orderOf(body, [FILL], WANTED));
        if (now === 'throws') return;
        // An end without its times is an end; a name only says which fills are its own.
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
        const { fills } = read({ status: 200, body: { fills: [body], cursor: '' } }, wire.Fills, 'fills');
        return orderOf(RECORDED.orders.executed, fills, WANTED);
      });
      if (now === 'throws') return;
      // The order says how much is filled: what is missing is asked for again.
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

  test('has the order by its name, once', () => {
    expect(ownOf([other, named({})], ID)?.order_id).toBe(VENUE_ID);
    expect(ownOf([named({}), named({})], ID)?.order_id).toBe(VENUE_ID);
    expect(ownOf([other], ID)).toBeNull();
    expect(outcomeOf(() => ownOf([named({}), named({ order_id: 'another' })], ID))).toBe('throws');
  });

  test('proves no absence while one of its terms has a name that is none of ours', () => {
    expect(hasLookalike([other], WANTED)).toBe(false);
    expect(hasLookalike([named({ client_order_id: '' })], WANTED)).toBe(true);
    expect(hasLookalike([named({ client_order_id: 'by hand', book_side: 'ask' })], WANTED)).toBe(false);
    expect(hasLookalike([named({ client_order_id: '', status: 'dormant' })], WANTED)).toBe(true);
  });

  test('in which the name of the order is damaged, proves no absence', () => {
    for (const [what, value] of DAMAGES) {
      const body = { orders: [damaged(RECORDED.orders.resting, ['client_order_id'], value)], cursor: '' };
      const now = outcomeOf(() => {
        const { orders } = read({ status: 200, body }, wire.NamedOrders, 'orders');
        return ownOf(orders, ID) === null && !hasLookalike(orders, WANTED) ? 'absent' : 'unsure';
      });
      expect(now, what).not.toBe('absent');
    }
  });
});

describe('what an account has', () => {
  test('is no contracts where the position is negative', () => {
    const { market_positions: positions } = wire.Positions.parse(RECORDED.positions);
    expect(positions.flatMap(positionOf)).toEqual([{ tokenId: `${TICKER}:no`, amount: '3' }]);
    expect(positionOf({ ticker: TICKER, position_fp: '0.00', exchange_index: 0 })).toEqual([]);
  });

  test('is free but for what rests, by shard; what closes a position holds nothing', () => {
    const balance = wire.Balance.parse({
      balance_breakdown: [
        { balance: '98.0186', exchange_index: 0 },
        { balance: '5.0000', exchange_index: 2 },
      ],
    });
    const bid = wire.WireOrder.parse(RECORDED.orders.resting);
    const ask = { ...bid, book_side: 'ask' as const };
    const free = (orders: wire.WireOrder[], position: string) =>
      balancesOf(balance, orders, [{ ticker: TICKER, position_fp: position, exchange_index: 0 }]).map(
        (one) => one.available,
      );
    expect(free([], '0')).toEqual(['98.0186', '5']);
    expect(free([bid], '0')).toEqual(['96.9786', '5']);
    expect(free([ask], '0')).toEqual(['97.0586', '5']);
    expect(free([ask], '2.00')).toEqual(['98.0186', '5']);
    expect(free([bid], '-1.00')).toEqual(['97.4986', '5']);
    expect(free([{ ...bid, exchange_index: 2 }], '0')).toEqual(['98.0186', '3.96']);
  });

  test.each([
    [
      'positions',
      RECORDED.positions.market_positions[0] ?? {},
      (body: Body) =>
        wire.Positions.parse({ market_positions: [body], cursor: '' }).market_positions.flatMap(positionOf),
      ['ticker'],
    ],
    ['the time of reads', RECORDED.asOf, (body: Body) => wire.AsOfTime.parse(body), []],
    [
      'whether it trades',
      RECORDED.exchange,
      (body: Body) => wire.ExchangeStatus.parse(body),
      ['exchange_active', 'trading_active'],
    ],
  ] as const)('as %s, damaged in one field, is the same or none', (_, body, reading, names) => {
    const before = reading(body);
    eachDamage(body, (part, [field], what) => {
      // A smaller position is one, too.
      if (names.some((name) => name === field) || what === 'position_fp: a negative text') return;
      let now: unknown;
      try {
        now = reading(part);
      } catch {
        return;
      }
      expect(now, what).toEqual(before);
    });
  });

  test.each([
    [
      ['read', 'write'],
      ['read', 'trade', 'transfer'],
    ],
    [['read'], ['read']],
    [
      ['read', 'write::trade'],
      ['read', 'trade'],
    ],
    [['write::transfer'], ['transfer']],
    [['read::portfolio_balance'], []],
  ])('of rights: scopes %j are %j', (scopes, permissions) => {
    expect(permissionsOf(scopes)).toEqual(permissions);
  });
});

describe('a frame of the stream', () => {
  const event = (frame: unknown): VenueEvent | null => eventOf(JSON.stringify(frame));

  test('tells what is recorded', () => {
    expect(event(RECORDED.frames.order)).toMatchObject({
      kind: 'order',
      clientOrderId: ID,
      order: {
        venueOrderId: VENUE_ID,
        status: 'canceled',
        filledAmount: '1',
        reasonCode: 'post_only_cross_cancel',
      },
    });
    expect(event(RECORDED.frames.fill)).toMatchObject({
      kind: 'fill',
      fill: {
        clientOrderId: ID,
        venueOrderId: VENUE_ID,
        tokenId: `${TICKER}:yes`,
        side: 'buy',
        price: '0.52',
        amount: '2',
      },
    });
    for (const type of ['subscribed', 'ok', 'market_position']) expect(event({ type, msg: {} })).toBeNull();
  });

  test.each(['order', 'fill'] as const)(
    'of an %s, damaged in one field, tells the same or that it cannot be read',
    (name) => {
      const frame = RECORDED.frames[name];
      const before = event(frame);
      eachDamage(frame.msg, (msg, [field], what) => {
        const now = event({ ...frame, msg });
        if (now?.kind === 'unreadable') return;
        // Names cannot be checked here: whoever hears of another asks before it believes. Reasons decide nothing.
        if (['order_id', 'client_order_id', 'trade_id', 'ticker', 'market_ticker'].includes(String(field)))
          return;
        if (field === 'is_taker' || field === 'last_update_reason' || field === 'ts_ms') return;
        expect(now, what).toEqual(before);
      });
    },
  );
});

test('a fill told as of yes is the same fill in the words of its order', () => {
  const steps = fc.integer({ min: 1, max: 999 });
  fc.assert(
    fc.property(
      steps,
      fc.constantFrom('yes', 'no'),
      fc.constantFrom('buy', 'sell'),
      (step, outcome, side) => {
        const yes = (step / 1_000).toFixed(4);
        const no = ((1_000 - step) / 1_000).toFixed(4);
        const book_side = (outcome === 'yes') === (side === 'buy') ? 'bid' : 'ask';
        const told: AccountFill = accountFillOf(
          wire.WireFill.parse({ ...RECORDED.fill, book_side, yes_price_dollars: yes, no_price_dollars: no }),
        );
        const own = inWordsOf({ tokenId: `${TICKER}:${outcome}`, side }, told);
        expect(Number(own.price)).toBe(Number(outcome === 'yes' ? yes : no));
        expect(own).toMatchObject({ side, tokenId: `${TICKER}:${outcome}`, amount: told.amount });
        const opposite = side === 'buy' ? 'sell' : 'buy';
        expect(outcomeOf(() => inWordsOf({ tokenId: `${TICKER}:${outcome}`, side: opposite }, told))).toBe(
          'throws',
        );
      },
    ),
  );
});
